//! The language of supervisor and worker: messages, their frames, and the link that carries them.
//!
//! A crate of its own without a build script: the executor's build script builds the worker, which needs the
//! same messages. Nothing here is interpreted, and nothing from a worker is trusted. Every length is bounded
//! before memory is taken for it, and values are read without recursion deeper than [`MAX_DEPTH`].

mod closest;
mod frame;
mod link;
mod message;
mod packed;

pub use closest::closest;
pub use frame::{FrameError, MAX_FRAME_BYTES};
pub use link::{Link, LinkError};
pub use message::{
    Call, CallAnswer, CheckRequest, Confinement, Ended, Failure, Finding, FromWorker, Given, MethodShape,
    PROTOCOL_VERSION, ParameterShape, Ready, Run, RunLimits, Shown, ToWorker, ToolkitShape, Variable,
};
pub use packed::{Item, MAX_DEPTH, MAX_ITEMS, Malformed, Packed, Packer, Reader};
