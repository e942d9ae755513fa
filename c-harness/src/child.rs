//! Runs a program as a child: with a time limit, and so that its crash is a sentence here.

use std::io::{self, BufRead, BufReader, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often a running child is looked at.
const PERIOD: Duration = Duration::from_millis(2);

/// How a child ended, and what it said.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Its standard output.
    pub(crate) lines: Vec<String>,
    /// Its standard error.
    pub(crate) errors: Vec<String>,
    /// How it ended; `None` if it was stopped at the time limit.
    status: Option<ExitStatus>,
    limit: Duration,
}

/// Runs a program to its end, or to the limit.
pub(crate) fn run(command: &mut Command, limit: Duration) -> io::Result<Ended> {
    let start = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    // Both are read while the child runs: one that waits for room in a pipe would never end.
    let lines = collect(child.stdout.take());
    let errors = collect(child.stderr.take());
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break Some(status);
        }
        if start.elapsed() > limit {
            child.kill()?;
            child.wait()?;
            break None;
        }
        thread::sleep(PERIOD);
    };
    let [lines, errors] = [lines, errors].map(|reader| reader.join().unwrap_or_default());
    Ok(Ended { lines, errors, status, limit })
}

/// The lines of a stream, whatever bytes are in them.
fn collect(stream: Option<impl Read + Send + 'static>) -> thread::JoinHandle<Vec<String>> {
    thread::spawn(move || {
        let Some(stream) = stream else { return Vec::new() };
        let lines = BufReader::new(stream).split(b'\n').map_while(Result::ok);
        lines.map(|line| String::from_utf8_lossy(&line).trim_end_matches('\r').to_owned()).collect()
    })
}

impl Ended {
    /// The exit code, if it came to that.
    pub(crate) fn code(&self) -> Option<i32> {
        self.status.and_then(|status| status.code())
    }

    /// Whether it ended with exit code 0.
    pub(crate) fn succeeded(&self) -> bool {
        self.code() == Some(0)
    }

    /// How it ended, and the last thing that was heard of it.
    pub(crate) fn describe(&self) -> String {
        let end = match self.status {
            Some(status) => status.to_string(),
            None => format!("stopped after {} s", self.limit.as_secs()),
        };
        let last = |lines: &[String]| lines.iter().rev().find(|line| !line.is_empty()).cloned();
        let said = last(&self.errors).or_else(|| last(&self.lines)).map(|line| line.replace('\t', "  "));
        match said {
            Some(line) => format!("{end}; its last line: {line}"),
            None => format!("{end}, without a line"),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Ended {
        run(Command::new("sh").args(["-c", script]), limit).unwrap()
    }

    #[test]
    fn a_child_that_crashes_is_described_by_signal_and_last_line() {
        let ended = shell("echo first; echo last; kill -SEGV $$", Duration::from_secs(10));
        assert_eq!(ended.lines, ["first", "last"]);
        let sentence = ended.describe();
        assert!(sentence.contains("SIGSEGV") && sentence.ends_with("its last line: last"), "{sentence}");
        assert_eq!((ended.code(), ended.succeeded()), (None, false));
    }

    #[test]
    fn a_child_that_does_not_end_is_stopped() {
        let ended = shell("echo here; exec sleep 60", Duration::from_millis(200));
        assert_eq!(ended.describe(), "stopped after 0 s; its last line: here");
        assert!(!ended.succeeded());
    }

    #[test]
    fn more_output_than_a_pipe_holds_is_read() {
        let ended = shell("i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done", Duration::from_secs(30));
        assert_eq!((ended.lines.len(), ended.code()), (20000, Some(0)));
    }
}
