//! Downloads by a host that breaks off, lies, or answers with something else.

use super::*;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// More than a pipe holds, so that an answer can break off in its middle.
const BYTES: usize = 600_000;

fn content() -> Vec<u8> {
    (0..BYTES).map(|at| u8::try_from(at * 7 % 251).unwrap()).collect()
}

/// How a host answers, one after the other; the last goes on.
#[derive(Debug, Clone, Copy)]
enum Manner {
    Well,
    /// So many bytes of what was asked for, and no more.
    BreaksAfter(usize),
    /// The whole file, whatever was asked for.
    Whole,
    Status(u16),
    /// A file of the same length.
    Other,
    Shorter,
    /// A page of no told length.
    Untold,
    /// Another part than was asked for.
    WrongPart,
    /// Sends on to `/there`.
    Elsewhere,
}

/// Path and first byte of each request.
type RequestLog = Mutex<Vec<(String, Option<u64>)>>;

struct Host {
    url: Url,
    asked: Arc<RequestLog>,
}

impl Host {
    async fn new(manners: &[Manner]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = Url::parse(&format!("http://{}/m.gguf", listener.local_addr().unwrap())).unwrap();
        let asked = Arc::default();
        let (manners, heard) = (manners.to_vec(), Arc::clone(&asked));
        tokio::spawn(async move {
            let mut number = 0;
            while let Ok((stream, _)) = listener.accept().await {
                let manner = manners[number.min(manners.len() - 1)];
                number += 1;
                answer(stream, manner, &heard).await;
            }
        });
        Self { url, asked }
    }
}

async fn answer(stream: TcpStream, manner: Manner, heard: &RequestLog) {
    let mut stream = BufReader::new(stream);
    let (mut path, mut first) = (String::new(), None);
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.unwrap_or(0) == 0 || line == "\r\n" {
            break;
        }
        if let Some(rest) = line.strip_prefix("GET ") {
            path = rest.split(' ').next().unwrap_or_default().to_owned();
        }
        if let Some(rest) = line.to_lowercase().strip_prefix("range: bytes=") {
            first = rest.split('-').next().unwrap_or_default().parse::<u64>().ok();
        }
    }
    heard.lock().unwrap().push((path, first));
    let begin = usize::try_from(first.unwrap_or_default()).unwrap();
    let whole = content();
    let (head, body) = match manner {
        Manner::Well | Manner::BreaksAfter(_) => (part(first, begin), whole[begin..].to_vec()),
        Manner::Whole => (part(None, 0), whole),
        Manner::Status(status) => (
            format!("HTTP/1.1 {status} Oh\r\nContent-Length: 0\r\n"),
            Vec::new(),
        ),
        Manner::Other => (part(first, begin), vec![b'x'; BYTES - begin]),
        Manner::Shorter => (
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n".to_owned(),
            b"sorry".to_vec(),
        ),
        Manner::Untold => ("HTTP/1.1 200 OK\r\n".to_owned(), b"Please log in".to_vec()),
        Manner::WrongPart => (part(Some(1), 1), whole[1..].to_vec()),
        Manner::Elsewhere => (
            "HTTP/1.1 302 Found\r\nLocation: /there\r\nContent-Length: 0\r\n".to_owned(),
            Vec::new(),
        ),
    };
    let sent = match manner {
        Manner::BreaksAfter(bytes) => &body[..bytes.min(body.len())],
        _ => &body,
    };
    let head = format!("{head}Connection: close\r\n\r\n");
    // Whoever asked may have gone.
    drop(stream.write_all(head.as_bytes()).await);
    drop(stream.write_all(sent).await);
    drop(stream.shutdown().await);
}

fn part(first: Option<u64>, begin: usize) -> String {
    let length = BYTES - begin;
    match first {
        None => format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n"),
        Some(_) => format!(
            "HTTP/1.1 206 Partial Content\r\nContent-Length: {length}\r\nContent-Range: bytes {begin}-{}/{BYTES}\r\n",
            BYTES - 1
        ),
    }
}

struct Desk {
    folder: tempfile::TempDir,
    host: Host,
}

impl Desk {
    async fn new(manners: &[Manner]) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            host: Host::new(manners).await,
        }
    }

    fn place(&self) -> PathBuf {
        self.folder.path().join("models/m.gguf")
    }

    fn wanted(&self) -> Wanted {
        Wanted {
            url: self.host.url.clone(),
            place: self.place(),
            bytes: BYTES as u64,
            sha256: hex::encode(Sha256::digest(content())),
        }
    }

    async fn fetch(&self) -> Result<(), Halt> {
        transfer(self.wanted(), &Proxy::Direct, &CancellationToken::new(), &|_| {}).await
    }

    /// So much of it is there already.
    fn has_come(&self, bytes: usize) {
        let part = part_of(&self.place());
        std::fs::create_dir_all(part.parent().unwrap()).unwrap();
        std::fs::write(&part, &content()[..bytes]).unwrap();
    }

    fn has_file(&self) -> bool {
        std::fs::read(self.place()).is_ok_and(|bytes| bytes == content())
    }

    fn part(&self) -> u64 {
        part_of(&self.place()).metadata().map_or(0, |facts| facts.len())
    }

    fn asked(&self) -> Vec<Option<u64>> {
        self.host
            .asked
            .lock()
            .unwrap()
            .iter()
            .map(|(_, first)| *first)
            .collect()
    }
}

#[tokio::test]
async fn a_file_comes_whole_and_tells_how_far_it_is() {
    let desk = Desk::new(&[Manner::Well]).await;
    let stages = Mutex::new(Vec::new());
    let tell = |stage| stages.lock().unwrap().push(stage);
    transfer(desk.wanted(), &Proxy::Direct, &CancellationToken::new(), &tell)
        .await
        .unwrap();
    assert!(desk.has_file() && desk.part() == 0);
    let stages = stages.into_inner().unwrap();
    assert_eq!(stages.first(), Some(&Stage::Checking));
    assert_eq!(
        stages[stages.len() - 2..],
        [Stage::Coming(BYTES as u64), Stage::Checking]
    );
}

#[tokio::test]
async fn what_broke_off_is_gone_on_with_at_its_end() {
    let desk = Desk::new(&[
        Manner::BreaksAfter(200_000),
        Manner::BreaksAfter(100_000),
        Manner::Well,
    ])
    .await;
    desk.fetch().await.unwrap();
    assert!(desk.has_file());
    let asked = desk.asked();
    assert_eq!(asked.len(), 3);
    assert!(
        asked[0].is_none() && asked[1] > Some(0) && asked[2] > asked[1],
        "{asked:?}"
    );
}

#[tokio::test]
async fn what_was_there_before_is_used_and_what_was_changed_in_it_is_found() {
    let desk = Desk::new(&[Manner::Well]).await;
    desk.has_come(300_000);
    desk.fetch().await.unwrap();
    assert!(desk.has_file());
    assert_eq!(desk.asked(), [Some(300_000)]);

    let desk = Desk::new(&[Manner::Well]).await;
    let part = part_of(&desk.place());
    std::fs::create_dir_all(part.parent().unwrap()).unwrap();
    std::fs::write(&part, vec![b'x'; 300_000]).unwrap();
    assert_eq!(desk.fetch().await, Err(Halt::Other));
    assert!(
        !desk.place().exists() && desk.part() == 0,
        "nothing of it is kept"
    );
}

#[tokio::test]
async fn a_host_that_knows_no_parts_begins_anew() {
    let desk = Desk::new(&[Manner::BreaksAfter(200_000), Manner::Whole]).await;
    desk.fetch().await.unwrap();
    assert!(desk.has_file());
}

#[tokio::test]
async fn another_file_never_gets_the_name() {
    let desk = Desk::new(&[Manner::Other]).await;
    assert_eq!(desk.fetch().await, Err(Halt::Other));
    assert!(!desk.place().exists() && !part_of(&desk.place()).exists());
}

#[tokio::test]
async fn an_answer_that_is_something_else_costs_nothing_of_what_came() {
    for manner in [
        Manner::Shorter,
        Manner::Untold,
        Manner::WrongPart,
        Manner::Status(404),
    ] {
        let desk = Desk::new(&[manner, Manner::Well]).await;
        desk.has_come(300_000);
        let why = match manner {
            Manner::Status(status) => Halt::Status(status),
            _ => Halt::Unexpected,
        };
        assert_eq!(desk.fetch().await, Err(why), "{manner:?}");
        assert_eq!(desk.part(), 300_000, "{manner:?}");
        desk.fetch().await.unwrap();
        assert!(desk.has_file());
    }
    for manner in [Manner::Shorter, Manner::Untold] {
        let desk = Desk::new(&[manner]).await;
        assert_eq!(desk.fetch().await, Err(Halt::Unexpected));
        let part = part_of(&desk.place());
        assert!(!part.exists(), "nothing came, and nothing lies there");
    }
}

#[tokio::test]
async fn one_that_is_stopped_leaves_what_came_and_no_lock() {
    let desk = Desk::new(&[Manner::Well]).await;
    let stop = CancellationToken::new();
    let tell = |stage| {
        if matches!(stage, Stage::Coming(done) if done > 100_000) {
            stop.cancel();
        }
    };
    let end = transfer(desk.wanted(), &Proxy::Direct, &stop, &tell).await;
    assert_eq!(end, Err(Halt::Stopped));
    assert!(!desk.place().exists() && desk.part() > 100_000);
    desk.fetch().await.unwrap();
    assert!(desk.has_file());
}

#[tokio::test]
async fn a_redirect_is_followed_and_a_refusal_is_told() {
    let desk = Desk::new(&[Manner::Elsewhere, Manner::Well]).await;
    desk.fetch().await.unwrap();
    assert_eq!(desk.host.asked.lock().unwrap()[1].0, "/there");
    let desk = Desk::new(&[Manner::Status(404)]).await;
    assert_eq!(desk.fetch().await, Err(Halt::Status(404)));
    assert_eq!(desk.asked().len(), 1, "it is not asked again");
    let desk = Desk::new(&[Manner::Status(503), Manner::Well]).await;
    desk.fetch().await.unwrap();
}

#[tokio::test]
async fn what_lies_at_the_place_stays() {
    let desk = Desk::new(&[Manner::Well]).await;
    std::fs::create_dir_all(desk.place().parent().unwrap()).unwrap();
    std::fs::write(desk.place(), "mine").unwrap();
    assert_eq!(desk.fetch().await, Err(Halt::Occupied(desk.place())));
    assert_eq!(std::fs::read_to_string(desk.place()).unwrap(), "mine");
}

#[tokio::test]
async fn two_do_not_write_to_one_place() {
    let desk = Desk::new(&[Manner::Well]).await;
    let _held = Part::open(&desk.place(), BYTES as u64, CancellationToken::new())
        .ok()
        .unwrap();
    assert_eq!(desk.fetch().await, Err(Halt::Busy));
}

#[tokio::test]
async fn a_file_that_no_disk_has_room_for_is_not_begun() {
    let desk = Desk::new(&[Manner::Well]).await;
    let mut wanted = desk.wanted();
    wanted.bytes = 1 << 60;
    let end = transfer(wanted, &Proxy::Direct, &CancellationToken::new(), &|_| {}).await;
    assert!(
        !cfg!(unix) || matches!(end, Err(Halt::Full { needs, .. }) if needs > 1 << 60),
        "{end:?}"
    );
    assert_eq!(desk.asked(), []);
}

#[cfg(unix)]
#[tokio::test]
async fn a_link_that_somebody_laid_is_not_written_through() {
    let desk = Desk::new(&[Manner::Well]).await;
    let victim = desk.folder.path().join("victim");
    std::fs::write(&victim, "mine").unwrap();
    std::fs::create_dir_all(desk.place().parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&victim, part_of(&desk.place())).unwrap();
    assert!(matches!(desk.fetch().await, Err(Halt::Occupied(_))));
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "mine");
}
