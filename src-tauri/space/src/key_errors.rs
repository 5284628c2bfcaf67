//! Sentences for a key that can't be read or kept, for everyone who needs one.

use crate::errors::error;
use crate::space::Space;
use shidi_models::KeyError;
use shidi_protocol::{ErrorCode, UserError};

/// What a failed keychain or file means to the user.
pub fn explain(space: &Space, cause: &KeyError) -> UserError {
    let language = space.language();
    error(code(cause), cause.sentence(language), cause.remedy(language))
}

fn code(cause: &KeyError) -> ErrorCode {
    match cause {
        KeyError::FileLocked { .. } | KeyError::NeedsPassphrase { .. } | KeyError::WrongPassphrase { .. } => {
            ErrorCode::KeysLocked
        }
        KeyError::BadName { .. } | KeyError::Needless | KeyError::ShortPassphrase => ErrorCode::Input,
        KeyError::Absent { .. }
        | KeyError::Locked { .. }
        | KeyError::Slow
        | KeyError::Broken { .. }
        | KeyError::FileBroken { .. } => ErrorCode::System,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_passphrase_that_is_too_short_is_bad_input() {
        assert_eq!(code(&KeyError::ShortPassphrase).exit_code(), 2);
    }
}
