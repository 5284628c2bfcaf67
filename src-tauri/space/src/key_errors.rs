//! Sentences for a key that can't be read or kept, for everyone who needs one.

use crate::errors::error;
use crate::space::Space;
use shidi_models::KeyError;
use shidi_protocol::{ErrorCode, UserError};

/// What a failed keychain or file means to the user.
pub fn explain(space: &Space, cause: &KeyError) -> UserError {
    let language = space.language();
    let code = match cause {
        KeyError::FileLocked { .. }
        | KeyError::NeedsPassphrase { .. }
        | KeyError::WrongPassphrase { .. }
        | KeyError::ShortPassphrase => ErrorCode::KeysLocked,
        KeyError::BadName { .. } | KeyError::Needless => ErrorCode::Input,
        KeyError::Absent { .. }
        | KeyError::Locked { .. }
        | KeyError::Slow
        | KeyError::Broken { .. }
        | KeyError::FileBroken { .. } => ErrorCode::System,
    };
    error(code, cause.sentence(language), cause.remedy(language))
}
