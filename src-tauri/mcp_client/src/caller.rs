//! The tasks of a tool's caller for its server while the call is at work. The caller names folders and hears of
//! progress.
//!
//! A server asks for these things in the middle of a call. They belong to the task behind that call and to no other one.

use crate::elicitation::{Elicitation, Elicited};
use crate::sampling::{Sampled, Sampling};
use async_trait::async_trait;
use std::path::PathBuf;

/// How far a call is, in the server's words: cleaned and bounded.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Progress {
    pub text: String,
    /// What is done, in the server's own unit; never negative.
    pub done: f64,
    /// All that is to be done, where the server knows it.
    pub total: Option<f64>,
}

/// A picture or other file of a result on its way to whoever keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultFile {
    /// A plain name, whose ending is ours.
    pub name: String,
    pub bytes: Vec<u8>,
}

/// The task behind a call.
#[async_trait]
pub trait Caller: Send + Sync {
    /// The task's name, by which calls of one task are known.
    fn task(&self) -> &str {
        ""
    }

    /// Whether nothing of the task is kept anywhere.
    fn leaves_nothing(&self) -> bool {
        false
    }

    /// Folders that the task may work in now, absolute.
    fn folders(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    /// Takes how far the call is.
    fn progress(&self, _progress: &Progress) {}

    /// Whether a person is there who answers while the call is at work.
    fn is_attended(&self) -> bool {
        false
    }

    /// Asks the person what the server wants to know. The question is dropped where the server waits no longer.
    async fn elicit(&self, _asked: &Elicitation) -> Elicited {
        Elicited::Declined
    }

    /// Has a model answer the server, where the person allows it.
    ///
    /// # Errors
    /// Why no model answers, in words for the server.
    async fn sample(&self, _asked: &Sampling) -> Result<Sampled, String> {
        Err("Nobody is there to allow it".to_owned())
    }

    /// Keeps a file of the result with the task; `None` where it can't be kept.
    async fn keep(&self, _file: ResultFile) -> Option<PathBuf> {
        None
    }
}

/// A caller that does nothing for a server.
#[derive(Debug)]
pub struct Nobody;

impl Caller for Nobody {}
