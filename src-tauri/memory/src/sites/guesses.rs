//! Questions by rule on pages of a site. They are offered until their user has passed them over several times in a row.
//!
//! Only what was offered counts, once for a session. Nothing is noticed while sensing is paused. In an incognito session
//! it is noticed in that session's own space, which goes with it.

use crate::{commit, explain, no_site};
use shidi_protocol::request::memory as request;
use shidi_protocol::{
    Ask, DroppedGuess, ErrorCode, MemoryRequest, OfferedGuess, Reply, SessionId, UserError, reply, reply_to,
    visible,
};
use shidi_senses::redacted;
use shidi_space::Space;
use shidi_space::clock;
use shidi_space::config::settings::Sensing;
use shidi_space::errors::{error, internal};
use shidi_store::{GuessAnswer, GuessWrite, Write};

/// Sessions in a row in which a question was passed over before it is offered no more.
const MISSES_MOST: u32 = 3;

/// Bytes of a rule's name, and characters of its question that are kept.
const GUESS_BYTES_MAX: usize = 64;
const WORDS_CHARACTERS: usize = 200;

/// Notes what became of the question that was offered about a question's page. Durable with the question itself.
pub fn answered(space: &Space, session: &SessionId, ask: &Ask) {
    let (Some(offered), Some(page)) = (&ask.offered, &ask.page) else {
        return;
    };
    if space.config().privacy.sensing == Sensing::Paused || !is_rule(offered) {
        return;
    }
    // A secret that was cut in two is none that could be told any more.
    let words = redacted(&offered.words);
    let answer = GuessAnswer {
        site: page.site.clone(),
        guess: offered.guess.clone(),
        words: words.chars().take(WORDS_CHARACTERS).collect(),
        taken: offered.taken,
        session: session.clone(),
        time: clock::now(),
    };
    if let Err(cause) = space.store.buffer(Write::Guess(GuessWrite::Answer(answer))) {
        tracing::warn!(%cause, "what became of an offered question was not noted");
    }
}

/// Whether that may be the name of a rule.
fn is_rule(offered: &OfferedGuess) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    let name = offered.guess.as_bytes();
    (1..=GUESS_BYTES_MAX).contains(&name.len()) && name.iter().copied().all(is_of_name)
}

/// The rules whose questions are not offered on a site.
#[must_use]
pub fn dropped(space: &Space, site: &str) -> Vec<String> {
    let dropped = space.store.dropped_guesses(Some(site), MISSES_MOST);
    // A summon does without them.
    let dropped = dropped
        .inspect_err(|cause| tracing::warn!(%cause, "what is not offered on a site is not known"))
        .unwrap_or_default();
    dropped.into_iter().map(|dropped| dropped.guess).collect()
}

/// Answers a request about questions that are not offered.
///
/// # Errors
/// No such question, storage trouble, or another request: those about whole sites are answered with more than memory.
pub fn perform(space: &Space, action: MemoryRequest) -> Result<Reply, UserError> {
    Ok(match action {
        MemoryRequest::DroppedGuesses { site } => {
            reply_to::<request::DroppedGuesses>(listed(space, site.as_deref())?)
        }
        MemoryRequest::OfferGuess { site, guess } => {
            if site.trim().is_empty() {
                return Err(no_site(space));
            }
            let is_dropped = |one: &DroppedGuess| one.guess == guess;
            if !listed(space, Some(&site))?.guesses.iter().any(is_dropped) {
                return Err(no_such_guess(space, &site, &guess));
            }
            commit(space, Write::Guess(GuessWrite::Offer { site, guess }))?;
            reply_to::<request::OfferGuess>(listed(space, None)?)
        }
        _ => {
            return Err(internal(
                space.language(),
                "this is answered with more than memory",
            ));
        }
    })
}

/// Questions that are not offered any more, on a site or on all.
fn listed(space: &Space, site: Option<&str>) -> Result<reply::DroppedGuesses, UserError> {
    let guesses = space.store.dropped_guesses(site, MISSES_MOST);
    let guesses = guesses.map_err(|cause| explain(space, &cause))?;
    Ok(reply::DroppedGuesses { guesses })
}

/// No question of that name has been passed over for good on that site.
fn no_such_guess(space: &Space, site: &str, guess: &str) -> UserError {
    let words = space.language().memory();
    error(
        ErrorCode::Input,
        words.no_such_guess(visible(guess), visible(site)),
        words.see_dropped(),
    )
}
