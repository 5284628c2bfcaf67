//! The network of a command: one way out where there is somebody who serves it, and none beside it.

use super::*;
use crate::shell::WayOut;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// Answers each connection with what it heard, and counts who is still served.
#[derive(Default)]
pub(super) struct Echo {
    served: Arc<AtomicUsize>,
}

/// Whom it serves, until dropped.
struct Served {
    listener: TcpListener,
    served: Arc<AtomicUsize>,
}

impl Drop for Served {
    fn drop(&mut self) {
        // Nothing else wakes a thread that waits for connections.
        use std::os::fd::AsRawFd;
        // SAFETY: the descriptor is open as long as the listener is.
        unsafe { libc::shutdown(self.listener.as_raw_fd(), libc::SHUT_RDWR) };
        self.served.fetch_sub(1, Ordering::SeqCst);
    }
}

impl WayOut for Echo {
    fn serve(&self, listener: TcpListener) -> std::io::Result<Box<dyn Send>> {
        self.served.fetch_add(1, Ordering::SeqCst);
        let waits = listener.try_clone()?;
        std::thread::spawn(move || {
            for mut stream in waits.incoming().map_while(Result::ok) {
                let mut heard = [0; 64];
                let count = stream.read(&mut heard).unwrap_or_default();
                stream.write_all(&heard[..count]).unwrap_or_default();
                stream.shutdown(Shutdown::Both).unwrap_or_default();
            }
        });
        Ok(Box::new(Served {
            listener,
            served: Arc::clone(&self.served),
        }))
    }
}

pub(super) fn can_have_net() -> bool {
    match shell::ready_for_net() {
        Ok(()) => true,
        Err(cause) => {
            println!("NOT RUN: commands can't have a network here: {cause:?}");
            false
        }
    }
}

fn with(desk: &Desk, way: Option<&dyn WayOut>, command: &str) -> String {
    let order = shell::order(&asked(command), &desk.environment(), &[]).unwrap();
    let outcome = shell::perform(&order, way, &|| true).unwrap();
    format!(
        "{}{}",
        outcome.data["stdout"].as_str().unwrap(),
        outcome.data["stderr"].as_str().unwrap()
    )
}

#[test]
fn a_command_reaches_whoever_serves_its_way_out_under_the_address_that_its_environment_names() {
    if !can_have_net() {
        return;
    }
    let (desk, echo) = (Desk::new(), Echo::default());
    let said = with(
        &desk,
        Some(&echo),
        "exec 3<>/dev/tcp/127.0.0.1/${https_proxy##*:}; echo hello >&3; cat <&3; env | grep -i _proxy | sort",
    );
    assert!(said.starts_with("hello\n"), "{said}");
    for named in [
        "HTTPS_PROXY=http://127.0.0.1:",
        "no_proxy=localhost,",
        "socks_proxy=socks5h://",
    ] {
        assert!(said.contains(named), "{said}");
    }
    assert_eq!(echo.served.load(Ordering::SeqCst), 0, "it ends with the command");
}

#[test]
fn beside_its_way_out_a_command_has_no_network_and_without_one_it_hears_of_none() {
    if !can_have_net() {
        return;
    }
    let (desk, echo) = (Desk::new(), Echo::default());
    let outside = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = outside.local_addr().unwrap().port();
    assert!(TcpStream::connect(("127.0.0.1", port)).is_ok());
    let looks = format!(
        "for to in 127.0.0.1/{port} 10.0.0.1/80 169.254.169.254/80; do (echo > /dev/tcp/$to) 2>/dev/null && echo reached $to; done
         ls /sys/class/net 2>/dev/null; cat /proc/net/route | wc -l; unshare -n true 2>/dev/null && echo unshared"
    );
    let said = with(&desk, Some(&echo), &looks);
    assert!(!said.contains("reached") && !said.contains("unshared"), "{said}");
    assert_eq!(said.trim(), "1", "no interface leads anywhere: {said}");
    let said = with(
        &desk,
        None,
        "env | grep -ci proxy; (echo > /dev/tcp/127.0.0.1/3128) 2>/dev/null && echo reached",
    );
    assert_eq!(said.trim(), "0", "{said}");
}

#[test]
fn many_commands_at_once_have_each_their_own_way_out() {
    if !can_have_net() {
        return;
    }
    let desk = Desk::new();
    std::thread::scope(|scope| {
        for number in 0..6 {
            let desk = &desk;
            scope.spawn(move || {
                let command = format!("exec 3<>/dev/tcp/127.0.0.1/3128; echo {number} >&3; cat <&3");
                assert_eq!(
                    with(desk, Some(&Echo::default()), &command),
                    format!("{number}\n")
                );
            });
        }
    });
}
