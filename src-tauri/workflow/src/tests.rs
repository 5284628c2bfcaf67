//! Files are read or refused with line and remedy; runs keep their order, do nothing twice, and go on after a kill.

#![expect(
    clippy::disallowed_methods,
    reason = "tests read their fixtures; the crate reads nothing"
)]

mod engine;
mod generated;
mod importing;
mod kills;
mod mutations;
mod reading;
mod samples;
mod schema;
mod trying;
mod waiting;
mod world;

use crate::problem::Fault;
use crate::{Workflow, read};
use std::path::{Path, PathBuf};

fn workflow(text: &str) -> Result<Workflow, Vec<Fault>> {
    read(&"w.yaml".into(), text.as_bytes())
}

/// A workflow with this head and these steps.
fn of_steps(steps: &str) -> Workflow {
    let text = format!("version: '1.0'\nname: n\nsteps:\n{steps}");
    workflow(&text).unwrap_or_else(|faults| unreachable!("{}\n{text}", told(&faults)))
}

fn told(faults: &[Fault]) -> String {
    let told = faults.iter().map(|fault| {
        let error = fault.told(shidi_locales::Language::SOURCE);
        format!("{} ({})", error.message, error.hint.unwrap_or_default())
    });
    told.collect::<Vec<_>>().join("\n")
}

/// Files of the tests.
fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/workflows")
        .join(name)
}
