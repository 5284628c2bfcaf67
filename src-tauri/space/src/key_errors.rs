//! Sentences for a key that can't be read or kept, for everyone who needs one.

use crate::space::Space;
use crate::words::{Words, error};
use shidi_models::KeyError;
use shidi_protocol::{ErrorCode, UserError};

/// What a failed keychain or file means to the user.
pub fn explain(space: &Space, cause: &KeyError) -> UserError {
    let (message, remedy) = match space.words() {
        Words::Chinese => cause.in_chinese(),
        Words::English => (cause.to_string(), cause.remedy()),
    };
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
    error(code, message, remedy)
}
