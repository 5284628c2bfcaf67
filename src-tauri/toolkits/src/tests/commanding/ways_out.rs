//! Ways out of the sandbox, each tried by a program inside: none gets through, with a network and without one.

use super::way_out::{Echo, can_have_net};
use super::*;
use crate::shell::WayOut;
use std::collections::BTreeSet;
use std::net::UdpSocket;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{SocketAddr, UnixListener};

const WAYS: &str = include_str!("ways_out.txt");

/// The one way that is open: without it, nothing would have been tried.
const OPEN: &str = "what is open: a file in the granted folder";

const SECRET: &str = "SECRET-4711";

/// Tries each way in a process of its own, and prints the names of those that got through. A way that is no program any
/// more is named, too.
const TRIED: &str = r#"
import ctypes, fcntl, os, resource, signal, socket
c = ctypes.CDLL(None, use_errno=True)
def number(x86, arm):
    return x86 if os.uname().machine == "x86_64" else arm
def called(*arguments):
    result = c.syscall(*arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), "refused")
    return result
for section in open("ways.txt").read().split("\n=== ")[1:]:
    name, _, program = section.partition("\n")
    child = os.fork()
    if child == 0:
        signal.alarm(10)
        try:
            exec(program, dict(globals()))
        except (NameError, SyntaxError, TypeError, AttributeError) as broken:
            print(name, "is broken:", broken, flush=True)
            os._exit(1)
        except BaseException:
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1] == 0:
        print(name, flush=True)
"#;

/// Whoever outside could be reached.
struct Outside {
    four: TcpListener,
    /// Nobody where the computer has no addresses of the newer kind.
    six: Option<TcpListener>,
    udp: UdpSocket,
    local: UnixListener,
    name: String,
}

impl Outside {
    fn new(desk: &Desk) -> Self {
        // As no other test's: the temporary folder has a name of its own.
        let folder = desk.granted.parent().and_then(Path::file_name).unwrap();
        let name = format!("shidi-{}", folder.display());
        let address = SocketAddr::from_abstract_name(&name).unwrap();
        let outside = Self {
            four: TcpListener::bind("127.0.0.1:0").unwrap(),
            six: TcpListener::bind("[::1]:0").ok(),
            udp: UdpSocket::bind("127.0.0.1:0").unwrap(),
            local: UnixListener::bind_addr(&address).unwrap(),
            name,
        };
        outside.four.set_nonblocking(true).unwrap();
        if let Some(six) = &outside.six {
            six.set_nonblocking(true).unwrap();
        }
        outside.udp.set_nonblocking(true).unwrap();
        outside.local.set_nonblocking(true).unwrap();
        outside
    }

    /// The list of ways, with what lies outside named in it.
    fn ways(&self, desk: &Desk) -> String {
        let port = |listener: &TcpListener| listener.local_addr().unwrap().port().to_string();
        let program = std::env::current_exe().unwrap();
        let named = [
            ("{secret}", desk.beside.join("secret.txt").display().to_string()),
            ("{beside}", desk.beside.display().to_string()),
            (
                "{mark}",
                program.file_name().unwrap().to_string_lossy().into_owned(),
            ),
            (
                "{outside}",
                std::env::current_dir().unwrap().display().to_string(),
            ),
            ("{four}", port(&self.four)),
            ("{six}", self.six.as_ref().map_or("1".to_owned(), port)),
            ("{udp}", self.udp.local_addr().unwrap().port().to_string()),
            ("{abstract}", self.name.clone()),
        ];
        named
            .iter()
            .fold(WAYS.to_owned(), |text, (place, value)| text.replace(place, value))
    }

    fn heard_of_nobody(&self) {
        assert!(self.four.accept().is_err(), "somebody connected");
        assert!(self.six.as_ref().is_none_or(|six| six.accept().is_err()));
        assert!(self.udp.recv(&mut [0; 16]).is_err(), "somebody sent");
        assert!(self.local.accept().is_err(), "somebody connected by name");
    }
}

fn try_all(way: Option<&dyn WayOut>) {
    let desk = Desk::new();
    let secret = desk.beside.join("secret.txt");
    fs::write(&secret, SECRET).unwrap();
    std::os::unix::fs::symlink(&secret, desk.granted.join("link.txt")).unwrap();
    let outside = Outside::new(&desk);
    desk.write("ways.txt", outside.ways(&desk));
    desk.write("ways.py", TRIED);
    let call = call("shell.run", json!({"command": "python3 ways.py", "timeout": 300}));
    let order = shell::order(&call, &desk.environment(), &[]).unwrap();
    let outcome = shell::perform(&order, way, &|| true).unwrap();
    assert_eq!(stdout(&outcome), OPEN, "{}", outcome.data);
    outside.heard_of_nobody();
    assert_eq!(fs::read_to_string(&secret).unwrap(), SECRET);
    assert_eq!(fs::metadata(&secret).unwrap().nlink(), 1);
    assert_eq!(
        fs::read_dir(&desk.beside).unwrap().count(),
        1,
        "nothing was planted"
    );
}

#[test]
fn no_way_of_the_list_leads_out() {
    let names: Vec<&str> = WAYS
        .lines()
        .filter_map(|line| line.strip_prefix("=== "))
        .collect();
    assert!(names.len() > 60, "{} ways", names.len());
    assert_eq!(
        names.iter().collect::<BTreeSet<_>>().len(),
        names.len(),
        "each once"
    );
    if can_confine() {
        try_all(None);
    }
}

#[test]
fn no_way_of_the_list_is_opened_by_a_network() {
    if can_have_net() {
        try_all(Some(&Echo::default()));
    }
}

/// Leaves two parents, its session and all that it had open, hears no signal, and holds a lock for as long as it lives.
const DAEMON: &str = r#"
import fcntl, os, signal, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for one in set(range(1, 32)) - {signal.SIGKILL, signal.SIGSTOP}:
            signal.signal(one, signal.SIG_IGN)
        held = os.open("held", os.O_CREAT | os.O_RDWR)
        fcntl.flock(held, fcntl.LOCK_EX)
        os.closerange(0, held)
        os.close(os.open("up", os.O_CREAT | os.O_WRONLY))
        while True:
            time.sleep(1)
    os._exit(0)
while not os.path.exists("up"):
    time.sleep(0.01)
"#;

#[test]
fn a_daemon_that_lets_go_of_everything_ends_with_its_command() {
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    desk.write("daemon.py", DAEMON);
    let outcome = desk.command("python3 daemon.py; echo over");
    assert_eq!(stdout(&outcome), "over", "{}", outcome.data);
    let held = fs::File::open(desk.granted.join("held")).unwrap();
    let began = Instant::now();
    while held.try_lock().is_err() {
        assert!(
            began.elapsed() < Duration::from_secs(30),
            "it outlives its command"
        );
        std::thread::yield_now();
    }
}

#[test]
fn a_signal_to_every_process_reaches_the_commands_own_alone() {
    if !can_confine() {
        return;
    }
    let outcome = Desk::new().command("sleep 600 & kill -9 -1; kill -9 1; echo still");
    assert_eq!(stdout(&outcome), "still", "{}", outcome.data);
}
