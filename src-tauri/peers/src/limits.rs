//! Every bound of this room, with its unit and its reason.

use std::time::Duration;

/// Waits that a caller may shorten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From the start of a server to its readiness: the first start of one that a package runner has to fetch takes
    /// most of a minute.
    pub connect: Duration,
    /// One call, progress or not: longer work is given out by the server as something to ask about later.
    pub call: Duration,
    /// One list of tools.
    pub list: Duration,
    /// A child's own end after its input is closed; then it is killed.
    pub close: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(90),
            call: Duration::from_secs(300),
            list: Duration::from_secs(30),
            close: Duration::from_secs(2),
        }
    }
}

/// Wait for a connection to an address.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Largest message of a server in bytes: a few pictures, or a long document.
pub const MESSAGE_BYTES_MAX: usize = 8 << 20;

/// Start and end of an overlong message in which its number is looked for, in bytes.
pub const MESSAGE_EDGE_BYTES: usize = 512;

/// Bytes between a child's output and the reader of the protocol.
pub const PIPE_BYTES: usize = 64 << 10;

/// Text of one result that a program gets, in characters: what is longer is no answer that a program asked for.
pub const RESULT_CHARACTERS_MAX: usize = 1_000_000;

/// Text of an error that a program gets, in characters.
pub const ERROR_CHARACTERS_MAX: usize = 2_000;

/// One line about a result, in characters.
pub const SUMMARY_CHARACTERS: usize = 80;

/// Tools of one server: beyond that a model no longer chooses well, and the prompt is full.
pub const TOOLS_MAX: usize = 256;

/// Bytes of a tool's name; one that is longer, or steers a terminal, is not listed.
pub const TOOL_NAME_BYTES_MAX: usize = 256;

/// Pages of a list of tools.
pub const TOOL_PAGES_MAX: usize = 64;

/// Bytes of one tool's schema; larger ones become a parameter of any shape.
pub const SCHEMA_BYTES_MAX: usize = 64 << 10;

/// Characters of what a server says of itself, of a tool and of a parameter.
pub const TOOL_DOC_CHARACTERS: usize = 1_000;
pub const PARAMETER_DOC_CHARACTERS: usize = 240;
pub const SKETCH_CHARACTERS: usize = 200;

/// Characters of a tool's whole description, with its parameters.
pub const METHOD_DOC_CHARACTERS: usize = 4_000;

/// Parameters of one tool; beyond that they are given as one dict.
pub const PARAMETERS_MAX: usize = 48;

/// Bytes of a text that is a parameter's default and is told.
pub const DEFAULT_BYTES_MAX: usize = 24;

/// Choices of an enumeration that are told.
pub const CHOICES_MAX: usize = 16;

/// References and levels of a schema that are followed, and places that are looked at: schemas may contain themselves.
pub const SCHEMA_DEPTH_MAX: usize = 12;
pub const SCHEMA_STEPS_MAX: usize = 4_000;
pub const SKETCH_DEPTH_MAX: usize = 3;

/// Characters of a name of a toolkit, method or parameter.
pub const NAME_CHARACTERS_MAX: usize = 64;

/// Bytes of a child's error output that are kept, and characters of it that a sentence quotes.
pub const STDERR_BYTES_MAX: usize = 4 << 10;
pub const STDERR_QUOTED_CHARACTERS: usize = 300;

/// Wait for the rest of what a child that ended had written.
pub const LAST_WORDS_WAIT: Duration = Duration::from_millis(300);

/// Pause before a server that ended is started again: none the first time, then doubling.
pub const REST_FIRST: Duration = Duration::from_secs(2);
pub const REST_MAX: Duration = Duration::from_secs(300);

/// A server that held on so long had no trouble starting: its next end counts as the first.
pub const STEADY_AFTER: Duration = Duration::from_secs(60);

/// Pause before news of changed tools are subscribed to again after their stream ended.
pub const LISTEN_AGAIN_AFTER: Duration = Duration::from_secs(30);

/// Between two looks of the companion's host for a Shidi that isn't there yet: an idle start, and nobody waits longer.
pub const COMPANION_LOOKS_EVERY: Duration = Duration::from_millis(500);

/// Bytes of a name that a browser and Shidi gave something: a token of 64 digits, a document, a call.
pub const WORD_BYTES_MAX: usize = 128;

/// Of a page that a browser tells of: bytes of its address, characters of its title, tools that it offers.
pub const PAGE_ADDRESS_BYTES_MAX: usize = 4_096;
pub const PAGE_TITLE_CHARACTERS: usize = 300;
pub const PAGE_TOOLS_MAX: usize = 64;
