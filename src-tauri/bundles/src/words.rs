//! Why nothing was fetched or kept, as people are told.

use crate::fetching::Refused;
use crate::limits::{ARCHIVE_BYTES_MAX, GIT_TIMEOUT, UNPACKED_BYTES_MAX};
use shidi_locales::Language;
use shidi_protocol::{ErrorCode, UserError, visible};
use shidi_space::errors::error;

/// Why nothing is installed, with the remedy.
#[must_use]
pub fn refused(refused: &Refused, source: &str, language: Language) -> UserError {
    let words = language.bundles();
    let shown = visible(source);
    let input = |message: String, hint: &str| error(ErrorCode::Input, message, hint);
    match refused {
        Refused::Nowhere => input(words.nothing_there(shown), words.name_a_source()),
        Refused::OtherTransport => input(words.not_https(shown), words.name_a_source()),
        Refused::NotAnArchive => input(words.not_an_archive(shown), words.name_a_source()),
        Refused::Broken { why } => input(words.broken_archive(visible(why)), words.fetch_again()),
        Refused::Link { path } => input(words.holds_link(visible(path)), words.trust_no_link()),
        Refused::Outside { path } => input(words.leads_outside(visible(path)), words.trust_no_link()),
        Refused::TooLarge => {
            let most = UNPACKED_BYTES_MAX.min(ARCHIVE_BYTES_MAX) >> 20;
            input(words.source_too_large(most), words.name_a_smaller_source())
        }
        Refused::NoGit => error(ErrorCode::System, words.no_git(), words.install_git()),
        Refused::Git { why } => input(words.git_failed(visible(why)), words.check_address()),
        Refused::GitTooSlow => input(words.git_too_slow(GIT_TIMEOUT.as_secs()), words.check_address()),
        Refused::Disk { why } => error(ErrorCode::Storage, words.not_kept(why), words.check_disk()),
    }
}
