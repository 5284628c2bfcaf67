//! Splits a byte stream into server-sent events, wherever the bytes are cut.
//!
//! An own decoder because its buffer must have a bound. A server that never ends a line is refused, not kept in
//! memory. Only `event` and `data` are read: we never resume a stream, so ids and retry times mean nothing.

/// Longest event, in bytes: far above any chunk of an answer (usually under 1 kB).
pub(crate) const EVENT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// One event; comments and empty events are never delivered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SseEvent {
    pub name: String,
    pub data: String,
}

/// An event grew beyond [`EVENT_BYTES_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EventTooLong;

#[derive(Debug, Default)]
pub(crate) struct SseDecoder {
    line: Vec<u8>,
    /// Whether the last byte was a carriage return; a line feed after it belongs to the same line end.
    after_return: bool,
    started: bool,
    event: SseEvent,
    has_data: bool,
}

impl SseDecoder {
    /// Takes the next bytes and appends the events that they complete.
    pub(crate) fn push(&mut self, bytes: &[u8], events: &mut Vec<SseEvent>) -> Result<(), EventTooLong> {
        for &byte in bytes {
            match byte {
                b'\n' if self.after_return => self.after_return = false,
                b'\n' | b'\r' => {
                    self.after_return = byte == b'\r';
                    self.end_line(events);
                }
                _ => {
                    self.after_return = false;
                    if self.line.len() + self.event.data.len() >= EVENT_BYTES_MAX {
                        return Err(EventTooLong);
                    }
                    self.line.push(byte);
                }
            }
        }
        Ok(())
    }

    /// Ends the stream. An event without its closing empty line is delivered too, as some servers forget the line.
    pub(crate) fn finish(&mut self, events: &mut Vec<SseEvent>) {
        if !self.line.is_empty() {
            self.end_line(events);
        }
        self.end_event(events);
    }

    fn end_line(&mut self, events: &mut Vec<SseEvent>) {
        let bytes = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&bytes);
        let line = if self.started {
            &text
        } else {
            text.trim_start_matches('\u{feff}')
        };
        self.started = true;
        if line.is_empty() {
            self.end_event(events);
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.has_data = true;
                self.event.data.push_str(value);
            }
            "event" => value.clone_into(&mut self.event.name),
            _ => {}
        }
    }

    fn end_event(&mut self, events: &mut Vec<SseEvent>) {
        let event = std::mem::take(&mut self.event);
        if std::mem::take(&mut self.has_data) {
            events.push(event);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decode(pieces: &[&[u8]]) -> Vec<(String, String)> {
        let mut decoder = SseDecoder::default();
        let mut events = Vec::new();
        for piece in pieces {
            decoder.push(piece, &mut events).expect("short events");
        }
        decoder.finish(&mut events);
        events.into_iter().map(|event| (event.name, event.data)).collect()
    }

    const STREAM: &str = "\u{feff}: keep-alive\r\n\r\ndata:{\"a\":\"你好\"}\n\nevent: error\rdata: one\rdata: two\r\r\nid: 7\nretry: 3\ndata\n\ndata: [DONE]";

    #[test]
    fn comments_returns_missing_spaces_and_a_missing_end_are_understood() {
        let events = decode(&[STREAM.as_bytes()]);
        let expected = [
            ("", "{\"a\":\"你好\"}"),
            ("error", "one\ntwo"),
            ("", ""),
            ("", "[DONE]"),
        ];
        let expected: Vec<_> = expected
            .iter()
            .map(|(name, data)| ((*name).to_owned(), (*data).to_owned()))
            .collect();
        assert_eq!(events, expected);
    }

    #[test]
    fn a_line_without_end_is_refused() {
        let mut decoder = SseDecoder::default();
        let piece = vec![b'x'; EVENT_BYTES_MAX + 1];
        assert_eq!(decoder.push(&piece, &mut Vec::new()), Err(EventTooLong));
    }

    #[test]
    fn every_single_cut_gives_the_same_events() {
        let whole = decode(&[STREAM.as_bytes()]);
        for cut in 0..STREAM.len() {
            let (head, tail) = STREAM.as_bytes().split_at(cut);
            assert_eq!(decode(&[head, tail]), whole, "cut at byte {cut}");
        }
    }

    proptest! {
        #[test]
        fn any_cuts_of_any_text_give_the_same_events(text in "(data: ?|event:|:|\r\n|\n|\r|[a-z{}你]){0,60}", cuts in prop::collection::vec(0usize..300, 0..8)) {
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut % (bytes.len() + 1)).collect();
            cuts.sort_unstable();
            let mut pieces = Vec::new();
            let mut from = 0;
            for cut in cuts {
                pieces.push(&bytes[from..cut]);
                from = cut;
            }
            pieces.push(&bytes[from..]);
            prop_assert_eq!(decode(&pieces), decode(&[bytes]));
        }

        #[test]
        fn no_bytes_make_the_decoder_fail(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            decode(&[&bytes]);
        }
    }
}
