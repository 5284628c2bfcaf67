//! Commands that try to leave a trap, or to take files with them, for use outside the sandbox.

use super::*;

#[test]
fn a_folder_above_our_data_can_not_be_moved_from_under_its_cover() {
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    let data = desk.granted.join("share/shidi/data");
    fs::create_dir_all(&data).unwrap();
    fs::write(data.join("shidi.db"), "DATABASE").unwrap();
    let run = |command: &str| {
        let order = shell::order(&asked(command), &desk.environment(), std::slice::from_ref(&data)).unwrap();
        shell::perform(&order, None, &|| true).unwrap()
    };
    let moves = run("mv share s2; mv share/shidi share/other; mkdir new; mv -T share new; echo tried; ls");
    assert!(stdout(&moves).starts_with("tried"), "{}", moves.data);
    let looks = run(
        "cat */data/shidi.db */*/data/shidi.db; echo x > share/shidi/note; mv share/shidi/note .; cat note",
    );
    assert_eq!(stdout(&looks), "x", "{}", looks.data);
    assert_eq!(fs::read(data.join("shidi.db")).unwrap(), b"DATABASE");
}

#[test]
fn our_data_is_known_under_any_name_that_its_folder_has() {
    let desk = Desk::new();
    let data = desk.granted.join("data");
    fs::create_dir_all(data.join("inner")).unwrap();
    let other_name = desk.beside.join("alias");
    std::os::unix::fs::symlink(&data, &other_name).unwrap();
    let environment = Environment {
        own: Some(data.clone()),
        ..desk.environment()
    };
    for leads_to in [
        data.join("x"),
        other_name.join("x"),
        other_name.join("inner/new/x"),
    ] {
        let place = crate::safe_path::ResolvedPath {
            shown: leads_to.clone(),
            leads_to,
        };
        assert!(environment.is_own(&place.leads_to), "{place:?}");
    }
    let beside = crate::safe_path::ResolvedPath {
        shown: desk.granted.join("x"),
        leads_to: desk.granted.join("x"),
    };
    assert!(!environment.is_own(&beside.leads_to));
}

#[test]
#[cfg(target_os = "linux")]
fn what_the_program_has_open_is_not_open_for_a_command() {
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    let secret = desk.beside.join("secret.txt");
    fs::write(&secret, "SECRET-4711").unwrap();
    // Opened without the flag that closes the descriptor for children.
    let open = rustix::fs::open(&secret, rustix::fs::OFlags::RDWR, rustix::fs::Mode::empty()).unwrap();
    let outcome =
        desk.command("cat /proc/self/fd/[3-9] /proc/self/fd/[1-9][0-9]*; readlink /proc/self/fd/*; echo end");
    drop(open);
    assert!(!stdout(&outcome).contains("SECRET-4711"), "{}", outcome.data);
    assert!(!stdout(&outcome).contains("secret.txt"), "{}", outcome.data);
    assert!(stdout(&outcome).ends_with("end"));
}

/// Tries every way to make a set-user-id file, and prints the ways that worked.
const SET_ID: &str = r#"
import ctypes, os, stat
c = ctypes.CDLL(None, use_errno=True)
def bits(name):
    try:
        return stat.S_IMODE(os.lstat(name).st_mode) & 0o6000
    except OSError:
        return 0
def number(x86, arm):
    return x86 if os.uname().machine == "x86_64" else arm
for bit in (0o4000, 0o2000, 0o6000):
    mode = bit | 0o755
    here = -100
    ways = {
        "chmod": lambda name: (open(name, "w").close(), os.chmod(name, mode)),
        "fchmod": lambda name: os.fchmod(os.open(name, os.O_CREAT | os.O_WRONLY, 0o755), mode),
        "fchmodat": lambda name: (open(name, "w").close(), c.syscall(number(268, 53), here, name.encode(), mode)),
        "fchmodat2": lambda name: (open(name, "w").close(), c.syscall(452, here, name.encode(), mode, 0)),
        "open": lambda name: os.open(name, os.O_CREAT | os.O_WRONLY, mode),
        "raw open": lambda name: c.syscall(number(2, -1), name.encode(), os.O_CREAT | os.O_WRONLY, mode),
        "creat": lambda name: c.syscall(number(85, -1), name.encode(), mode),
        "openat2": lambda name: c.syscall(437, here, name.encode(), (ctypes.c_uint64 * 3)(os.O_CREAT | os.O_WRONLY, mode, 0), 24),
        "unnamed": lambda name: os.link("/proc/self/fd/%d" % os.open(".", os.O_TMPFILE | os.O_WRONLY, mode), name, follow_symlinks=True),
        "mknod": lambda name: c.syscall(number(133, -1), name.encode(), stat.S_IFREG | mode, 0),
        "mknodat": lambda name: os.mknod(name, stat.S_IFREG | mode),
        "mkdir": lambda name: os.mkdir(name, mode),
    }
    for way, make in ways.items():
        name = "%s-%o" % (way, bit)
        try:
            make(name)
        except OSError:
            pass
        if bits(name):
            print(name)
os.chmod("chmod-4000", 0o755)
os.mkfifo("pipe")
print(oct(stat.S_IMODE(os.stat("chmod-4000").st_mode)), os.path.exists("pipe"))
"#;

#[test]
fn no_command_leaves_a_file_that_runs_as_its_owner() {
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    desk.write("ways.py", SET_ID);
    let outcome = desk.command("python3 ways.py");
    assert_eq!(stdout(&outcome), "0o755 True", "{}", outcome.data);
}

#[test]
#[cfg(target_arch = "x86_64")]
fn a_command_makes_no_namespace_of_users_and_mounts_nothing() {
    if !can_confine() {
        return;
    }
    let calls = [
        ("mount_setattr", "442, -100, b'.', 0, bytes(32), 32", libc::EPERM),
        ("fsconfig", "431, -1, 0, b'x', b'x', 0", libc::EPERM),
        ("fspick", "433, -100, b'.', 0", libc::EPERM),
        ("open_tree_attr", "467, -100, b'.', 1, bytes(32), 32", libc::EPERM),
        ("unshare", "272, 0x10000000", libc::EPERM),
        ("unshare all", "272, 0x10020000", libc::EPERM),
        ("clone", "56, 0x10000011, 0, 0, 0, 0", libc::EPERM),
        ("clone3", "435, bytes(88), 88", libc::ENOSYS),
    ];
    let desk = Desk::new();
    for (name, arguments, errno) in calls {
        let program = format!(
            "import ctypes; c = ctypes.CDLL(None, use_errno=True); print(c.syscall({arguments}), ctypes.get_errno())"
        );
        desk.write("call.py", &program);
        let outcome = desk.command("python3 call.py");
        assert_eq!(
            stdout(&outcome),
            format!("-1 {errno}"),
            "{name}: {}",
            outcome.data
        );
    }
    let threads = desk.command(
        "python3 -c 'import threading; t = threading.Thread(target=lambda: print(\"thread\")); t.start(); t.join()'; \
         unshare -U true || echo refused",
    );
    assert_eq!(stdout(&threads), "thread\nrefused", "{}", threads.data);
}

#[test]
fn what_git_runs_by_itself_is_not_written_by_a_command_that_nobody_was_asked_about() {
    if !can_confine() {
        return;
    }
    let desk = Desk::new();
    let made = desk.command(
        "git init -q project && cd project && git config user.email a@example.org && git config user.name A && \
         echo one > f && git add f && git commit -qm one && git branch other && echo made",
    );
    assert_eq!(
        stdout(&made),
        "made",
        "a new repository is its own: {}",
        made.data
    );
    let planted = desk.command(
        "cd project; echo 'echo planted' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; \
         git config core.fsmonitor ./x; echo x >> .git/config; mv .git old; mv .git/hooks .git/h; \
         rm -rf .git/hooks; ln -sf /tmp/h .git/hooks; cat .git/config",
    );
    let config = fs::read_to_string(desk.granted.join("project/.git/config")).unwrap();
    assert!(
        !config.contains("fsmonitor") && !config.ends_with("x\n"),
        "{config}"
    );
    assert!(!desk.granted.join("project/.git/hooks/pre-commit").exists());
    assert!(
        stdout(&planted).contains("a@example.org"),
        "it can be read: {}",
        planted.data
    );
    let works = desk.command(
        "cd project && echo two >> f && git commit -qam two && git checkout -q -b third && git stash -q; \
         git switch -q other && git merge -q third && git gc -q && git log --format=%s | head -1",
    );
    assert_eq!(stdout(&works), "two", "{}", works.data);
    let decided = Environment {
        permitted: Class::ExecuteOpen,
        ..desk.environment()
    };
    let call =
        asked("cd project && git config core.editor vi && echo x > .git/hooks/pre-commit && echo written");
    let order = shell::order(&call, &decided, &[]).unwrap();
    let outcome = shell::perform(&order, None, &|| true).unwrap();
    assert_eq!(stdout(&outcome), "written", "{}", outcome.data);
}
