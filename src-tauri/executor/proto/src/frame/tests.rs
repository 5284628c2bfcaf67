//! Frames survive any cut, and other bytes are never taken for a frame.

use super::{FrameError, HEADER_BYTES, Inbox, MAX_FRAME_BYTES, encode};
use crate::{Call, CallAnswer, FromWorker, Given, Item, Packed, Packer, ToWorker};
use proptest::prelude::*;

fn text(value: &str) -> Packed {
    let mut packer = Packer::default();
    packer.item(Item::Text(value));
    packer.finish()
}

fn call(number: u32, value: &str) -> Call {
    Call {
        number,
        toolkit: "files".to_owned(),
        method: value.to_owned(),
        positional: vec![text(value)],
        named: vec![(value.to_owned(), text(value))],
        unfit: None,
        line: number,
    }
}

/// The messages or error of an inbox whose bytes arrive in pieces.
fn taken(bytes: &[u8], piece: usize) -> Result<Vec<FromWorker>, FrameError> {
    let mut inbox = Inbox::default();
    let mut messages = Vec::new();
    for arrived in bytes.chunks(piece.max(1)) {
        inbox.room(arrived.len())[..arrived.len()].copy_from_slice(arrived);
        inbox.arrived(arrived.len());
        while let Some(message) = inbox.take()? {
            messages.push(message);
        }
    }
    Ok(messages)
}

proptest! {
    #[test]
    fn messages_come_out_as_they_went_in_however_they_are_cut(
        values in proptest::collection::vec(".{0,40}", 1..8),
        piece in 1_usize..100,
    ) {
        let messages: Vec<FromWorker> =
            values.iter().zip(1..).map(|(value, number)| FromWorker::Calls(vec![call(number, value)])).collect();
        let mut bytes = Vec::new();
        for message in &messages {
            let mut frame = Vec::new();
            prop_assert!(encode(message, &mut frame).is_ok());
            bytes.extend(frame);
        }
        prop_assert_eq!(taken(&bytes, piece), Ok(messages));
    }

    #[test]
    fn any_bytes_are_messages_or_an_error_and_never_a_panic(
        body in proptest::collection::vec(any::<u8>(), 0..200),
        piece in 1_usize..64,
    ) {
        let mut framed = u32::try_from(body.len()).unwrap_or(0).to_le_bytes().to_vec();
        framed.extend(&body);
        if let Ok(messages) = taken(&framed, piece) {
            prop_assert!(messages.len() <= 1);
        }
        let unframed = taken(&body, piece);
        prop_assert!(unframed.is_ok() || unframed.is_err());
    }

    #[test]
    fn a_message_with_one_byte_changed_is_read_or_refused(place in 0_usize..60, byte in any::<u8>()) {
        let mut frame = Vec::new();
        let answers = ToWorker::Answers(vec![CallAnswer { number: 7, given: Given::Value(text("hello")) }]);
        prop_assert!(encode(&answers, &mut frame).is_ok());
        let place = HEADER_BYTES + place % (frame.len() - HEADER_BYTES);
        frame[place] = byte;
        let mut inbox = Inbox::default();
        inbox.room(frame.len())[..frame.len()].copy_from_slice(&frame);
        inbox.arrived(frame.len());
        let read = inbox.take::<ToWorker>();
        prop_assert!(read.is_ok() || read.is_err());
    }
}

#[test]
fn a_length_beyond_the_bound_is_refused_before_anything_is_stored() {
    let bytes = u32::MAX.to_le_bytes();
    assert_eq!(
        taken(&bytes, 4),
        Err(FrameError::TooLong {
            bytes: u32::MAX as usize
        })
    );
    let mut frame = Vec::new();
    let huge = FromWorker::Calls(vec![call(1, &"x".repeat(MAX_FRAME_BYTES))]);
    assert!(matches!(
        encode(&huge, &mut frame),
        Err(FrameError::TooLong { .. })
    ));
}

#[test]
fn bytes_behind_a_message_are_refused() {
    let mut frame = Vec::new();
    assert!(encode(&FromWorker::Calls(Vec::new()), &mut frame).is_ok());
    frame.push(0);
    frame[0] += 1;
    assert!(matches!(taken(&frame, 100), Err(FrameError::Malformed(_))));
}
