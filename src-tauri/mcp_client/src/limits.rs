//! Every bound of this crate, with its unit and its reason.

use shidi_protocol::NewMcpServer;
use std::time::Duration;

/// Waits that a caller may shorten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time from a server's start to its readiness.
    pub connect: Duration,
    /// Time of one call, with or without progress. A server must offer longer work as a job to ask about later.
    pub call: Duration,
    /// Time of one list of tools.
    pub list: Duration,
    /// Time for a child's own end after its input is closed; then it is killed.
    pub close: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(NewMcpServer::READY_WITHIN_S),
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

/// Bytes of a line without a number after which the server is ended: no answer is coming.
pub const ENDLESS_BYTES: usize = 8 * MESSAGE_BYTES_MAX;

/// Start and end of an overlong message in which its number is looked for, in bytes.
pub const MESSAGE_EDGE_BYTES: usize = 512;

/// Bytes between a child's output and the reader of the protocol.
pub const PIPE_BYTES: usize = 64 << 10;

/// Characters of one result's text that a program gets: a longer text is no useful answer.
pub const RESULT_CHARACTERS_MAX: usize = 1_000_000;

/// Text of an error that a program gets, in characters.
pub const ERROR_CHARACTERS_MAX: usize = 2_000;

/// One line about a result, in characters.
pub const SUMMARY_CHARACTERS: usize = 80;

/// Tools of one server that programs get: with more, a model chooses badly, and the prompt is full.
pub const TOOLS_MAX: usize = 256;

/// Tools of one server that are listed, so that its user can choose among them, and bytes of their descriptions. The
/// largest servers have some hundred.
pub const TOOLS_LISTED_MAX: usize = 1_024;
pub const TOOLS_BYTES_MAX: usize = 8 << 20;

/// Files of one result that are kept, pictures among them, and their bytes together. A message has no room for more.
pub const FILES_MAX: usize = 8;
pub const FILES_BYTES_MAX: usize = 6 << 20;

/// Characters of a file's name that come from the address of a resource.
pub const FILE_NAME_CHARACTERS: usize = 60;

/// Resources, templates and prompts of one server that are listed: a program finds its way in a thousand.
pub const BESIDE_LISTED_MAX: usize = 1_000;

/// Bytes of a resource's address; one with a longer one is not listed for people.
pub const RESOURCE_URI_BYTES_MAX: usize = 2_000;

/// Arguments of a prompt: each is a field that a person fills.
pub const PROMPT_ARGUMENTS_MAX: usize = 20;

/// Files that a server may put beside a prompt: each goes along by itself.
pub const PROMPT_FILES_MAX: usize = 10;

/// Bytes of a tool's name; a tool with a longer name, or one with control characters, is not listed.
pub const TOOL_NAME_BYTES_MAX: usize = 256;

/// Folders that a server is told of: more are no folders that somebody granted one by one.
pub const ROOTS_MAX: usize = 32;

/// Wait for a server that asks for the folders anew after they have changed. Then wait for the server to take the
/// answer. A call that comes first would be judged by the old folders. The server of files looks at each folder on the
/// disk meanwhile.
pub const ROOTS_WAIT: Duration = Duration::from_secs(1);
pub const ROOTS_SETTLE: Duration = Duration::from_millis(200);

/// Pause between two reports of a call's progress: nobody reads faster. A call has at most 600 by its own time.
pub const PROGRESS_EVERY: Duration = Duration::from_millis(500);

/// Characters of what a server says of its progress: a line of a card.
pub const PROGRESS_CHARACTERS_MAX: usize = 120;

/// Rounds in which a server of the newest revision asks before it answers a call. The SDKs allow as many.
pub const ROUNDS_MAX: usize = 10;

/// Requests of one such round.
pub const ROUND_REQUESTS_MAX: usize = 8;

/// Pause before a round in which the server asked for nothing but patience.
pub const ROUND_PAUSE: Duration = Duration::from_millis(250);

/// Questions to the person in one call: a server that wants more has no form but a conversation.
pub const ELICITATIONS_MAX: u32 = 10;

/// Bounds of a form: fields, choices of one, and characters or bytes of what is said in it. A card of the panel shows no
/// more, and nobody reads more before they answer.
pub const ELICITED_FIELDS_MAX: usize = 20;
pub const ELICITED_CHOICES_MAX: usize = 50;
pub const ELICITED_MESSAGE_CHARACTERS_MAX: usize = 1_000;
pub const ELICITED_LABEL_CHARACTERS_MAX: usize = 100;
pub const ELICITED_NOTE_CHARACTERS_MAX: usize = 240;
pub const ELICITED_DEFAULT_CHARACTERS_MAX: usize = 500;
pub const ELICITED_NAME_BYTES_MAX: usize = 128;
pub const ELICITED_URL_BYTES_MAX: usize = 2_000;

/// Questions to a model in one call, and tokens that it may write for them together. The user pays for them; a summary
/// has some 500.
pub const SAMPLINGS_MAX: u32 = 5;
pub const SAMPLING_TOKENS_MAX: u32 = 4_000;

/// Messages and characters of a question to a model: a person looks through all of it before it is sent.
pub const SAMPLED_MESSAGES_MAX: usize = 20;
pub const SAMPLED_CHARACTERS_MAX: usize = 8_000;

/// Pages of a list of tools.
pub const TOOL_PAGES_MAX: usize = 64;

/// Bytes of one tool's schema; larger ones become a parameter of any shape.
pub const SCHEMA_BYTES_MAX: usize = 64 << 10;

/// Characters of a server's own description, of a tool's and of a parameter's.
pub const TOOL_DOC_CHARACTERS: usize = 1_000;
pub const PARAMETER_DOC_CHARACTERS: usize = 240;
pub const SKETCH_CHARACTERS: usize = 200;

/// Characters of a tool's whole description, with its parameters.
pub const METHOD_DOC_CHARACTERS: usize = 4_000;

/// Parameters of one tool; a tool with more takes them as one dict.
pub const PARAMETERS_MAX: usize = 48;

/// Bytes of a text default that is shown.
pub const DEFAULT_BYTES_MAX: usize = 24;

/// Choices of an enumeration that are shown.
pub const CHOICES_MAX: usize = 16;

/// References and levels of a schema that are followed, and nodes that are visited: schemas may contain themselves.
pub const SCHEMA_DEPTH_MAX: usize = 12;
pub const SCHEMA_STEPS_MAX: usize = 4_000;
pub const SKETCH_DEPTH_MAX: usize = 3;

/// Characters of a name of a toolkit, method or parameter.
pub const NAME_CHARACTERS_MAX: usize = 64;

/// Bytes of a child's error output that are kept, and characters of it that a sentence quotes.
pub const STDERR_BYTES_MAX: usize = 4 << 10;
pub const STDERR_QUOTED_CHARACTERS: usize = 300;

/// Lines of a server's log and their bytes together, and characters of one line: what a person looks through.
pub const LOG_LINES_MAX: usize = 200;
pub const LOG_BYTES_MAX: usize = 64 << 10;
pub const LOG_LINE_CHARACTERS: usize = 1_000;

/// Wait for the rest of the output of a child that has ended.
pub const LAST_WORDS_WAIT: Duration = Duration::from_secs(1);

/// Pause before a server that ended is started again: none the first time, then doubling.
pub const REST_FIRST: Duration = Duration::from_secs(2);
pub const REST_MAX: Duration = Duration::from_secs(300);

/// A server that ran this long had no trouble starting: its next end counts as the first.
pub const STEADY_AFTER: Duration = Duration::from_secs(60);

/// Pause before news of changed tools are subscribed to again after their stream ended.
pub const LISTEN_AGAIN_AFTER: Duration = Duration::from_secs(30);

/// Wait for a user who signs in with a browser.
pub const SIGNED_IN_WAIT: Duration = Duration::from_secs(300);

/// Wait for a browser that takes its last page.
pub const PAGE_WAIT: Duration = Duration::from_secs(2);

/// Rights that are asked for at once, and bytes of one's name. A page of consent shows no more.
pub const RIGHTS_MAX: usize = 40;
pub const RIGHT_BYTES_MAX: usize = 200;

/// Characters of what an authorization server says of a failure.
pub const SAID_CHARACTERS: usize = 300;

/// Interval at which the companion's host looks for a missing Shidi: cheap while idle, and short for a waiting user.
pub const COMPANION_LOOKS_EVERY: Duration = Duration::from_millis(500);

/// Bytes of an id that a browser or Shidi has given: a token of 64 digits, a document, a call.
pub const WORD_BYTES_MAX: usize = 128;

/// Bounds of a page that a browser reports: bytes of its address, characters of its title, tools that it offers.
pub const PAGE_ADDRESS_BYTES_MAX: usize = 4_096;
pub const PAGE_TITLE_CHARACTERS: usize = 300;
pub const PAGE_TOOLS_MAX: usize = 64;

/// Pieces in which a browser tells the content of a page, and bytes of one. Browsers take at most a mebibyte in one
/// message, and their own may be as long.
pub const CONTENT_PIECES_MAX: usize = 16;
pub const CONTENT_PIECE_BYTES_MAX: usize = 1 << 20;

/// Bytes of the file of a PDF that a browser fetches once more: a book with pictures. The companion keeps to it, too.
pub const PDF_BYTES_MAX: usize = 20 << 20;

/// Pieces in which the file passes, and bytes of one in Base64. A piece stays below the mebibyte of one message.
pub const PDF_PIECES_MAX: usize = 28;
pub const PDF_PIECE_BYTES_MAX: usize = 1_000_000;

/// Bounds of a content, which the companion keeps too: characters of its texts, and numbers of its parts.
pub const CONTENT_TEXT_CHARACTERS: usize = 400_000;
pub const CONTENT_VISIBLE_CHARACTERS: usize = 40_000;
pub const CONTENT_SELECTION_CHARACTERS: usize = 20_000;
pub const CONTENT_AROUND_CHARACTERS: usize = 400;
pub const CONTENT_LABEL_CHARACTERS: usize = 200;
pub const CONTENT_VALUE_CHARACTERS: usize = 2_000;
pub const CONTENT_FIELDS_MAX: usize = 200;
pub const CONTENT_BUTTONS_MAX: usize = 60;
pub const CONTENT_LINKS_MAX: usize = 1_000;
pub const CONTENT_OPTIONS_MAX: usize = 100;
/// Texts that a page offers of itself, and characters of one.
pub const CONTENT_CONTEXTS_MAX: usize = 16;
pub const CONTENT_CONTEXT_CHARACTERS: usize = 20_000;

/// Characters of the names of a form and of its fields, of a value, of a button. Labels of forms are shorter.
pub const FORM_NAME_CHARACTERS: usize = 80;
pub const FORM_VALUE_CHARACTERS: usize = 80;
pub const FORM_BUTTON_CHARACTERS: usize = 60;

/// Values of one use of a form, and options of a field with their characters. Nobody reads more in a proposal.
pub const FORM_VALUES_MAX: usize = 20;
pub const FORM_OPTIONS_MAX: usize = 30;
pub const FORM_OPTION_CHARACTERS: usize = 80;
