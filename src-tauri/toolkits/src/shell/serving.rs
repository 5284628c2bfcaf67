//! A confined server: a program of the user's own that answers at a socket. The server reads only the files that it is
//! given.
//!
//! The server sees the system's programs, its own folder and those files, all read-only, and one folder for its socket.
//! The server has no home and no data of the user's. Unless it can listen at a port alone, it has no network. The
//! server ends with the thread that started it: whoever starts it stays with it. Beyond Linux nothing confines it, and
//! [`Confined::No`] says so.

use super::sandbox::SandboxUnavailable;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Child;

/// What is started, and what it may see.
#[derive(Debug, Clone, Default)]
pub struct Serving {
    /// All links followed.
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    /// All of its environment but the usual words. Secrets belong here: arguments are seen by other users.
    pub environment: Vec<(String, String)>,
    /// Files and folders that it may read, all links followed, at their own places.
    pub reads: Vec<PathBuf>,
    /// The empty folder of its own in which it makes its socket, at its own place. The server works there too, so that
    /// it finds no library that somebody laid into its folder.
    pub folder: PathBuf,
    /// Whether it listens at a port of this computer, which needs the computer's network.
    pub at_port: bool,
}

/// Whether walls stand around a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Confined {
    Yes,
    /// Beyond Linux there are none.
    No,
}

/// Starts a server with pipes for its output. The server is killed when the thread that called this ends.
///
/// # Errors
/// Why no walls can be built, or why the program can't be started within them.
#[cfg(target_os = "linux")]
pub fn serve(serving: &Serving) -> Result<(Child, Confined), SandboxUnavailable> {
    linux::serve(serving).map(|child| (child, Confined::Yes))
}

/// Starts a server with pipes for its output, its environment and folder its own, and nothing else.
///
/// # Errors
/// Why the program can't be started.
#[cfg(not(target_os = "linux"))]
pub fn serve(serving: &Serving) -> Result<(Child, Confined), SandboxUnavailable> {
    use std::process::{Command, Stdio};
    let mut command = Command::new(&serving.program);
    command.args(&serving.arguments).env_clear();
    #[cfg(windows)]
    command.envs(std::env::var_os("SystemRoot").map(|root| ("SystemRoot", root)));
    command
        .envs(serving.environment.iter().map(|(name, value)| (name, value)))
        .current_dir(&serving.folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().map_err(|cause| SandboxUnavailable::Refused {
        cause: cause.to_string(),
    })?;
    Ok((child, Confined::No))
}

/// The folder that a server is shown for its program's sake: libraries lie beside it. A folder that holds more than
/// programs, as a home does, is not shown. Only the program and the libraries beside it are shown then.
#[must_use]
pub fn of_program(program: &Path, home: Option<&Path>) -> Vec<PathBuf> {
    let Some(folder) = program.parent() else {
        return vec![program.to_owned()];
    };
    let is_wide = folder.parent().is_none() || home.is_some_and(|home| home.starts_with(folder));
    if !is_wide {
        return vec![folder.to_owned()];
    }
    let beside = folder.read_dir().into_iter().flatten().flatten();
    let libraries = beside.map(|entry| entry.path()).filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("lib") && name.contains(".so") && path.is_file()
    });
    std::iter::once(program.to_owned()).chain(libraries).collect()
}

#[cfg(target_os = "linux")]
mod linux {
    use super::super::sandbox::{self, SandboxSpec, SandboxUnavailable};
    use super::super::seccomp;
    use super::Serving;
    use std::ffi::{OsStr, OsString};
    use std::io::Write;
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::{Child, Command, Stdio};

    /// Devices by which models are computed on a graphics card, and where drivers describe themselves. Absent ones
    /// are left out.
    const DEVICES: [&str; 6] = [
        "/dev/dri",
        "/dev/kfd",
        "/dev/nvidia0",
        "/dev/nvidiactl",
        "/dev/nvidia-uvm",
        "/dev/nvidia-modeset",
    ];
    const DRIVERS: [&str; 5] = [
        "/sys/devices",
        "/sys/class/drm",
        "/sys/dev/char",
        "/etc/vulkan",
        "/opt/rocm",
    ];

    pub(super) fn serve(serving: &Serving) -> Result<Child, SandboxUnavailable> {
        let failed = |cause: std::io::Error| sandbox::refused(&cause.to_string());
        let builder = sandbox::checked(&SandboxSpec::bare())?;
        // At a port the server makes no socket of its own. In the network of this computer other servers listen at
        // theirs.
        let filter = match serving.at_port {
            true => seccomp::program(),
            false => seccomp::of_server(),
        };
        let filter = filter.map_err(|cause| sandbox::refused(&cause))?;
        let mut command = Command::new(builder);
        command
            .args(arguments(serving))
            .env_clear()
            .envs(serving.environment.iter().map(|(name, value)| (name, value)))
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let close = || {
            crate::descriptors::close_for_children();
            Ok(())
        };
        // SAFETY: between `fork` and `exec` the closure only makes system calls.
        let mut child = unsafe { command.pre_exec(close) }.spawn().map_err(failed)?;
        let written = child.stdin.take().map(|mut input| input.write_all(&filter));
        match written {
            Some(Ok(())) => Ok(child),
            Some(Err(_)) | None => {
                let ended = child.wait_with_output().map_err(failed)?;
                Err(sandbox::refused(&String::from_utf8_lossy(&ended.stderr)))
            }
        }
    }

    fn arguments(serving: &Serving) -> Vec<OsString> {
        let mut told: Vec<OsString> = Vec::new();
        let mut words = |words: &[&OsStr]| told.extend(words.iter().map(|word| (*word).to_owned()));
        for word in [
            "--unshare-all",
            "--unshare-user",
            "--die-with-parent",
            "--new-session",
        ] {
            words(&[word.as_ref()]);
        }
        if serving.at_port {
            words(&["--share-net".as_ref()]);
        }
        for pair in [["--cap-drop", "ALL"], ["--hostname", "shidi"]] {
            words(&pair.map(OsStr::new));
        }
        for (name, value) in [("PATH", "/usr/bin:/bin"), ("HOME", "/tmp"), ("LANG", "C.UTF-8")] {
            words(&["--setenv".as_ref(), name.as_ref(), value.as_ref()]);
        }
        for folder in sandbox::PROGRAMS {
            match Path::new(folder).read_link() {
                Ok(target) if target.is_relative() => {
                    words(&["--symlink".as_ref(), target.as_os_str(), folder.as_ref()]);
                }
                Ok(_) | Err(_) => words(&["--ro-bind-try".as_ref(), folder.as_ref(), folder.as_ref()]),
            }
        }
        for file in sandbox::SETTINGS {
            words(&["--ro-bind-try".as_ref(), file.as_ref(), file.as_ref()]);
        }
        for place in ["--proc", "--dev", "--tmpfs"]
            .iter()
            .zip(["/proc", "/dev", "/tmp"])
        {
            words(&[place.0.as_ref(), place.1.as_ref()]);
        }
        for device in DEVICES {
            words(&["--dev-bind-try".as_ref(), device.as_ref(), device.as_ref()]);
        }
        for place in DRIVERS {
            words(&["--ro-bind-try".as_ref(), place.as_ref(), place.as_ref()]);
        }
        for place in &serving.reads {
            words(&["--ro-bind".as_ref(), place.as_ref(), place.as_ref()]);
        }
        let folder = serving.folder.as_os_str();
        words(&["--bind".as_ref(), folder, folder, "--chdir".as_ref(), folder]);
        words(&[
            "--seccomp".as_ref(),
            "0".as_ref(),
            "--".as_ref(),
            serving.program.as_ref(),
        ]);
        told.extend(serving.arguments.iter().cloned());
        told
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::io::Read;

    /// What a script says that is started as a server.
    fn said(script: &str, of: impl FnOnce(&mut Serving)) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let mut serving = Serving {
            program: Path::new("/bin/sh").canonicalize().unwrap(),
            arguments: vec!["-c".into(), script.into()],
            folder: folder.path().canonicalize().unwrap(),
            ..Serving::default()
        };
        of(&mut serving);
        match serve(&serving) {
            Ok((mut child, confined)) => {
                assert_eq!(confined, Confined::Yes);
                let mut text = String::new();
                child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
                child.wait().unwrap();
                Some(text)
            }
            Err(cause) => {
                println!("NOT RUN: nothing can be confined here: {cause:?}");
                None
            }
        }
    }

    #[test]
    fn a_server_sees_its_files_and_no_home_and_writes_to_its_folder_alone() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        let (shown, secret) = (home.join("model.gguf"), home.join("secret"));
        std::fs::write(&shown, "GGUF").unwrap();
        std::fs::write(&secret, "secret").unwrap();
        let script = format!(
            "cat {0}; cat {1} 2>/dev/null || echo gone; echo x > {0} || echo kept; pwd; echo y > here && cat here; echo $KEY",
            shown.display(),
            secret.display()
        );
        let mut folder = PathBuf::new();
        let said = said(&script, |serving| {
            serving.reads = vec![shown.clone()];
            serving.environment = vec![("KEY".to_owned(), "k1".to_owned())];
            folder.clone_from(&serving.folder);
        });
        let Some(said) = said else { return };
        let expected = format!("GGUFgone\nkept\n{}\ny\nk1\n", folder.display());
        assert_eq!(said, expected);
    }

    #[test]
    fn a_server_reaches_no_network_unless_it_listens_at_a_port() {
        let script = "cat /proc/net/dev | grep -c :";
        let Some(own) = said(script, |_| {}) else { return };
        assert_eq!(own.trim(), "1", "its own loopback alone");
        let shared = said(script, |serving| serving.at_port = true).unwrap();
        let here = std::fs::read_to_string("/proc/net/dev").unwrap();
        assert_eq!(shared.trim(), here.matches(':').count().to_string());
    }

    #[test]
    fn a_server_ends_with_the_thread_that_started_it() {
        let folder = tempfile::tempdir().unwrap();
        let serving = Serving {
            program: Path::new("/bin/sh").canonicalize().unwrap(),
            arguments: vec!["-c".into(), "echo up; exec sleep 600".into()],
            folder: folder.path().canonicalize().unwrap(),
            ..Serving::default()
        };
        // The walls are bound to the thread only once they stand, so the thread stays until the server speaks.
        let started = std::thread::spawn(move || {
            let (mut child, _) = serve(&serving)?;
            let mut up = [0; 3];
            child.stdout.as_mut().unwrap().read_exact(&mut up).unwrap();
            Ok::<_, SandboxUnavailable>((child, up))
        });
        match started.join().unwrap() {
            Ok((mut child, up)) => {
                assert_eq!(&up, b"up\n");
                assert!(!child.wait().unwrap().success(), "it was killed");
            }
            Err(cause) => println!("NOT RUN: nothing can be confined here: {cause:?}"),
        }
    }

    #[test]
    fn a_program_in_a_home_is_shown_with_its_libraries_and_nothing_else() {
        let home = tempfile::tempdir().unwrap();
        for name in ["llama-server", "libggml.so.0", "letters.txt"] {
            std::fs::write(home.path().join(name), "").unwrap();
        }
        let program = home.path().join("llama-server");
        let mut shown = of_program(&program, Some(home.path()));
        shown.sort();
        assert_eq!(shown, [home.path().join("libggml.so.0"), program.clone()]);
        let within = home.path().join("somebody");
        assert_eq!(of_program(&program, Some(&within)).len(), 2, "homes lie in it");
        let other = tempfile::tempdir().unwrap();
        assert_eq!(of_program(&program, Some(other.path())), [home.path()]);
    }
}
