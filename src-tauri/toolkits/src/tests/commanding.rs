//! Commands in their sandbox: their abilities, and every way out that we could think of.

use super::*;
use crate::shell::{self, NotRun};
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

mod holding;
#[cfg(target_os = "linux")]
mod way_out;
#[cfg(target_os = "linux")]
mod ways_out;

/// Whether this system lets us build a sandbox; without one, these tests show nothing.
fn can_confine() -> bool {
    match shell::ready() {
        Ok(()) => true,
        Err(cause) => {
            println!("NOT RUN: commands can't be confined here: {cause:?}");
            false
        }
    }
}

fn asked(command: &str) -> Call {
    call("shell.run", json!({"command": command}))
}

impl Desk {
    fn command(&self, command: &str) -> CallOutcome {
        self.command_of(&asked(command))
    }

    fn command_of(&self, call: &Call) -> CallOutcome {
        let order = shell::order(call, &self.environment(), &[]).unwrap();
        shell::perform(&order, None, &|| true).unwrap()
    }
}

fn stdout(outcome: &CallOutcome) -> &str {
    outcome.data["stdout"].as_str().unwrap().trim_end()
}

#[test]
fn a_command_works_in_the_granted_folder_and_its_output_is_a_strangers() {
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    desk.write("in.txt", "three\nlines\nhere\n");
    let outcome = desk.command("wc -l < in.txt; echo oops >&2; echo made > out.txt; exit 3");
    assert!(
        outcome.ok() && outcome.untrusted,
        "a code is a result: {outcome:?}"
    );
    assert_eq!(outcome.data["exit_code"], 3);
    assert_eq!(
        (stdout(&outcome), outcome.data["stderr"].as_str()),
        ("3", Some("oops\n"))
    );
    assert_eq!(
        fs::read_to_string(desk.granted.join("out.txt")).unwrap(),
        "made\n"
    );
    fs::create_dir(desk.granted.join("sub")).unwrap();
    let within = desk.command_of(&call("shell.run", json!({"command": "pwd", "cwd": "sub"})));
    assert_eq!(stdout(&within), desk.granted.join("sub").display().to_string());
}

#[test]
fn a_folder_that_is_not_granted_is_no_place_for_a_command() {
    let desk = Desk::new();
    std::os::unix::fs::symlink(&desk.beside, desk.granted.join("link")).unwrap();
    for cwd in ["..", "/etc", "link", desk.beside.to_str().unwrap()] {
        let outside = call("shell.run", json!({"command": "pwd", "cwd": cwd}));
        let refused = shell::order(&outside, &desk.environment(), &[]).unwrap_err();
        assert!(matches!(refused, NotRun::NotInside { .. }), "{cwd}: {refused:?}");
    }
    let nothing = Environment {
        folders: Vec::new(),
        ..desk.environment()
    };
    assert!(matches!(
        shell::order(&asked("ls"), &nothing, &[]),
        Err(NotRun::NoFolder)
    ));
    for system in ["/", "/proc", "/dev", "/sys"] {
        let wide = Environment {
            folders: vec![PathBuf::from(system)],
            ..desk.environment()
        };
        assert!(
            matches!(shell::order(&asked("ls"), &wide, &[]), Err(NotRun::NoFolder)),
            "{system}"
        );
    }
    let ours = shell::order(
        &asked("ls"),
        &desk.environment(),
        &[desk.granted.parent().unwrap().to_owned()],
    );
    assert!(
        matches!(ours, Err(NotRun::NoFolder)),
        "a folder within our own data is none"
    );
}

#[test]
fn nothing_outside_can_be_read_or_written() {
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    let secret = desk.beside.join("secret.txt");
    fs::write(&secret, "SECRET-4711").unwrap();
    std::os::unix::fs::symlink(&secret, desk.granted.join("link.txt")).unwrap();
    std::os::unix::fs::symlink(&desk.beside, desk.granted.join("door")).unwrap();
    let beside = desk.beside.display();
    let tries = [
        format!("cat {beside}/secret.txt; cat link.txt door/secret.txt; cat ../beside/secret.txt"),
        format!(
            "find / -name secret.txt 2>/dev/null; ls -la {beside} ~ /root /home /run /var /mnt /media /srv"
        ),
        format!("cat /proc/*/environ /proc/*/cwd/secret.txt /proc/1/root{beside}/secret.txt"),
        "cat /etc/shadow /home/*/.ssh/* ~/.ssh/*".to_owned(),
        "env; set".to_owned(),
        format!(
            "mount --bind {beside} . ; mount -t tmpfs x . ; unshare -Urm ls {beside}; chroot /proc/1/root ls"
        ),
    ];
    for attempt in tries {
        let outcome = desk.command(&attempt);
        assert!(
            !stdout(&outcome).contains("SECRET-4711"),
            "{attempt}: {}",
            outcome.data
        );
        assert!(!stdout(&outcome).contains("CARGO"), "{attempt}: {}", outcome.data);
    }
    let written = desk.command(&format!(
        "for place in {beside} / /usr /usr/bin /etc /bin /var /root; do echo x > $place/planted; done; \
         echo x > door/planted; rm -rf {beside}; touch ~/mine /tmp/mine && echo both"
    ));
    assert_eq!(stdout(&written), "both", "its own home and /tmp are its own");
    for place in [
        desk.beside.as_path(),
        Path::new("/usr/bin"),
        Path::new("/etc"),
        Path::new("/"),
    ] {
        assert!(!place.join("planted").exists(), "{}", place.display());
    }
    assert!(secret.exists() && !Path::new("/tmp/mine").exists());
}

#[test]
fn our_data_within_a_granted_folder_is_not_there() {
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    let data = desk.granted.join("data");
    fs::create_dir(&data).unwrap();
    fs::write(data.join("shidi.db"), "DATABASE").unwrap();
    let looks = asked(
        "ls data; cat data/shidi.db; rm -rf data; mv data other; echo x > data/new; umount data; cat data/shidi.db",
    );
    let order = shell::order(&looks, &desk.environment(), std::slice::from_ref(&data)).unwrap();
    let outcome = shell::perform(&order, None, &|| true).unwrap();
    assert_eq!(stdout(&outcome), "", "{}", outcome.data);
    assert_eq!(fs::read(data.join("shidi.db")).unwrap(), b"DATABASE");
    assert_eq!(fs::read_dir(&data).unwrap().count(), 1);
}

#[test]
fn a_folder_that_a_command_exchanged_for_a_link_grants_nothing_new() {
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    fs::write(desk.beside.join("secret.txt"), "SECRET-4711").unwrap();
    let inner = desk.granted.join("inner");
    std::os::unix::fs::symlink(&desk.beside, &inner).unwrap();
    let environment = Environment {
        folders: vec![desk.granted.clone(), inner],
        ..desk.environment()
    };
    let order = shell::order(&asked("cat inner/secret.txt"), &environment, &[]).unwrap();
    let outcome = shell::perform(&order, None, &|| true).unwrap();
    assert_eq!(stdout(&outcome), "");
}

#[test]
fn nobody_is_reached_over_any_socket() {
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let socket = desk.granted.join("agent");
    let agent = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    agent.set_nonblocking(true).unwrap();
    let outcome = desk.command(&format!(
        "echo x > /dev/tcp/127.0.0.1/{port}; \
         python3 -c 'import socket; s = socket.socket(socket.AF_UNIX); s.connect(\"agent\"); s.send(b\"x\")'; \
         getent hosts example.org; ls /sys/class/net; cat /proc/net/dev | grep -c eth"
    ));
    assert!(listener.accept().is_err(), "{}", outcome.data);
    assert!(agent.accept().is_err(), "{}", outcome.data);
    let own = desk.command(
        "python3 -c 'import socket; s = socket.socket(); s.bind((\"127.0.0.1\", 0)); s.listen(); \
         c = socket.create_connection(s.getsockname()); print(\"own\")'",
    );
    assert_eq!(stdout(&own), "own", "its own loopback is its own: {}", own.data);
}

/// Walks through every visible file, tries to open each for writing, and prints the names that it could open;
/// nothing is written.
const OPENED: &str = r#"
import os, stat
def tried(path, flags):
    try:
        os.close(os.open(path, flags | os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY, 0o600))
        print(path)
    except OSError:
        pass
for top, folders, files in os.walk("/"):
    tried(top, os.O_TMPFILE)
    for name in files:
        path = os.path.join(top, name)
        try:
            if not stat.S_ISLNK(os.lstat(path).st_mode):
                tried(path, 0)
        except OSError:
            pass
"#;

#[test]
fn nothing_can_be_opened_for_writing_but_the_granted_folder_and_what_is_the_commands_own() {
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    desk.write("mine.txt", "x");
    desk.write("walk.py", OPENED);
    let outcome = desk.command("python3 walk.py > opened.txt; wc -l < opened.txt");
    let opened = fs::read_to_string(desk.granted.join("opened.txt")).unwrap();
    let granted = desk.granted.display().to_string();
    assert!(
        opened.contains(&format!("{granted}/mine.txt")),
        "{}",
        outcome.data
    );
    // Devices that keep nothing, the command's own terminals, and its own processes.
    let devices = ["null", "zero", "full", "random", "urandom", "tty", "pts/ptmx"];
    let is_process = |path: &str| {
        let rest = path.strip_prefix("/proc/").unwrap_or_default();
        let first = rest.split('/').next().unwrap_or_default();
        !first.is_empty() && first.chars().all(|digit| digit.is_ascii_digit())
    };
    let is_own = |path: &&str| {
        let passing = ["/tmp", "/var/tmp", "/dev/shm"].map(|place| Path::new(*path).starts_with(place));
        let device = devices.iter().any(|device| *path == format!("/dev/{device}"));
        Path::new(path).starts_with(&granted) || passing.contains(&true) || device || is_process(path)
    };
    let others: Vec<&str> = opened.lines().filter(|path| !is_own(path)).collect();
    assert_eq!(others, Vec::<&str>::new(), "{}", outcome.data);
}

#[test]
fn no_pair_of_sockets_reaches_a_listener_in_a_granted_folder() {
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    let agent = std::os::unix::net::UnixDatagram::bind(desk.granted.join("agent")).unwrap();
    agent.set_nonblocking(true).unwrap();
    let stream = std::os::unix::net::UnixListener::bind(desk.granted.join("stream")).unwrap();
    stream.set_nonblocking(true).unwrap();
    let program = r#"
import array, socket
kinds = (socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET, socket.SOCK_STREAM, socket.SOCK_RDM)
for kind in kinds:
    for path in ("agent", "stream"):
        for way in ("send", "pass", "connect"):
            try:
                one, other = socket.socketpair(socket.AF_UNIX, kind | socket.SOCK_CLOEXEC)
                if way == "connect":
                    other.close()
                    one.connect(path)
                    one.send(b"x")
                elif way == "send":
                    one.sendto(b"x", path)
                else:
                    passed = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0]))]
                    one.sendmsg([b"x"], passed, 0, path)
            except OSError:
                pass
one, other = socket.socketpair()
one.send(b"own")
print(other.recv(3).decode())
"#;
    desk.write("pairs.py", program);
    let outcome = desk.command("python3 pairs.py");
    assert!(agent.recv(&mut [0; 8]).is_err(), "{}", outcome.data);
    assert!(stream.accept().is_err(), "{}", outcome.data);
    assert_eq!(
        stdout(&outcome),
        "own",
        "a pair of its own is its own: {}",
        outcome.data
    );
}

#[test]
#[cfg(target_arch = "x86_64")]
fn what_is_refused_is_refused_under_its_second_number_too() {
    if !can_confine() {
        return;
    }
    // A kernel without the second set of calls would say ENOSYS.
    let outcome = Desk::new().command(
        "python3 -c 'import ctypes; c = ctypes.CDLL(None, use_errno=True); \
         print([(c.syscall(number, 1, 1, 0), ctypes.get_errno()) for number in (41, 0x40000000 + 41, 0x40000000 + 39)])'",
    );
    let refused = format!("(-1, {})", libc::EPERM);
    assert_eq!(
        stdout(&outcome),
        format!("[{refused}, {refused}, {refused}]"),
        "{}",
        outcome.data
    );
}

#[test]
fn nothing_of_a_command_outlives_it_or_its_time() {
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    let began = Instant::now();
    let slow = call(
        "shell.run",
        json!({"command": "echo begun; (sleep 600; echo x > late) & trap '' TERM INT; setsid sleep 600", "timeout": 3}),
    );
    let outcome = desk.command_of(&slow);
    assert_eq!(
        (stdout(&outcome), &outcome.data["ended"]),
        ("begun", &json!("timeout"))
    );
    assert_eq!(outcome.data["exit_code"], Value::Null);
    desk.command("(sleep 1; echo x > late) & disown; nohup sleep 600 &");
    assert!(began.elapsed() < Duration::from_secs(60));
    assert!(!desk.granted.join("late").exists());
    let wanted = AtomicBool::new(true);
    let order = shell::order(&asked("echo > begun; sleep 600"), &desk.environment(), &[]).unwrap();
    let begun = desk.granted.join("begun");
    let is_wanted = || {
        if begun.exists() {
            wanted.store(false, Ordering::Relaxed);
        }
        wanted.load(Ordering::Relaxed)
    };
    assert_eq!(
        shell::perform(&order, None, &is_wanted).unwrap().data["ended"],
        "stopped"
    );
}

#[test]
fn what_grows_without_end_is_ended() {
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    let crowd = desk.command("for one in $(seq 5000); do sleep 60 & done; sleep 60; echo survived");
    assert!(!stdout(&crowd).contains("survived"), "{}", crowd.data);
    let file = desk.command("truncate -s 3G small && echo 3; truncate -s 5G big && echo 5");
    assert_eq!(stdout(&file), "3", "{}", file.data);
    let printed = desk.command("head -c 3000000 /dev/zero | tr '\\0' a; echo; echo last");
    let text = stdout(&printed);
    assert!(text.len() < 70_000 && text.contains("[cut: ") && text.ends_with("last"));
    let core = desk.command("ulimit -c; kill -SEGV $$");
    assert_eq!((stdout(&core), &core.data["exit_code"]), ("0", &json!(139)));
}

#[test]
fn a_fork_bomb_ends_within_the_walls() {
    use std::os::unix::fs::MetadataExt;
    if Path::new("/proc/self").metadata().unwrap().uid() == 0 {
        println!("NOT RUN: the kernel keeps no limit of processes for root, where they are only counted");
        return;
    }
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    let bomb = desk.command_of(&call(
        "shell.run",
        json!({"command": "bomb() { bomb | bomb & }; bomb; sleep 5", "timeout": 5}),
    ));
    assert!(
        bomb.data["stderr"].as_str().unwrap().contains("fork") || bomb.data["ended"] == "processes",
        "{}",
        bomb.data
    );
}

#[test]
fn what_is_dangerous_is_of_a_class_that_is_asked_about_every_time() {
    let environment = Desk::new().environment();
    let class = |command: &str| class_of(&asked(command), &environment);
    assert_eq!(class("make test"), Class::Execute);
    assert_eq!(class("rm -rf build"), Class::ExecuteOpen);
    assert_eq!(class("git push --force"), Class::ExecuteOpen);
    assert_eq!(
        class_of(&call("shell.run", json!({"command": 7})), &environment),
        Class::Execute
    );
}
