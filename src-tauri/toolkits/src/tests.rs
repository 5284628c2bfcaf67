//! The results of `files` and `system`, through the same function that the runtime calls.

use super::*;
use serde_json::{Value, json};
use shidi_protocol::{CallId, Class, ExecId, Moment};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

mod archiving;
mod code;
mod commanding;
mod declaring;
mod moving;
mod placing;
mod producing;
mod properties;
mod reaching;
mod reading;
mod searching;
mod writing;

/// A granted folder and one beside it that is not granted.
struct Desk {
    _root: TempDir,
    granted: PathBuf,
    beside: PathBuf,
}

impl Desk {
    fn new() -> Self {
        let root = TempDir::new().unwrap();
        let top = root.path().canonicalize().unwrap();
        let (granted, beside) = (top.join("granted"), top.join("beside"));
        fs::create_dir_all(&granted).unwrap();
        fs::create_dir_all(&beside).unwrap();
        Self {
            _root: root,
            granted,
            beside,
        }
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.granted.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    fn environment(&self) -> Environment {
        Environment {
            folders: vec![self.granted.clone()],
            attached: Vec::new(),
            library: None,
            change: None,
            trash: Some(self.beside.join("Trash")),
            own: None,
            now: Moment(1_773_459_045_000),
            timezone: jiff::tz::TimeZone::get("Asia/Shanghai").unwrap(),
            permitted: Class::Read,
            withheld: DeniedPaths::default(),
            unnamed: Some(DeniedPaths::default()),
            cancellation: Cancellation::default(),
        }
    }

    fn perform(&self, tool: &str, args: Value) -> CallOutcome {
        perform(&call(tool, args), &self.environment()).unwrap()
    }

    fn read(&self, path: &str) -> CallOutcome {
        self.perform("files.read", json!({"path": path}))
    }
}

fn call(tool: &str, args: Value) -> Call {
    let (toolkit, method) = tool.split_once('.').unwrap();
    Call {
        id: CallId(1),
        exec: ExecId(1),
        toolkit: toolkit.to_owned(),
        method: method.to_owned(),
        args: args.as_object().unwrap().clone(),
        line: 1,
        places: std::collections::BTreeMap::new(),
    }
}

fn error_of(outcome: &CallOutcome) -> (&str, &str) {
    let error = outcome.error.as_ref().expect("the call should have failed");
    (&error.kind, &error.message)
}

fn paths(outcome: &CallOutcome) -> Vec<&str> {
    let items = outcome.data.as_array().expect("a list");
    items
        .iter()
        .map(|item| item.as_str().or_else(|| item["path"].as_str()).unwrap())
        .collect()
}
