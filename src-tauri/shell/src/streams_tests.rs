//! Promises of this room, as tests.

use super::*;
use tokio::sync::mpsc;

impl Source for mpsc::UnboundedReceiver<Reply> {
    fn next(&mut self) -> impl Future<Output = Option<Reply>> + Send {
        self.recv()
    }
}

fn replies(count: usize) -> mpsc::UnboundedReceiver<Reply> {
    let (sender, receiver) = mpsc::unbounded_channel();
    for _ in 0..count {
        sender.send(Reply::Done).unwrap();
    }
    receiver
}

async fn batches_of(receiver: mpsc::UnboundedReceiver<Reply>) -> Vec<usize> {
    let streams = Streams::default();
    let closed = streams.enter(StreamId(1)).unwrap();
    let mut sizes = Vec::new();
    let deliver = |batch: Vec<Reply>| {
        sizes.push(batch.len());
        Delivery::Arrived
    };
    carry(receiver, closed, deliver).await;
    sizes
}

#[tokio::test(start_paused = true)]
async fn a_flood_travels_in_full_batches_and_nothing_is_lost() {
    assert_eq!(batches_of(replies(150)).await, [64, 64, 22]);
}

#[tokio::test(start_paused = true)]
async fn a_single_reply_travels_at_once() {
    let begun = Instant::now();
    assert_eq!(batches_of(replies(1)).await, [1]);
    assert_eq!(begun.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn replies_that_follow_closely_travel_together() {
    let (sender, receiver) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        for _ in 0..9 {
            sender.send(Reply::Done).unwrap();
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
    let sizes = batches_of(receiver).await;
    assert_eq!(sizes.iter().sum::<usize>(), 9);
    assert!(sizes.len() <= 4, "{sizes:?}");
}

#[tokio::test]
async fn a_closed_stream_ends_though_more_would_come() {
    let (sender, receiver) = mpsc::unbounded_channel::<Reply>();
    let streams = Streams::default();
    let closed = streams.enter(StreamId(7)).unwrap();
    streams.close(StreamId(7));
    carry(receiver, closed, |_| Delivery::Arrived).await;
    drop(sender);
}

#[tokio::test]
async fn a_page_that_is_gone_ends_its_stream() {
    let streams = Streams::default();
    let closed = streams.enter(StreamId(7)).unwrap();
    let (sender, receiver) = mpsc::unbounded_channel();
    sender.send(Reply::Done).unwrap();
    carry(receiver, closed, |_| Delivery::PageGone).await;
}

#[test]
fn the_number_of_open_streams_is_bounded() {
    let streams = Streams::default();
    let kept: Vec<_> = (0..64)
        .map(|number| streams.enter(StreamId(number)).unwrap())
        .collect();
    assert!(streams.enter(StreamId(64)).is_err());
    streams.close(StreamId(3));
    assert!(streams.enter(StreamId(64)).is_ok());
    drop(kept);
}
