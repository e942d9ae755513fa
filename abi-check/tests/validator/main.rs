//! The validator: rule by rule, overlap against brute force, and hostile bytes.

mod arrays;
mod hostile;
mod overlap;
mod rules;
