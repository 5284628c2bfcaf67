//! The one way out of a command's own network: a listener within it, which this process serves.
//!
//! The namespace has a loopback and nothing else. A child of ours, forked for that alone, steps into it, listens, and
//! hands the listener back. Only then the command begins. So a command reaches whoever serves the listener, and nobody
//! else.

use std::io;
use std::net::TcpListener;

/// The port of the listener: in a namespace of its own every port is free.
#[cfg(target_os = "linux")]
const PORT: u16 = 3_128;

/// Who serves a command's connections.
pub trait WayOut: Send + Sync {
    /// Serves the listener until the returned value is dropped.
    ///
    /// # Errors
    /// The system gives no thread; the command then has no network.
    fn serve(&self, listener: TcpListener) -> io::Result<Box<dyn Send>>;
}

/// The environment by which programs find the way. SOCKS is not named as the way for everything: a library that lacks it
/// would refuse to start. What runs in the sandbox itself is reached directly.
#[cfg(target_os = "linux")]
pub(super) fn environment() -> Vec<(&'static str, String)> {
    let over_http = format!("http://127.0.0.1:{PORT}");
    let here = "localhost,127.0.0.1,::1";
    let mut named: Vec<(&str, String)> = [
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
    ]
    .map(|name| (name, over_http.clone()))
    .into();
    named.extend(["no_proxy", "NO_PROXY"].map(|name| (name, here.to_owned())));
    named.extend(["socks_proxy", "SOCKS_PROXY"].map(|name| (name, format!("socks5h://127.0.0.1:{PORT}"))));
    named
}

#[cfg(target_os = "linux")]
pub(super) use linux::Held;

#[cfg(target_os = "linux")]
mod linux {
    use super::{PORT, WayOut};
    use serde::Deserialize;
    use std::ffi::OsString;
    use std::fs::File;
    use std::io::{self, PipeReader, PipeWriter, Read, Write};
    use std::mem::{size_of, zeroed};
    use std::net::TcpListener;
    use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
    use std::os::unix::net::UnixStream;

    /// Bytes of what bubblewrap tells of its child.
    const INFO_BYTES_MAX: usize = 4_096;

    /// Connections that wait to be accepted.
    const WAITING_MAX: libc::c_int = 128;

    /// Asks for the user namespace that owns another namespace.
    const NS_GET_USERNS: libc::c_ulong = 0xb701;

    /// A command that is held back until its listener stands.
    pub(crate) struct Held {
        info: PipeReader,
        go: PipeWriter,
        for_builder: (PipeWriter, PipeReader),
    }

    #[derive(Deserialize)]
    struct Info {
        #[serde(rename = "child-pid")]
        child: u32,
    }

    impl Held {
        pub(crate) fn new() -> io::Result<Self> {
            let (info, told) = io::pipe()?;
            let (waits, go) = io::pipe()?;
            Ok(Self {
                info,
                go,
                for_builder: (told, waits),
            })
        }

        /// The arguments by which bubblewrap tells of its child, and holds it back.
        pub(crate) fn arguments(&self) -> [OsString; 4] {
            let [info, block] = self.inherited().map(|number| number.to_string().into());
            ["--info-fd".into(), info, "--block-fd".into(), block]
        }

        /// Descriptors that bubblewrap must find open.
        pub(crate) fn inherited(&self) -> [RawFd; 2] {
            [self.for_builder.0.as_raw_fd(), self.for_builder.1.as_raw_fd()]
        }

        /// Has the listener served, and lets the command begin. Without a listener it begins too, and reaches nobody.
        pub(crate) fn begin(self, way: &dyn WayOut) -> io::Result<Box<dyn Send>> {
            drop(self.for_builder);
            let mut go = self.go;
            let served = child(self.info)
                .and_then(listener_of)
                .and_then(|listener| way.serve(listener));
            go.write_all(&[1])?;
            served
        }
    }

    /// The first process of the sandbox.
    fn child(mut info: PipeReader) -> io::Result<u32> {
        let mut told = Vec::new();
        let mut buffer = [0; 256];
        while told.len() < INFO_BYTES_MAX && told.last() != Some(&b'}') {
            match info.read(&mut buffer)? {
                0 => break,
                count => told.extend_from_slice(buffer.get(..count).unwrap_or_default()),
            }
            let trimmed = told.trim_ascii_end().len();
            told.truncate(trimmed);
        }
        let info: Info = serde_json::from_slice(&told)?;
        Ok(info.child)
    }

    /// A listener within the network of another process.
    fn listener_of(process: u32) -> io::Result<TcpListener> {
        let network = File::open(format!("/proc/{process}/ns/net"))?;
        // The command's own user namespace may lie within the one that owns its network.
        // SAFETY: the request takes no argument and returns a new descriptor, or -1.
        let owner = unsafe { libc::ioctl(network.as_raw_fd(), NS_GET_USERNS) };
        if owner < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the kernel has just given this descriptor to us alone.
        let owner = unsafe { OwnedFd::from_raw_fd(owner) };
        let (ours, theirs) = UnixStream::pair()?;
        // SAFETY: the child makes system calls alone and ends by `_exit`; it touches no memory that a lock guards.
        let forked = unsafe { libc::fork() };
        match forked {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                let sent = listen_within(owner.as_raw_fd(), network.as_raw_fd(), theirs.as_raw_fd());
                // SAFETY: ends the forked child without running anything of its parent's.
                unsafe { libc::_exit(i32::from(!sent)) }
            }
            child => {
                drop(theirs);
                let listener = received(&ours);
                waited(child);
                listener
            }
        }
    }

    /// Steps into the namespaces, listens, and sends the listener. Runs between `fork` and `_exit`: system calls only.
    fn listen_within(owner: RawFd, network: RawFd, to: RawFd) -> bool {
        // SAFETY: all arguments are numbers, or point to values on this stack that outlive the calls.
        unsafe {
            if libc::setns(owner, libc::CLONE_NEWUSER) != 0 || libc::setns(network, libc::CLONE_NEWNET) != 0 {
                return false;
            }
            let listener = libc::socket(libc::AF_INET, libc::SOCK_STREAM | libc::SOCK_CLOEXEC, 0);
            let mut address: libc::sockaddr_in = zeroed();
            address.sin_family = libc::AF_INET as libc::sa_family_t;
            address.sin_port = PORT.to_be();
            // The loopback may not be up yet, and nothing else leads here.
            address.sin_addr.s_addr = libc::INADDR_ANY.to_be();
            let length = size_of::<libc::sockaddr_in>() as libc::socklen_t;
            listener >= 0
                && libc::bind(listener, (&raw const address).cast(), length) == 0
                && libc::listen(listener, WAITING_MAX) == 0
                && sent(listener, to)
        }
    }

    /// Room for one descriptor beside a message, aligned as the kernel wants it.
    #[repr(C, align(8))]
    struct Beside([u8; 64]);

    /// A message of one byte with room beside it. The pointers are to what the caller owns.
    fn message(byte: &mut libc::iovec, beside: &mut Beside) -> libc::msghdr {
        // SAFETY: a message without anything is all zeros; the size is a number.
        let (mut message, room): (libc::msghdr, u32) =
            unsafe { (zeroed(), libc::CMSG_SPACE(size_of::<RawFd>() as u32)) };
        message.msg_iov = byte;
        message.msg_iovlen = 1;
        message.msg_control = beside.0.as_mut_ptr().cast();
        message.msg_controllen = room as usize;
        message
    }

    fn sent(descriptor: RawFd, to: RawFd) -> bool {
        let (mut byte, mut beside) = (0_u8, Beside([0; 64]));
        let mut words = libc::iovec {
            iov_base: (&raw mut byte).cast(),
            iov_len: 1,
        };
        let message = message(&mut words, &mut beside);
        // SAFETY: the message points to values on this stack; its room holds one header with one descriptor.
        unsafe {
            let header = libc::CMSG_FIRSTHDR(&raw const message);
            (*header).cmsg_level = libc::SOL_SOCKET;
            (*header).cmsg_type = libc::SCM_RIGHTS;
            (*header).cmsg_len = libc::CMSG_LEN(size_of::<RawFd>() as u32) as usize;
            libc::CMSG_DATA(header)
                .cast::<RawFd>()
                .write_unaligned(descriptor);
            libc::sendmsg(to, &raw const message, libc::MSG_NOSIGNAL) == 1
        }
    }

    fn received(from: &UnixStream) -> io::Result<TcpListener> {
        let (mut byte, mut beside) = (0_u8, Beside([0; 64]));
        let mut words = libc::iovec {
            iov_base: (&raw mut byte).cast(),
            iov_len: 1,
        };
        let mut message = message(&mut words, &mut beside);
        // SAFETY: as for sending; the kernel fills the room with at most one descriptor, which is ours then.
        unsafe {
            let count = libc::recvmsg(from.as_raw_fd(), &raw mut message, libc::MSG_CMSG_CLOEXEC);
            let header = libc::CMSG_FIRSTHDR(&raw const message);
            if count != 1 || header.is_null() || (*header).cmsg_type != libc::SCM_RIGHTS {
                return Err(io::Error::other("no listener in the command's network"));
            }
            let descriptor = libc::CMSG_DATA(header).cast::<RawFd>().read_unaligned();
            Ok(TcpListener::from(OwnedFd::from_raw_fd(descriptor)))
        }
    }

    fn waited(child: libc::pid_t) {
        let mut status = 0;
        // SAFETY: the pointer is to a number on this stack.
        while unsafe { libc::waitpid(child, &raw mut status, 0) } < 0
            && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
        {}
    }
}
