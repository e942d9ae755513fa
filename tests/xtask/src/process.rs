//! Running other programs.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Output, Stdio};

use crate::failure::Failure;
use crate::place;

/// A program, to be run in the checkout. `remedy` is for when there is no such program.
pub(crate) struct Program {
    command: Command,
    remedy: &'static str,
}

impl Program {
    pub(crate) fn new(program: impl AsRef<OsStr>, remedy: &'static str) -> Self {
        let mut command = Command::new(program);
        command.current_dir(place::root());
        Self { command, remedy }
    }

    /// The cargo that runs this.
    pub(crate) fn cargo() -> Self {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Self::new(cargo, "install Rust")
    }

    pub(crate) fn arguments<S: AsRef<OsStr>>(mut self, arguments: impl IntoIterator<Item = S>) -> Self {
        self.command.args(arguments);
        self
    }

    pub(crate) fn variable(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs it, its output going where ours goes.
    pub(crate) fn run(mut self) -> Result<(), Failure> {
        let status = self.command.status().map_err(|reason| self.missing(reason))?;
        if status.success() { Ok(()) } else { Err(Failure::Failed(self.name())) }
    }

    /// Runs it and returns what it printed.
    pub(crate) fn output(mut self) -> Result<String, Failure> {
        let Output { status, stdout, .. } = self.command.output().map_err(|reason| self.missing(reason))?;
        if status.success() {
            Ok(String::from_utf8_lossy(&stdout).into_owned())
        } else {
            Err(Failure::Failed(self.name()))
        }
    }

    /// Runs it and returns what it printed, which goes where our output goes as well, as it comes.
    pub(crate) fn recorded(mut self) -> Result<String, Failure> {
        let mut child = self.command.stdout(Stdio::piped()).spawn().map_err(|reason| self.missing(reason))?;
        let mut record = String::new();
        for line in BufReader::new(child.stdout.take().expect("it is piped")).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            record += &line;
            record.push('\n');
        }
        let ended = child.wait().is_ok_and(|status| status.success());
        if ended { Ok(record) } else { Err(Failure::Failed(self.name())) }
    }

    /// Runs it and returns what it said of its work (on stderr).
    pub(crate) fn messages(mut self) -> Result<String, Failure> {
        let Output { status, stderr, .. } = self.command.output().map_err(|reason| self.missing(reason))?;
        let messages = String::from_utf8_lossy(&stderr).into_owned();
        if status.success() {
            return Ok(messages);
        }
        eprint!("{messages}");
        Err(Failure::Failed(self.name()))
    }

    /// Runs what has to fail, saying `words` (on stderr) as it does.
    pub(crate) fn fails_with(mut self, words: &str) -> Result<(), Failure> {
        let Output { status, stderr, .. } = self.command.output().map_err(|reason| self.missing(reason))?;
        let messages = String::from_utf8_lossy(&stderr);
        if !status.success() && messages.contains(words) {
            return Ok(());
        }
        eprint!("{messages}");
        Err(Failure::Failed(format!("{}, which was to fail with \"{words}\",", self.name())))
    }

    fn missing(&self, reason: std::io::Error) -> Failure {
        Failure::Missing { program: self.name(), reason, remedy: self.remedy }
    }

    fn name(&self) -> String {
        let words = std::iter::once(self.command.get_program()).chain(self.command.get_args().take(2));
        words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
    }
}
