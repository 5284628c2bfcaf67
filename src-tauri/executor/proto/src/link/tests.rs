//! A link's promises over real pipes: deadlines, ends, and bounds.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use super::{Link, LinkError};
use crate::{FromWorker, Ready};
use std::io::Write;
use std::time::{Duration, Instant};

fn ready(build_id: &str) -> FromWorker {
    FromWorker::Ready(Ready {
        version: 1,
        build_id: build_id.to_owned(),
        confinement: Default::default(),
    })
}

/// Two sides of one link.
fn pair() -> (Link, Link) {
    let (reader_a, writer_b) = std::io::pipe().expect("a pipe can be made");
    let (reader_b, writer_a) = std::io::pipe().expect("a pipe can be made");
    let link = |reader: std::io::PipeReader, writer: std::io::PipeWriter| {
        Link::new(reader.into(), writer.into()).expect("a link can be made")
    };
    (link(reader_a, writer_a), link(reader_b, writer_b))
}

fn soon() -> Option<Instant> {
    Some(Instant::now() + Duration::from_secs(20))
}

#[test]
fn messages_larger_than_a_pipe_arrive_whole_and_in_order() {
    let (mut here, mut there) = pair();
    let sender = std::thread::spawn(move || {
        for size in [0, 1, 100_000, 3_000_000, 5] {
            there.send(&ready(&"x".repeat(size)), soon()).expect("it is sent");
        }
        there
    });
    for size in [0, 1, 100_000, 3_000_000, 5] {
        assert_eq!(
            here.receive::<FromWorker>(soon()).expect("it arrives"),
            ready(&"x".repeat(size))
        );
    }
    drop(sender.join().expect("it was sent"));
    assert!(matches!(
        here.receive::<FromWorker>(soon()),
        Err(LinkError::Closed)
    ));
}

#[test]
fn silence_and_a_reader_that_does_not_read_end_at_the_deadline() {
    let (mut here, _there) = pair();
    let begun = Instant::now();
    let short = || Some(Instant::now() + Duration::from_millis(30));
    assert!(matches!(
        here.receive::<FromWorker>(short()),
        Err(LinkError::TimedOut)
    ));
    assert!(matches!(
        here.send(&ready(&"x".repeat(1 << 20)), short()),
        Err(LinkError::TimedOut)
    ));
    assert!(begun.elapsed() >= Duration::from_millis(60));
}

#[test]
fn nonsense_from_the_other_side_is_an_error() {
    let (reader, mut nonsense) = std::io::pipe().expect("a pipe can be made");
    let (_kept, writer) = std::io::pipe().expect("a pipe can be made");
    let mut link = Link::new(reader.into(), writer.into()).expect("a link can be made");
    nonsense
        .write_all(b"GET / HTTP/1.1\r\n\r\n")
        .expect("it is written");
    assert!(matches!(
        link.receive::<FromWorker>(soon()),
        Err(LinkError::Frame(_))
    ));
}

#[test]
fn a_thousand_round_trips_alternate() {
    let (mut here, mut there) = pair();
    let echo = std::thread::spawn(move || {
        while let Ok(message) = there.receive::<FromWorker>(soon()) {
            there.send(&message, soon()).expect("it is sent back");
        }
    });
    for number in 0..1000 {
        let message = ready(&number.to_string());
        here.send(&message, soon()).expect("it is sent");
        assert_eq!(
            here.receive::<FromWorker>(soon()).expect("it comes back"),
            message
        );
    }
    drop(here);
    echo.join().expect("it ends with the link");
}
