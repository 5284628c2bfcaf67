//! Repositories over https for tests: git's own `http-backend` behind a server. An authority of the tests has signed its
//! certificate. An address may send whoever asks somewhere else.

use crate::wire::{Request, answer};
use parking_lot::Mutex;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{Error, Result, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

const CERTIFICATE: &[u8] = include_bytes!("tls/localhost.pem");
const KEY: &[u8] = include_bytes!("tls/localhost.key");

/// Environment of git without anything of whoever runs the tests.
const ALONE: [(&str, &str); 4] = [
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_TEMPLATE_DIR", ""),
    ("LC_ALL", "C"),
];

/// A running server of the repositories in a folder. Dropping it leaves its thread to end with the test program.
pub struct GitServer {
    port: u16,
    /// Beginnings of paths, and the addresses that they lead to.
    moved: Arc<Mutex<Vec<(String, String)>>>,
    targets: Arc<Mutex<Vec<String>>>,
}

impl GitServer {
    /// Serves the bare repositories in `root` on a free port.
    ///
    /// # Panics
    /// When no port can be opened.
    #[must_use]
    pub fn start(root: &Path) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let server = Self {
            port: listener.local_addr().expect("an address").port(),
            moved: Arc::default(),
            targets: Arc::default(),
        };
        let (moved, targets) = (Arc::clone(&server.moved), Arc::clone(&server.targets));
        let (root, config) = (root.to_owned(), Arc::new(config()));
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that does not trust the certificate goes away in the middle.
                drop(converse(stream, &config, &root, &moved, &targets));
            }
        });
        server
    }

    /// The whole address of a path.
    #[must_use]
    pub fn at(&self, path: &str) -> String {
        format!("https://localhost:{}{path}", self.port)
    }

    /// Has what begins with that path lead to what begins with that address.
    pub fn moves(&self, path: &str, address: &str) {
        self.moved.lock().push((path.to_owned(), address.to_owned()));
    }

    /// What was asked for, in order.
    #[must_use]
    pub fn targets(&self) -> Vec<String> {
        self.targets.lock().clone()
    }
}

/// The authority that has signed the server's certificate.
#[must_use]
pub fn authority() -> PathBuf {
    crate::folder().join("src/tls/ca.pem")
}

/// Whether git is here, with what serves repositories; says NOT RUN where it is not.
#[must_use]
pub fn is_there() -> bool {
    let told = Command::new("git").arg("--exec-path").output();
    let folder = told.map(|told| String::from_utf8_lossy(&told.stdout).trim().to_owned());
    let is_there = folder.is_ok_and(|folder| Path::new(&folder).join("git-http-backend").is_file());
    if !is_there {
        println!("NOT RUN: there is no git with git-http-backend");
    }
    is_there
}

/// Runs git in a folder, without any configuration of its user.
///
/// # Panics
/// When git refuses.
pub fn git(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new("git");
    command
        .args(["-c", "user.name=a", "-c", "user.email=a@example.org"])
        .args(arguments)
        .current_dir(folder)
        .envs(ALONE);
    let told = command.output().expect("git");
    assert!(told.status.success(), "{arguments:?}: {told:?}");
}

fn config() -> ServerConfig {
    let certificate = CertificateDer::from_pem_slice(CERTIFICATE).expect("a certificate");
    let key = PrivateKeyDer::from_pem_slice(KEY).expect("a key");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let builder = builder.expect("versions").with_no_client_auth();
    let config = builder.with_single_cert(vec![certificate], key);
    config.expect("a certificate with its key")
}

fn converse(
    stream: TcpStream,
    config: &Arc<ServerConfig>,
    root: &Path,
    moved: &Mutex<Vec<(String, String)>>,
    targets: &Mutex<Vec<String>>,
) -> Result<()> {
    let connection = ServerConnection::new(Arc::clone(config)).map_err(Error::other)?;
    let mut stream = StreamOwned::new(connection, stream);
    let Some(request) = Request::read(&mut stream)? else {
        return Ok(());
    };
    targets.lock().push(request.target.clone());
    let led = moved.lock().iter().find_map(|(path, address)| {
        let rest = request.target.strip_prefix(path.as_str())?;
        Some(format!("{address}{rest}"))
    });
    let told = match led {
        Some(address) => answer("302 Found", &[("Location", address.as_str())], b""),
        None => served(&request, root)?,
    };
    stream.write_all(&told)?;
    // Clients that hear no end take what came for cut off.
    stream.conn.send_close_notify();
    stream.flush()
}

/// What git's own server says, which speaks as programs behind web servers do.
fn served(request: &Request, root: &Path) -> Result<Vec<u8>> {
    let mut child = Command::new("git")
        .arg("http-backend")
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .envs(ALONE)
        .env("GIT_PROJECT_ROOT", root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("GIT_PROTOCOL", request.header("git-protocol"))
        .env("REQUEST_METHOD", &request.method)
        .env("PATH_INFO", request.path())
        .env("QUERY_STRING", request.query())
        .env("CONTENT_TYPE", request.header("content-type"))
        .env("CONTENT_LENGTH", request.body.len().to_string())
        .env("HTTP_CONTENT_ENCODING", request.header("content-encoding"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        input.write_all(&request.body)?;
    }
    let told = child.wait_with_output()?.stdout;
    let end = told.windows(4).position(|end| end == b"\r\n\r\n");
    let end = end.ok_or_else(|| Error::other("git says nothing"))?;
    let (head, body) = (String::from_utf8_lossy(&told[..end]), &told[end + 4..]);
    let fields: Vec<(&str, &str)> = head
        .lines()
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name, value.trim()))
        .filter(|(name, _)| *name != "Content-Length")
        .collect();
    let status = fields.iter().find(|(name, _)| *name == "Status");
    let status = status.map_or("200 OK", |(_, status)| *status);
    Ok(answer(status, &fields, body))
}
