//! Connections of strangers and of programs that have shown the token.

use super::*;
use std::net::Ipv4Addr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

async fn door(places: usize, wait: Duration) -> Door {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    Door::with(listener, places, wait)
}

/// A connection, from outside and from inside.
async fn opened(door: &mut Door) -> (TcpStream, Connection) {
    let address = door.local_addr().unwrap();
    let outside = TcpStream::connect(address).await.unwrap();
    let (inside, _) = door.accept().await;
    (outside, inside)
}

#[tokio::test]
async fn a_stranger_that_says_nothing_loses_its_connection() {
    let mut door = door(2, Duration::ZERO).await;
    let (mut outside, mut inside) = opened(&mut door).await;
    let read = inside.read_u8().await;
    assert_eq!(read.unwrap_err().kind(), io::ErrorKind::TimedOut);
    drop(inside);
    assert_eq!(outside.read(&mut [0; 1]).await.unwrap(), 0, "it is closed");
}

#[tokio::test]
async fn a_known_program_keeps_its_connection() {
    let mut door = door(2, Duration::ZERO).await;
    let (mut outside, mut inside) = opened(&mut door).await;
    inside.visitor.admit();
    outside.write_u8(7).await.unwrap();
    assert_eq!(inside.read_u8().await.unwrap(), 7);
    inside.write_u8(8).await.unwrap();
    assert_eq!(outside.read_u8().await.unwrap(), 8);
}

#[tokio::test]
async fn another_one_is_taken_up_once_a_stranger_is_known_or_gone() {
    let mut door = door(1, Duration::from_secs(3_600)).await;
    let (_first, inside) = opened(&mut door).await;
    let address = door.local_addr().unwrap();
    let _second = TcpStream::connect(address).await.unwrap();
    let waited = tokio::time::timeout(Duration::from_millis(50), door.accept()).await;
    assert!(waited.is_err(), "there is one place for strangers");
    inside.visitor.admit();
    let (another, _) = door.accept().await;
    let _third = TcpStream::connect(address).await.unwrap();
    drop(another);
    door.accept().await;
}
