//! Who tries tasks: the crate that does stands above the runtime, and is handed in.

use async_trait::async_trait;
use shidi_locales::Language;
use shidi_protocol::{CaseChange, CaseMeasure, UserError};
use std::path::PathBuf;

/// Suites that are tried as things are, and with a change.
#[derive(Debug, Clone)]
pub struct Measuring {
    /// The data folder whose configuration is measured.
    pub data: PathBuf,
    pub language: Language,
    pub change: CaseChange,
    /// Paths or names of suites, each with its attempts.
    pub suites: Vec<(PathBuf, u32)>,
}

/// A task that was tried: how many were, of how many, and its name.
pub type Tried<'a> = &'a (dyn Fn(u64, u64, &str) + Send + Sync);

#[async_trait]
pub trait Trials: std::fmt::Debug + Send + Sync {
    /// How each suite fared, in their order.
    async fn measured(&self, measuring: Measuring, tried: Tried<'_>) -> Result<Vec<CaseMeasure>, UserError>;
}
