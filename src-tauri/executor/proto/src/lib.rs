//! What supervisor and worker say to each other: messages, their frames, and the link that carries them.
//!
//! A crate of its own without a build script, because the worker is built by the executor's build script and
//! needs the same words. It interprets nothing, and it trusts nothing that a worker sends: every length is
//! bounded before memory is taken for it, and values are read without recursion deeper than [`MAX_DEPTH`].

mod closest;
mod frame;
mod link;
mod message;
mod packed;

pub use closest::closest;
pub use frame::{FrameError, MAX_FRAME_BYTES};
pub use link::{Link, LinkError};
pub use message::{
    Answer, Call, CheckRequest, Confinement, Ended, Failure, Finding, FromWorker, Given, MethodShape,
    PROTOCOL_VERSION, ParameterShape, Ready, Run, RunLimits, Shown, ToWorker, ToolkitShape, Variable,
};
pub use packed::{Item, MAX_DEPTH, MAX_ITEMS, Malformed, Packed, Packer, Reader};
