//! The five areas (F3) of one shape, `(situation, input) -> effects`, and what several of them do, a file each.
//!
//! `perception`, `cognition`, `motor`, `expression` and `evaluation` are the areas; they call each other and the others
//! here. Only `mind.rs` is called from outside.

pub mod approvals;
pub mod bounds;
pub mod calls;
pub mod cognition;
pub mod condensing;
pub mod enquiry;
pub mod evaluation;
pub mod expression;
pub mod motor;
pub mod news;
pub mod own_calls;
pub mod perception;
pub mod repetition;
pub mod resting;
pub mod stopping;
pub mod todo;
