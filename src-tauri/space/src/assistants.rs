//! Which assistant a session is with. The usual assistant has no name of its own, and its lessons are everyone's.
//! Words to another assistant are seen by that one alone, unless its file says otherwise.

use crate::assistant_bounds::Bounds;
use crate::errors::error;
use crate::prompt_overrides;
use crate::space::Space;
use crate::storage;
use shidi_protocol::{Ask, AssistantMemory, ErrorCode, MemoryScope, SessionId, UserError};
use shidi_store::{MemoryFilter, Write};
use std::sync::Arc;

/// The usual one, as it is called where a name is wanted.
pub const USUAL: &str = "shidi";

/// Characters of an assistant's name: a line in a list.
const NAME_CHARACTERS_MAX: usize = 64;

impl Space {
    /// What an assistant's file leaves; without one, everything.
    #[must_use]
    pub fn bounds(&self, assistant: Option<&str>) -> Arc<Bounds> {
        self.assistants.bounds(assistant).unwrap_or_default()
    }

    /// Whose a memory of a session with that assistant is.
    #[must_use]
    pub fn scope_of(&self, assistant: Option<&str>) -> MemoryScope {
        assistant.map_or(MemoryScope::User, |name| self.bounds(Some(name)).scope(name))
    }

    /// Whose memories a session with that assistant sees.
    #[must_use]
    pub fn scopes_of(&self, assistant: Option<&str>, session: Option<&SessionId>) -> Vec<MemoryScope> {
        let of_user = match self.bounds(assistant).memory {
            AssistantMemory::Own | AssistantMemory::Shared => Some(MemoryScope::User),
            AssistantMemory::Alone | AssistantMemory::None => None,
        };
        let own = assistant.map(|name| MemoryScope::Assistant(name.to_owned()));
        let of_session = session.cloned().map(MemoryScope::Session);
        of_user.into_iter().chain(own).chain(of_session).collect()
    }

    /// Whether anything is remembered or recalled in sessions with that assistant.
    #[must_use]
    pub fn remembers(&self, assistant: Option<&str>) -> bool {
        self.bounds(assistant).memory != AssistantMemory::None
    }

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

    /// Whether the user has anything for an assistant of that name, also without a file. Prompt modules, memories and
    /// tools that are off count.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn has_of_assistant(&self, name: &str) -> Result<bool, UserError> {
        if prompt_overrides::has_own(self.home.folder(), name) {
            return Ok(true);
        }
        let memories = MemoryFilter {
            scopes: vec![MemoryScope::Assistant(name.to_owned())],
            ..MemoryFilter::default()
        };
        if !self.stored(self.store.memory_counts(&memories))?.is_empty() {
            return Ok(true);
        }
        let off = self.stored(self.store.switched_off())?;
        Ok(off.iter().any(|switch| switch.assistant.as_deref() == Some(name)))
    }

    /// The question with the assistant that it is for: the named assistant, or the one that its session is with.
    ///
    /// # Errors
    /// What is no name, a session with another assistant, storage trouble.
    pub fn with_assistant(&self, ask: Ask) -> Result<Ask, UserError> {
        let named = ask.assistant.clone().filter(|name| name != USUAL);
        if let Some(name) = &named {
            self.check_assistant(name)?;
        }
        // A draft may have another name with each question of its try-out.
        if self.is_try_out() {
            return Ok(Ask {
                assistant: named,
                ..ask
            });
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
