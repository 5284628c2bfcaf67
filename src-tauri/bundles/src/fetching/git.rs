//! Fetches the content of a Git address: the newest commit alone, over https alone. The commit comes as a tar that is
//! unpacked like any other. Nothing is checked out, so no hook, filter, submodule or link of the repository does
//! anything.

use super::{Refused, archive};
use crate::limits::{GIT_ERROR_CHARACTERS, GIT_FILE_BYTES_MAX, GIT_TIMEOUT};
use shidi_models::Proxy;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::process::Command;

/// Settings for this one call: whatever else the user's git would do is off.
const SETTINGS: [&str; 9] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.attributesFile=/dev/null",
    "submodule.recurse=false",
    "credential.helper=",
    "protocol.allow=never",
    "protocol.https.allow=always",
    "http.followRedirects=initial",
    "gc.auto=0",
];
/// Where the environment names a proxy.
const PROXY_VARIABLES: [&str; 6] = [
    "HTTPS_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "all_proxy",
    "NO_PROXY",
    "no_proxy",
];
/// Where the environment names authorities in place of the system's, as companies do. Git's own name comes first, then
/// that of other programs. Nothing passes that switches the check of certificates off.
const AUTHORITIES: [(&str, &str); 2] = [
    ("GIT_SSL_CAINFO", "SSL_CERT_FILE"),
    ("GIT_SSL_CAPATH", "SSL_CERT_DIR"),
];
/// The transports that are left.
const TRANSPORTS: &str = "https";

/// Fetches an address into the folder.
///
/// # Errors
/// See [`Refused`].
pub(super) async fn fetched(address: &str, folder: &Path, proxy: &Proxy) -> Result<(), Refused> {
    by(TRANSPORTS, address, folder, proxy).await
}

/// The same by other transports, for tests without a server.
pub(super) async fn by(transports: &str, address: &str, folder: &Path, proxy: &Proxy) -> Result<(), Refused> {
    let repository = tempfile::tempdir_in(folder.parent().unwrap_or(folder))?;
    let mut clone = command(transports, repository.path());
    reach_through(&mut clone, proxy);
    clone
        .args([
            "clone",
            "--quiet",
            "--bare",
            "--depth=1",
            "--single-branch",
            "--no-tags",
        ])
        .args(["--no-recurse-submodules", "--template=", "--", address])
        .arg(repository.path().join("bare"));
    done(clone).await?;
    let packed = repository.path().join("tree.tar");
    let mut pack = command(transports, repository.path());
    pack.arg("--git-dir")
        .arg(repository.path().join("bare"))
        .args(["archive", "--format=tar", "--output"])
        .arg(&packed)
        .arg("HEAD");
    done(pack).await?;
    let file = std::fs::File::open(packed)?;
    archive::tar(file, folder, &archive::OF_BUNDLES)
}

fn command(transports: &str, home: &Path) -> Command {
    let mut command = Command::new("git");
    let settings = SETTINGS.iter().flat_map(|setting| ["-c", setting]);
    command
        .args(settings)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env("HOME", home)
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_ATTR_NOSYSTEM", "1")
        .env("GIT_ALLOW_PROTOCOL", transports)
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_ASKPASS", "")
        .env("GIT_LFS_SKIP_SMUDGE", "1")
        .env("LC_ALL", "C")
        .envs(authorities(|name| std::env::var_os(name).map(PathBuf::from)))
        .current_dir(home)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .kill_on_drop(true);
    command
}

/// The authorities that the environment names. Git works in a folder of its own, so their places are written in full.
fn authorities(named: impl Fn(&str) -> Option<PathBuf>) -> Vec<(&'static str, PathBuf)> {
    // An empty one has no place.
    let place = |name: &str| std::path::absolute(named(name)?).ok();
    let known = AUTHORITIES
        .iter()
        .filter_map(|(own, other)| Some((*own, place(own).or_else(|| place(other))?)));
    known.collect()
}

/// The way out that is set: it stands before git's command, as every setting does.
fn reach_through(command: &mut Command, proxy: &Proxy) {
    match proxy {
        Proxy::System => {
            let known = PROXY_VARIABLES
                .iter()
                .filter_map(|name| Some((name, std::env::var_os(name)?)));
            command.envs(known);
        }
        Proxy::Direct => {
            command.args(["-c", "http.proxy="]);
        }
        Proxy::At(address) => {
            command.args(["-c", &format!("http.proxy={address}")]);
        }
    }
}

async fn done(mut command: Command) -> Result<(), Refused> {
    let child = command.spawn().map_err(|cause| match cause.kind() {
        io::ErrorKind::NotFound => Refused::NoGit,
        _ => Refused::from(cause),
    })?;
    bound_files(&child);
    let ended = tokio::time::timeout(GIT_TIMEOUT, child.wait_with_output());
    let ended = ended.await.map_err(|_| Refused::GitTooSlow)??;
    if ended.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&ended.stderr);
    let last = said
        .lines()
        .rfind(|line| !line.trim().is_empty())
        .unwrap_or("git");
    Err(Refused::Git {
        why: last.chars().take(GIT_ERROR_CHARACTERS).collect(),
    })
}

/// No file of the child, or of its own children, grows beyond the bound. A repository is not trusted to be small.
#[cfg(target_os = "linux")]
fn bound_files(child: &tokio::process::Child) {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let pid = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
    let limit = Rlimit {
        current: Some(GIT_FILE_BYTES_MAX),
        maximum: Some(GIT_FILE_BYTES_MAX),
    };
    if let Err(cause) = prlimit(pid, Resource::Fsize, limit) {
        tracing::warn!(%cause, "what git fetches is not bounded");
    }
}

#[cfg(not(target_os = "linux"))]
fn bound_files(_child: &tokio::process::Child) {
    tracing::debug!(bytes = GIT_FILE_BYTES_MAX, "git is bounded in time alone");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorities_of_the_environment_pass_and_no_switch_does() {
        let all = |name: &str| Some(PathBuf::from(format!("/etc/{name}")));
        assert_eq!(
            authorities(all),
            [
                ("GIT_SSL_CAINFO", PathBuf::from("/etc/GIT_SSL_CAINFO")),
                ("GIT_SSL_CAPATH", PathBuf::from("/etc/GIT_SSL_CAPATH")),
            ]
        );
        let others = |name: &str| match name {
            "SSL_CERT_FILE" => Some(PathBuf::from("company.pem")),
            "GIT_SSL_CAINFO" => Some(PathBuf::new()),
            _ => None,
        };
        let here = std::path::absolute("company.pem").expect("a path");
        assert_eq!(authorities(others), [("GIT_SSL_CAINFO", here)]);
        assert!(authorities(|_| None).is_empty());
    }
}
