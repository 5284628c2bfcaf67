//! `files.glob`: files by name, and folders where they are asked for.

use super::{CUT, counted};
use crate::arguments::Arguments;
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::{GLOB_PATHS_MAX, PATTERN_CHARS_MAX, WALK_DEPTH_MAX};
use crate::safe_path::ResolvedPath;
use crate::walk::{Walked, walk};
use globset::{GlobBuilder, GlobMatcher};
use shidi_protocol::CallOutcome;
use std::ops::ControlFlow;
use std::path::{Component, Path};

pub(super) fn glob(
    arguments: &Arguments<'_>,
    place: &ResolvedPath,
    environment: &Environment,
) -> Result<CallOutcome, ToolError> {
    let matcher = matcher(arguments.text("pattern"))?;
    if !place.metadata(environment)?.is_dir() {
        return Err(ToolError::NotFolder(place.shown.display().to_string()));
    }
    let with_folders = arguments.flag("folders");
    let mut paths: Vec<String> = Vec::new();
    let walked = walk(&place.leads_to, WALK_DEPTH_MAX, &environment.withheld, |entry| {
        if (entry.kind.is_dir() && !with_folders) || !matcher.is_match(&entry.relative) {
            return ControlFlow::Continue(());
        }
        if paths.len() == GLOB_PATHS_MAX {
            return ControlFlow::Break(());
        }
        paths.push(place.name_of(&entry.relative));
        ControlFlow::Continue(())
    });
    let walked = walked.map_err(|error| ToolError::io(&place.shown, error))?;
    let summary = match with_folders {
        true => counted(paths.len(), "entry", "entries"),
        false => counted(paths.len(), "file", "files"),
    };
    match walked {
        Walked::All => return Ok(CallOutcome::success(paths.into(), summary)),
        Walked::Stopped => paths.push(format!(
            "{CUT}more than {GLOB_PATHS_MAX} files match; narrow the pattern]"
        )),
        Walked::TooMany => paths.push(format!(
            "{CUT}the folder is too large to be searched whole; name one below it]"
        )),
    }
    Ok(CallOutcome::success(paths.into(), format!("{summary}, cut")))
}

/// Compiles a glob in which `*` stays within one name and `**` crosses folders.
fn matcher(pattern: &str) -> Result<GlobMatcher, ToolError> {
    let refused = |why: &str| ToolError::Pattern(pattern.chars().take(60).collect(), why.to_owned());
    if pattern.is_empty() {
        return Err(refused("it is empty"));
    }
    if pattern.chars().count() > PATTERN_CHARS_MAX {
        return Err(refused("it is longer than 1000 characters"));
    }
    let leaves = |part: Component<'_>| !matches!(part, Component::Normal(_) | Component::CurDir);
    if Path::new(pattern).components().any(leaves) {
        return Err(refused("it leaves the folder; name the folder as path"));
    }
    let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
    let glob = GlobBuilder::new(pattern).literal_separator(true).build();
    glob.map(|glob| glob.compile_matcher())
        .map_err(|error| refused(&error.kind().to_string()))
}
