//! A workflow's file as it is named on the command line; `-` is stdin.

use crate::failure::Failure;
use shidi_locales::Language;
use shidi_workflow::{FILE_BYTES_MAX, Fault, Workflow, read};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

pub struct WorkflowFile {
    /// How faults name it.
    pub shown_as: String,
    pub bytes: Vec<u8>,
    /// What stands in the file of the same name that ends in `.py`.
    pub functions: Option<String>,
}

impl WorkflowFile {
    pub fn open(path: &Path, language: Language) -> Result<Self, Failure> {
        let bytes = match path == Path::new("-") {
            true => bounded(io::stdin().lock()),
            false => File::open(path).and_then(bounded),
        };
        let say = language.workflow();
        let bytes = bytes
            .map_err(|cause| Failure::input(say.file_unread(cause, path.display()), say.check_path()))?;
        Ok(Self {
            shown_as: path.display().to_string(),
            bytes,
            functions: functions_beside(path),
        })
    }

    /// One that the runtime keeps.
    pub fn kept(name: &str, text: &str) -> Self {
        Self {
            shown_as: name.to_owned(),
            bytes: text.as_bytes().to_vec(),
            functions: None,
        }
    }

    pub fn read(&self) -> Result<Workflow, Vec<Fault>> {
        read(&self.shown_as.as_str().into(), &self.bytes)
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }
}

fn functions_beside(path: &Path) -> Option<String> {
    let bytes = File::open(path.with_extension("py")).and_then(bounded).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// One byte more than may be read, so that the reader sees that it is too much.
fn bounded(source: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(FILE_BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
