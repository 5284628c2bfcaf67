//! `code`: folders of source code. The feature of the index answers. This file declares the tools. The file finds and
//! opens the files that a call may read, by the same rules as `files`.

mod ignored;

use crate::arguments::Arguments;
use crate::declare::{method, on_path, optional, required, toolkit};
use crate::denied_paths::DeniedPaths;
use crate::environment::Environment;
use crate::error::ToolError;
use crate::limits::WALK_DEPTH_MAX;
use crate::regular_file::open_regular;
use crate::safe_path::ResolvedPath;
use crate::text::TextFile;
use crate::tree::joined;
use crate::walk::{Walked, is_passed_by, walk_some};
use ignored::Ignored;
use shidi_protocol::{Call, CallOutcome, Class, MethodSpec, ParameterKind, ToolkitSpec};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The name of the toolkit.
pub const NAME: &str = "code";
/// The methods.
pub const FIND: &str = "find";
pub const CALLERS: &str = "callers";
pub const OUTLINE: &str = "outline";
pub const DIGEST: &str = "digest";
/// The arguments.
pub const NAME_OF: &str = "name";
pub const PATH: &str = "path";
pub const LIMIT: &str = "limit";
/// Definitions that are found where the program names no number, and at most.
const FOUND_DEFAULT: u64 = 10;
const FOUND_MAX: u64 = 60;
/// Folders that are looked into for code, and entries of each that are looked at: a few milliseconds.
const LOOKED_INTO_MAX: usize = 60;
const LOOKED_AT_MAX: usize = 300;

pub(crate) fn declaration() -> ToolkitSpec {
    let path = || optional(PATH, ParameterKind::Text, ".", "a folder or file");
    let name = |doc: &str| required(NAME_OF, ParameterKind::Text, doc);
    let limit = optional(
        LIMIT,
        ParameterKind::Integer,
        FOUND_DEFAULT,
        "number of definitions",
    );
    let read = |name: &str, parameters, doc: &str| on_path(method(name, Class::Read, parameters, "str", doc));
    let methods = vec![
        read(
            FIND,
            vec![name("a name, part of one, Type.method, or words"), path(), limit],
            "Finds where something is defined. .data is lines of 'file:line definition'.",
        ),
        read(
            CALLERS,
            vec![name("a name or Type.method"), path()],
            "Finds where a name is defined and what calls it. .data is the definitions, and callers with lines by file.",
        ),
        read(
            OUTLINE,
            vec![required(
                PATH,
                ParameterKind::Text,
                "a file; of a folder: its digest",
            )],
            "Lists what a file defines. .data is lines of 'first-last definition'.",
        ),
        read(
            DIGEST,
            vec![path()],
            "Tells how a repository is laid out. .data is its languages, folders and main names.",
        ),
    ];
    toolkit(
        NAME,
        "Source code in the granted folders, by an index: shorter answers than files.grep. Each .data is one str.",
        methods,
    )
}

/// A call that was checked: what it asks, and what it looks at.
pub struct CodeQuery {
    pub method: String,
    /// The name that is looked for; empty where none is.
    pub name: String,
    /// Definitions at most.
    pub limit: usize,
    pub scope: Scope,
}

/// The folder whose files are read together, and the part of it that a call asks about.
#[derive(Debug, Clone)]
pub struct Scope {
    /// The granted folder around the place, or the place itself; with all links followed.
    pub root: PathBuf,
    /// The place below that folder; empty for the whole of it.
    pub within: PathBuf,
    /// Whether the place is one file.
    pub is_file: bool,
    /// Whether programs name the files of the folder by themselves, without the folder.
    pub is_first: bool,
    environment: Environment,
}

/// One file that may be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceFile {
    /// Its path below the folder.
    pub relative: PathBuf,
    pub bytes: u64,
    /// When it was written last, in nanoseconds since 1970.
    pub modified: u64,
}

/// The files of a scope.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceFiles {
    pub files: Vec<SourceFile>,
    /// Whether there are more than are looked at.
    pub cut: bool,
}

/// Checks a call and finds its place.
///
/// # Errors
/// The program's error for wrong arguments, and for a place that is not there or may not be read.
pub fn asked(call: &Call, environment: Environment) -> Result<CodeQuery, Box<CallOutcome>> {
    checked(call, environment).map_err(|error| Box::new(error.outcome()))
}

fn checked(call: &Call, environment: Environment) -> Result<CodeQuery, ToolError> {
    let method: &MethodSpec = crate::declared_method(call).ok_or_else(|| ToolError::Missing(call.tool()))?;
    let arguments = Arguments::of(call, method)?;
    let place = ResolvedPath::resolve(arguments.text(PATH), &environment)?;
    place.check_decided(call.places.get(PATH))?;
    let facts = place.metadata(&environment)?;
    let limit = match arguments.has(LIMIT) {
        true => arguments.count(LIMIT, 1..=FOUND_MAX)?,
        false => FOUND_DEFAULT,
    };
    Ok(CodeQuery {
        method: call.method.clone(),
        name: arguments.text(NAME_OF).trim().to_owned(),
        limit: usize::try_from(limit).unwrap_or(usize::MAX),
        scope: Scope::of(&place, facts.is_file(), environment),
    })
}

impl Scope {
    fn of(place: &ResolvedPath, is_file: bool, environment: Environment) -> Self {
        let granted: Vec<PathBuf> = environment
            .folders
            .iter()
            .chain(&environment.attached)
            .filter_map(|folder| folder.canonicalize().ok())
            .filter(|folder| folder.is_dir())
            .collect();
        let around = granted
            .iter()
            .find(|folder| place.leads_to.starts_with(folder))
            .cloned();
        let beside = || match is_file {
            true => place.leads_to.parent().map(Path::to_path_buf),
            false => None,
        };
        let root = around.or_else(beside).unwrap_or_else(|| place.leads_to.clone());
        let within = place
            .leads_to
            .strip_prefix(&root)
            .map(Path::to_path_buf)
            .unwrap_or_default();
        let first = environment
            .folders
            .first()
            .and_then(|folder| folder.canonicalize().ok());
        Self {
            is_first: first.is_some_and(|first| first == root),
            root,
            within,
            is_file,
            environment,
        }
    }

    /// The files of the folder that `is_wanted` names, at most `most`, without those that are kept back, ignored or generated.
    /// A place outside the granted folders is looked at alone.
    ///
    /// # Errors
    /// The folder can't be listed.
    pub fn files(
        &self,
        most: usize,
        is_wanted: &dyn Fn(&Path) -> bool,
    ) -> Result<SourceFiles, Box<CallOutcome>> {
        let mut found = SourceFiles::default();
        if self.is_file {
            if self
                .environment
                .withheld
                .covers(&joined(&self.root, &self.within))
            {
                let kept_back = ToolError::Forbidden(self.within.display().to_string());
                return Err(Box::new(kept_back.outcome()));
            }
            let file = self.facts(&self.within).filter(|_| is_wanted(&self.within));
            found.files.extend(file);
            return Ok(found);
        }
        let mut ignored = Ignored::of(&self.root);
        let walked = walk_some(
            &self.root,
            WALK_DEPTH_MAX,
            &self.environment.withheld,
            &mut |entry| !ignored.skips(entry.relative.as_path(), entry.kind.is_dir()),
            &mut |entry| {
                if !entry.kind.is_file() || !is_wanted(&entry.relative) {
                    return ControlFlow::Continue(());
                }
                if found.files.len() == most {
                    return ControlFlow::Break(());
                }
                found.files.extend(self.facts(&entry.relative));
                ControlFlow::Continue(())
            },
        );
        let walked = walked.map_err(|error| Box::new(ToolError::io(&self.root, error).outcome()))?;
        found.cut = walked != Walked::All;
        Ok(found)
    }

    fn facts(&self, relative: &Path) -> Option<SourceFile> {
        let facts = self.root.join(relative).symlink_metadata().ok()?;
        let since = facts.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        facts.is_file().then(|| SourceFile {
            relative: relative.to_owned(),
            bytes: facts.len(),
            modified: u64::try_from(since.as_nanos()).unwrap_or(u64::MAX),
        })
    }

    /// The text of a file of the folder, up to `bytes_max`. `None` of a file that is no text or can't be read.
    #[must_use]
    pub fn text(&self, relative: &Path, bytes_max: u64) -> Option<String> {
        let path = self.root.join(relative);
        let file = open_regular(&path, relative).ok()?;
        if file.metadata().ok()?.len() > bytes_max {
            return None;
        }
        let mut text = TextFile::of(file, relative).ok()?;
        let mut whole = String::new();
        while let Some(piece) = text.next_piece().ok()? {
            whole.push_str(&piece);
            // The file may have grown since.
            if whole.len() as u64 > bytes_max * 2 {
                return None;
            }
        }
        Some(whole)
    }
}

/// Whether one of the folders holds a file that `is_code` names. Only the entries of some folders are looked at, the
/// upper ones first.
#[must_use]
pub fn holds(folders: &[PathBuf], depth: usize, is_code: &dyn Fn(&Path) -> bool) -> bool {
    let mut granted = folders.iter().filter_map(|folder| folder.canonicalize().ok());
    granted.any(|folder| holds_one(&folder, depth, is_code))
}

fn holds_one(root: &Path, depth: usize, is_code: &dyn Fn(&Path) -> bool) -> bool {
    let (mut ignored, mut looked_into) = (Ignored::of(root), 0);
    let mut level = vec![PathBuf::new()];
    for _ in 0..depth {
        let mut below = Vec::new();
        for folder in std::mem::take(&mut level) {
            looked_into += 1;
            if looked_into > LOOKED_INTO_MAX {
                return false;
            }
            if look(root, &folder, (&mut ignored, &mut below), is_code) {
                return true;
            }
        }
        level = below;
    }
    false
}

/// Looks at the entries of one folder, and notes the folders among them.
fn look(
    root: &Path,
    folder: &Path,
    (ignored, below): (&mut Ignored, &mut Vec<PathBuf>),
    is_code: &dyn Fn(&Path) -> bool,
) -> bool {
    let (mut looked_at, mut found) = (0, false);
    let nothing = DeniedPaths::default();
    let walked = walk_some(
        &joined(root, folder),
        1,
        &nothing,
        &mut |entry| !ignored.skips(&folder.join(&entry.relative), entry.kind.is_dir()),
        &mut |entry| {
            looked_at += 1;
            found = entry.kind.is_file() && is_code(&entry.relative);
            if entry.kind.is_dir() && !is_passed_by(&entry.relative) {
                below.push(folder.join(&entry.relative));
            }
            match found || looked_at >= LOOKED_AT_MAX {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        },
    );
    walked.is_ok() && found
}
