//! The program that builds the sandbox: one that no command can have put there.

use crate::identity;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The program's name, also after links are followed. A link of this name could point to any program of the system.
const NAME: &str = "bwrap";

/// Folders in which systems keep the program.
const OF_SYSTEM: [&str; 3] = ["/usr/bin", "/bin", "/run/current-system/sw/bin"];

/// The folder whose programs may belong to the user. A whole Nix store belongs to a sole user, and no command
/// writes there.
const OF_USERS: &str = "/nix/store";

/// The bits of a mode by which group and others may write.
const WRITTEN_BY_OTHERS: u32 = 0o022;

/// bubblewrap in a system's folder, else on `PATH`. The system's folders come first: a command of another
/// session may have put a program on `PATH`.
pub(super) fn found(path: &OsStr, folders: &[PathBuf]) -> Option<PathBuf> {
    let of_system = OF_SYSTEM.map(PathBuf::from);
    let places = of_system.into_iter().chain(std::env::split_paths(path));
    first_of(places, folders, is_trusted)
}

/// The first trusted program in `places` that lies in no granted folder.
fn first_of(
    places: impl IntoIterator<Item = PathBuf>,
    folders: &[PathBuf],
    is_trusted: impl Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let granted: Vec<PathBuf> = folders
        .iter()
        .filter_map(|folder| folder.canonicalize().ok())
        .collect();
    let is_granted = |program: &Path| granted.iter().any(|folder| identity::is_within(program, folder));
    places
        .into_iter()
        .filter(|place| place.is_absolute())
        .filter_map(|place| place.join(NAME).canonicalize().ok())
        .filter(|program| program.file_name().is_some_and(|name| name == NAME))
        .find(|program| program.is_file() && !is_granted(program) && is_trusted(program))
}

/// Whether only the system's owner writes to a program. A program of the user's own is not trusted: any command
/// with access to its folder may have written it.
#[cfg(unix)]
fn is_trusted(program: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    program
        .metadata()
        .is_ok_and(|facts| is_out_of_reach(program, facts.uid(), facts.mode()))
}

#[cfg(not(unix))]
fn is_trusted(_program: &Path) -> bool {
    true
}

#[cfg(unix)]
fn is_out_of_reach(program: &Path, owner: u32, mode: u32) -> bool {
    let is_owned = owner == 0 || program.starts_with(OF_USERS);
    is_owned && mode & WRITTEN_BY_OTHERS == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_builds_the_walls_is_never_taken_from_a_granted_folder() {
        let root = tempfile::tempdir().unwrap();
        let [granted, other] =
            ["granted", "other"].map(|name| root.path().canonicalize().unwrap().join(name));
        for folder in [&granted, &other] {
            std::fs::create_dir(folder).unwrap();
            std::fs::write(folder.join(NAME), "#!/bin/sh\n").unwrap();
        }
        let path = std::env::join_paths([Path::new("."), &granted, &other]).unwrap();
        let on_path = |folders: &[PathBuf]| first_of(std::env::split_paths(&path), folders, |_| true);
        assert_eq!(on_path(&[]), Some(granted.join(NAME)));
        if Path::new("/usr/bin/bwrap").is_file() {
            let taken = found(&path, &[]).unwrap();
            assert!(
                taken.starts_with("/usr/bin") || taken.starts_with("/bin"),
                "{taken:?}"
            );
        } else {
            println!("NOT RUN: the system's bubblewrap before one on PATH; there is none");
        }
        assert_eq!(on_path(std::slice::from_ref(&granted)), Some(other.join(NAME)));
    }

    #[test]
    #[cfg(unix)]
    fn what_builds_the_walls_is_the_systems_own_and_nobody_else_writes_to_it() {
        let cases = [
            ("/usr/bin/bwrap", 0, 0o755, true),
            ("/usr/bin/bwrap", 0, 0o4755, true),
            ("/opt/tools/bwrap", 0, 0o555, true),
            ("/nix/store/hash-bubblewrap/bin/bwrap", 1000, 0o555, true),
            ("/nix/store/hash-bubblewrap/bin/bwrap", 1000, 0o575, false),
            ("/usr/bin/bwrap", 0, 0o775, false),
            ("/usr/bin/bwrap", 0, 0o757, false),
            ("/usr/bin/bwrap", 1000, 0o755, false),
            ("/home/me/.local/bin/bwrap", 1000, 0o755, false),
        ];
        for (program, owner, mode, is_taken) in cases {
            assert_eq!(
                is_out_of_reach(Path::new(program), owner, mode),
                is_taken,
                "{program} {owner} {mode:o}"
            );
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_link_to_another_program_is_no_builder() {
        use std::os::unix::fs::PermissionsExt;
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().canonicalize().unwrap();
        std::os::unix::fs::symlink("/bin/true", folder.join(NAME)).unwrap();
        assert_eq!(first_of([folder.clone()], &[], is_trusted), None);
        std::fs::remove_file(folder.join(NAME)).unwrap();
        std::fs::write(folder.join(NAME), "#!/bin/sh\n").unwrap();
        let open = std::fs::Permissions::from_mode(0o777);
        std::fs::set_permissions(folder.join(NAME), open).unwrap();
        assert_eq!(first_of([folder], &[], is_trusted), None);
    }
}
