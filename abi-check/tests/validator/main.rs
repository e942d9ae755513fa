//! The validator: rule by rule, whole calls against an oracle, overlap against brute force, and hostile bytes.

mod agreement;
mod arrays;
mod drawn;
mod hostile;
mod oracle;
mod overlap;
mod rules;
