//! placeholder
use shidi_executor_proto::{CheckRequest, Finding};
pub fn check(_: &CheckRequest) -> Vec<Finding> {
    Vec::new()
}
