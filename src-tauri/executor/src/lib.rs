//! Runs a model's program in a confined child. The security boundary of the product.
//!
//! A [`Session`] owns one worker process, a small program that interprets Python. The worker can reach nothing: no
//! file, no network, no environment, no other process. A program asks for everything outside as a [`PendingCall`].
//! The caller decides, answers with [`Session::resume`], and may take as long as it likes. Clock, entropy and sleep
//! are calls too, of the toolkit `host`, so that recorded answers replay the run.
//!
//! Synchronous: one thread per session calls it and waits. The thread that spawns a worker must outlive it, because
//! on Linux a worker is killed when that *thread* ends.
//!
//! This crate decides nothing about permissions, keeps no record, and knows no toolkit.
//!
//! # What a program sees
//!
//! * `r = await files.read(path="a.md")` gives the data itself: `r["x"]`, `len(r)`, `for x in r`, `f"{r}"` work as on
//!   any list, dict or text. `r.data`, `r.ok` and `r.error` work too, on every value, and on an exception caught by
//!   `except … as r` or returned by `asyncio.gather(…, return_exceptions=True)`.
//! * A call that failed raises the exception named in its outcome. A name that Python does not have is raised as
//!   `RuntimeError`.
//! * A call is made when it is awaited. A call that is not awaited is made when the program next waits for something.
//!   If the program never waits, the call is not performed and the output says so. [`Session::check`] finds both.
//! * `await` works at the top level; the value of the last expression is the value of the program.

mod arguments;
mod error;
mod limits;
mod outcome;
mod printed;
mod process;
mod serving;
mod session;
mod stored;
mod translate;
mod value;

pub use error::ExecutorError;
pub use limits::Limits;
pub use outcome::{CallAnswer, Finding, Loss, Outcome, PendingCall, ProgramError, Progress, Variable};
pub use process::{Held, SpawnOptions, Stopped, Stopper, WallTrial, try_walls, worker_path};
pub use serving::{Calls, Next, Served, Waited, serve};
pub use session::{Program, Session};
pub use shidi_executor_proto::Confinement;
pub use shidi_protocol::HOST_TOOLKIT;
pub use stored::{plain, type_name};
