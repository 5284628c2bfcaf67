//! Permission rules: the user's own about calls, remembered or named. Paths in them are put where calls to files are
//! judged: absolute, all links followed.
//!
//! A rule that restricts is followed wherever its links lead. A rule that allows is never followed. A link may have
//! been made by the very program that would gain by it. Such a rule is only put where the user's granted folders lie.

use crate::space::Space;
use shidi_agent::permissions::{Pattern, Rule, WithheldPaths};
use shidi_protocol::Verdict;
use shidi_store::StoreError;
use shidi_toolkits::{DeniedPaths, leads_to};
use std::path::{Path, PathBuf};

/// The decisions that hold in a task with these granted folders.
///
/// # Errors
/// The store can't be read.
pub fn rules(space: &Space, folders: &[PathBuf]) -> Result<Vec<Rule>, StoreError> {
    let stored = space.rules()?;
    let known = stored.iter().filter_map(|rule| {
        let pattern = Pattern::parse(&rule.pattern).ok()?;
        Some((pattern, rule.verdict))
    });
    let rules = known.flat_map(|(pattern, verdict)| {
        let patterns = match verdict {
            Verdict::Allow => vec![remembered(&pattern, folders)],
            Verdict::Ask | Verdict::Deny => restricting(pattern, folders),
        };
        patterns.into_iter().map(move |pattern| Rule { pattern, verdict })
    });
    Ok(rules.collect())
}

/// A family named with a task: a relative path begins at the first granted folder.
#[must_use]
pub fn beforehand(pattern: Pattern, folders: &[PathBuf]) -> Pattern {
    let first = folders.first().and_then(|folder| folder.canonicalize().ok());
    let placed = pattern.placed(|written| {
        let is_relative = Path::new(written).is_relative() && !written.starts_with('~');
        match &first {
            Some(first) if is_relative => shown(&first.join(written)),
            Some(_) | None => at_home(written, folders),
        }
    });
    placed.unwrap_or(pattern)
}

/// Folders that a walk leaves out.
#[must_use]
pub fn left_out(paths: WithheldPaths) -> DeniedPaths {
    if paths.is_empty() {
        return DeniedPaths::default();
    }
    DeniedPaths::by(move |path| paths.covers(path))
}

fn remembered(pattern: &Pattern, folders: &[PathBuf]) -> Pattern {
    let placed = pattern.placed(|written| at_home(written, folders));
    placed.unwrap_or_else(|| pattern.clone())
}

/// As written, and where that leads from each folder in which a call may begin.
fn restricting(pattern: Pattern, folders: &[PathBuf]) -> Vec<Pattern> {
    let root = PathBuf::from("/");
    let starts = if folders.is_empty() {
        std::slice::from_ref(&root)
    } else {
        folders
    };
    let placed = starts
        .iter()
        .filter_map(|folder| pattern.placed(|written| shown(&leads_to(written, folder)?)));
    let mut patterns: Vec<Pattern> = placed.collect();
    patterns.insert(0, pattern);
    patterns.dedup();
    patterns
}

/// Puts a path below the user's home or a granted folder to where that one lies in truth.
fn at_home(written: &str, folders: &[PathBuf]) -> Option<String> {
    let home = std::env::home_dir();
    let path = match (written.strip_prefix('~'), &home) {
        (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
            home.canonicalize().ok()?.join(rest.trim_start_matches('/'))
        }
        _ => PathBuf::from(written),
    };
    let granted = folders.iter().find_map(|folder| {
        let below = path.strip_prefix(folder).ok()?;
        Some(folder.canonicalize().ok()?.join(below))
    });
    shown(&granted.unwrap_or(path))
}

/// Without a slash at the end, which no place has.
fn shown(path: &Path) -> Option<String> {
    Some(path.components().collect::<PathBuf>().to_str()?.to_owned())
}

#[cfg(test)]
mod tests;
