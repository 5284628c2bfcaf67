//! The five areas (F3), one file each, all of one shape: `(situation, input) -> effects`.

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
pub mod resting;
pub mod todo;
