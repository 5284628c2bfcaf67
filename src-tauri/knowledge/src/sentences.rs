//! The meaning of a failed server of a knowledge base for the user: one sentence and a remedy.

use crate::server::Failure;
use shidi_protocol::{ErrorCode, UserError};
use shidi_space::Space;
use shidi_space::errors::error;

/// The sentence for a failure of the server at an address.
pub fn of_server(space: &Space, at: &str, cause: &Failure) -> UserError {
    let say = space.language().knowledge();
    let (message, hint) = match cause {
        Failure::Address(_) => (say.server_address(at), say.server_address_hint()),
        Failure::OpenLine(host) => (say.server_open_line(host), say.server_open_line_hint()),
        Failure::Away(why) => (say.server_away(at, why), say.server_away_hint()),
        Failure::Key => (say.server_key(at), say.server_key_hint()),
        Failure::Missing => (say.server_missing(at), say.server_missing_hint()),
        Failure::Foreign => (say.server_foreign(at), say.server_foreign_hint()),
        Failure::Refused { status, said } => {
            (say.server_refused(at, said, status), say.server_refused_hint())
        }
        Failure::Malformed => (say.server_malformed(at), say.server_malformed_hint()),
    };
    error(code(cause), message, hint)
}

fn code(cause: &Failure) -> ErrorCode {
    match cause {
        Failure::Address(_) | Failure::OpenLine(_) | Failure::Key | Failure::Foreign => ErrorCode::Input,
        Failure::Missing => ErrorCode::NotFound,
        Failure::Away(_) | Failure::Refused { .. } | Failure::Malformed => ErrorCode::System,
    }
}
