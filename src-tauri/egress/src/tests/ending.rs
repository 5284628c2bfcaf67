//! Promises of a command's end: it waits for nothing, and what it cuts short is reported as what it was.

use super::*;
use std::sync::mpsc;
use std::time::Instant;

/// More than enough for what has to come, and less than what must not be waited for.
const SOON: Duration = Duration::from_secs(10);
const LONG: Duration = Duration::from_secs(30);

#[test]
fn the_end_of_the_command_waits_for_no_look_up_and_an_allowed_host_is_not_reported_as_undecided() {
    let mut bench = bench(&[("far.example", FAR)], allowed(&["far.example"]), "none");
    let (begins, begun) = mpsc::channel();
    let (answers, answer) = mpsc::channel::<()>();
    *bench.names.before.lock() = Some(Box::new(move || {
        begins.send(()).unwrap();
        // A name server that is dead.
        answer.recv_timeout(LONG).unwrap_or_default();
    }));
    let mut stream = bench.connect();
    stream
        .write_all(b"CONNECT far.example:443 HTTP/1.1\r\n\r\n")
        .unwrap();
    begun.recv_timeout(SOON).unwrap();
    let ended = Instant::now();
    let reports = bench.reports();
    assert!(ended.elapsed() < SOON, "it took {:?}", ended.elapsed());
    let cause = "the command ended first".to_owned();
    assert_eq!(reports[0].refusal, Some(Refusal::Unreachable { cause }));
    drop(answers);
}

#[test]
fn a_host_that_a_person_is_still_asked_about_is_reported_as_undecided() {
    for (network, refusal) in [
        (Network::Open, Refusal::Undecided),
        (Network::Local, Refusal::Local),
    ] {
        let rules = Rules {
            waits: vec![("inwards.example", network)],
            ..allowed(&["inwards.example"])
        };
        let mut bench = bench(&[("inwards.example", "127.0.0.1")], rules, "none");
        let mut stream = bench.connect();
        stream
            .write_all(b"CONNECT inwards.example:443 HTTP/1.1\r\n\r\n")
            .unwrap();
        let asked = ("inwards.example".to_owned(), network);
        let began = Instant::now();
        while !bench.rules.asked.lock().contains(&asked) {
            assert!(began.elapsed() < SOON, "nobody was asked");
            std::thread::yield_now();
        }
        assert_eq!(bench.reports()[0].refusal, Some(refusal));
    }
}

#[test]
fn the_end_of_the_command_ends_its_connections_and_they_are_reported() {
    let mut bench = bench(&[("far.example", FAR)], allowed(&["far.example"]), "none");
    let listener = TcpListener::bind((FAR, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let heard = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let (mut hello, mut rest) = ([0; 5], Vec::new());
        stream.read_exact(&mut hello).unwrap();
        stream.write_all(b"!").unwrap();
        stream.read_to_end(&mut rest).unwrap();
        (hello, rest)
    });
    let mut stream = bench.connect();
    stream
        .write_all(format!("CONNECT far.example:{port} HTTP/1.1\r\n\r\nhello").as_bytes())
        .unwrap();
    let mut byte = [0];
    while byte != *b"!" {
        stream.read_exact(&mut byte).unwrap();
    }
    let mut waits = bench.connect();
    waits.write_all(b"CONNECT far.exam").unwrap();
    let reports = bench.reports();
    assert_eq!((reports.len(), reports[0].sent_bytes), (1, 5));
    assert_eq!(reports[0].refusal, None, "it was reached");
    assert_eq!(
        heard.join().unwrap(),
        (*b"hello", Vec::new()),
        "the server sees the end"
    );
    let mut rest = Vec::new();
    stream.read_to_end(&mut rest).unwrap_or_default();
    assert!(
        TcpStream::connect(bench.address).is_err(),
        "nobody listens any more"
    );
}
