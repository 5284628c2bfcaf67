//! Which assistant a session is with. The usual one has no name of its own: what it learns is everyone's; what is said
//! to another is seen by that one alone.

use crate::errors::error;
use crate::space::Space;
use crate::storage;
use shidi_protocol::{Ask, ErrorCode, MemoryScope, SessionId, UserError};
use shidi_store::Write;

/// The usual one, as it is called where a name is wanted.
pub const USUAL: &str = "shidi";

/// Characters of an assistant's name: a line in a list.
const NAME_CHARACTERS_MAX: usize = 64;

/// Whose a memory of a session with that assistant is.
pub fn scope_of(assistant: Option<&str>) -> MemoryScope {
    assistant.map_or(MemoryScope::User, |name| MemoryScope::Assistant(name.to_owned()))
}

/// Whose memories a session with that assistant sees.
pub fn scopes_of(assistant: Option<&str>, session: Option<&SessionId>) -> Vec<MemoryScope> {
    let own = assistant.map(|_| scope_of(assistant));
    let of_session = session.cloned().map(MemoryScope::Session);
    [MemoryScope::User]
        .into_iter()
        .chain(own)
        .chain(of_session)
        .collect()
}

impl Space {
    /// # Errors
    /// What is no name of an assistant, with what is one.
    pub fn check_assistant(&self, name: &str) -> Result<(), UserError> {
        let is_short = name.chars().count() <= NAME_CHARACTERS_MAX;
        // Its prompts are in a folder of its name.
        let is_folder_name = !name.contains(['/', '\\']) && name != "." && name != "..";
        if is_short && is_folder_name && !name.trim().is_empty() && !name.chars().any(char::is_control) {
            return Ok(());
        }
        let language = self.language();
        Err(error(
            ErrorCode::Input,
            language.space().bad_assistant_name(),
            language.space().assistant_name_rule(),
        ))
    }

    /// The question with the assistant that it is for: the one that is named, or the one that its session is with.
    ///
    /// # Errors
    /// What is no name, a session with another assistant, storage trouble.
    pub fn with_assistant(&self, ask: Ask) -> Result<Ask, UserError> {
        let named = ask.assistant.clone().filter(|name| name != USUAL);
        if let Some(name) = &named {
            self.check_assistant(name)?;
        }
        let stored = |cause| storage::explain(&cause, self.language());
        let Some(session) = &ask.session else {
            return Ok(Ask {
                assistant: named,
                ..ask
            });
        };
        let is_known = self.store.session(session).map_err(stored)?.is_some();
        let own = self.store.attribution(session).map_err(stored)?;
        if is_known && ask.assistant.is_some() && named != own {
            return Err(self.of_another(own.as_deref()));
        }
        let assistant = if is_known { own } else { named };
        Ok(Ask { assistant, ..ask })
    }

    /// Notes whom a new session is with; durable with the question itself.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn attribute(&self, session: &SessionId, assistant: Option<&str>) -> Result<(), UserError> {
        let Some(assistant) = assistant else {
            return Ok(());
        };
        let write = Write::AttributeSession {
            session: session.clone(),
            assistant: assistant.to_owned(),
        };
        let stored = self.store.buffer(write);
        stored.map_err(|cause| storage::explain(&cause, self.language()))
    }

    fn of_another(&self, own: Option<&str>) -> UserError {
        let language = self.language();
        error(
            ErrorCode::Input,
            language.space().other_assistant(own.unwrap_or(USUAL)),
            language.space().begin_new_session(),
        )
    }
}
