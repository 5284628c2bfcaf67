//! Bounds of what other programs send and get, with unit and reason.

use std::time::Duration;

/// Bytes of one message: a question with a long text in it, many times over.
pub const LINE_BYTES_MAX: usize = 1 << 20;

/// Messages that wait to be written: a client that reads nothing keeps no more of them.
pub const MESSAGES_QUEUED: usize = 64;

/// Wait for the last messages at the end: a client that reads nothing does not hold the process.
pub const LAST_WORDS_WAIT: Duration = Duration::from_secs(2);

/// Sessions over HTTP at once: each program has one or two.
pub const SESSIONS_MAX: usize = 64;

/// A session over HTTP ends after this time without a message; its client begins another one.
pub const SESSION_IDLE_MAX: Duration = Duration::from_secs(3600);

/// Connections over HTTP at once that have not shown the token; further ones wait with the system.
pub const STRANGERS_MAX: usize = 64;

/// Longest time of such a connection. The keychain is looked into within half of it.
pub const STRANGER_WAIT: Duration = Duration::from_secs(10);

/// Age after which the token is read again, so that a renewed one takes effect.
pub const TOKEN_READ_AGAIN: Duration = Duration::from_secs(60);

/// The same after the first wrong token; each one doubles it, up to the above.
pub const TOKEN_READ_MIN: Duration = Duration::from_secs(2);

/// Longest wait for the keychain: it may ask its user to unlock it.
pub const TOKEN_READ_WAIT: Duration = Duration::from_secs(5);

/// Age after which a token that could not be read again counts no more.
pub const TOKEN_UNSEEN_MAX: Duration = Duration::from_secs(600);

/// Characters of a search: a paragraph.
pub const QUERY_CHARACTERS_MAX: usize = 1_000;

/// Characters of a question, which may hold a text that it is about.
pub const QUESTION_CHARACTERS_MAX: usize = 50_000;

/// Results of a search at most, and where no number is said.
pub const RESULTS_MAX: u32 = 50;
pub const RESULTS_DEFAULT: u32 = 10;

/// Characters of one text in a result: a few paragraphs. A whole answer is longer.
pub const TEXT_CHARACTERS_MAX: usize = 2_000;
pub const ANSWER_CHARACTERS_MAX: usize = 100_000;

/// Characters of a call that waits for approval, and calls that are named.
pub const CALL_CHARACTERS_MAX: usize = 400;
pub const WAITING_NAMED_MAX: usize = 5;

/// Questions at work for one client at once: each is a whole run.
pub const QUESTIONS_AT_ONCE: usize = 4;

/// Time without news after which a client is told that the run is still at work. Clients' own limits are often a
/// minute.
pub const PROGRESS_EVERY: Duration = Duration::from_secs(10);

/// Longest wait for a client that takes no news.
pub const PROGRESS_WAIT: Duration = Duration::from_secs(2);

/// Longest wait for a run that was cancelled to end.
pub const CANCEL_WAIT: Duration = Duration::from_secs(10);

/// Entries of a page of a list: more than most lists have.
pub const PAGE_ENTRIES_MAX: usize = 100;

/// Age of a state that a client keeps for us: a person answers within it.
pub const STATE_AGE_MAX: Duration = Duration::from_secs(3600);

/// Longest wait for what a client is asked: its user may have to think.
pub const ANSWER_WAIT: Duration = Duration::from_secs(600);

/// Changes that wait for a client that is slow to hear of them. Whoever missed some hears that all lists changed.
pub const CHANGES_QUEUED: usize = 64;

/// Resources that one client hears of when they change: an address may be as long as a message.
pub const SUBSCRIPTIONS_MAX: usize = 100;
