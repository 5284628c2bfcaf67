//! A draft that is asked before it is kept, in the session of a try-out.
//!
//! It is read as if it had just been saved, and stands in place of every file for that session. It gains no trust by
//! that. Where nobody has reviewed the file behind it, it is refused. What it allows counts as far as the kept file allows
//! it: no review has read it out.

use crate::catalogue::{Found, digest};
use crate::reading::Read;
use crate::requests::own_of_text;
use crate::sentences;
use crate::{Assistants, Used};
use shidi_protocol::{Ask, AssistantSpec, AssistantTrust, Mode, UserError, reply};

impl Assistants {
    /// Takes a draft in place of every file; nothing of it is written.
    ///
    /// # Errors
    /// No try-out, a text with faults, a file behind it that nobody has reviewed as it is.
    pub(crate) fn take_draft(
        &self,
        text: &str,
        earlier: Option<&str>,
    ) -> Result<reply::Assistant, UserError> {
        let language = self.space.language();
        if !self.space.is_try_out() {
            return Err(sentences::nothing_tried(language));
        }
        let Read {
            mut spec, document, ..
        } = own_of_text(text, language)?;
        let all = self.all(&self.entries()?);
        let own = digest(text.as_bytes());
        let digests: Vec<&str> = earlier.into_iter().chain([own.as_str()]).collect();
        if let Some(found) = unreviewed(&all, &spec.name, &digests) {
            return Err(sentences::draft_unreviewed(&found.name, language));
        }
        let there = all.iter().find(|found| found.name == spec.name);
        keep_allowed(&mut spec, there);
        let assistant = self.proposed((&spec, text, &document), &[], there, &self.hotkeys(&all));
        *self.draft.lock() = Some(Used::of(&spec));
        Ok(reply::Assistant { assistant })
    }

    /// The question; in a try-out it is for the draft, whoever it names. Whatever has an effect is asked about, since nobody
    /// would see later what was done.
    ///
    /// # Errors
    /// A try-out that has no draft yet; elsewhere a new session with a name of which there is nothing.
    pub fn addressed(&self, ask: Ask) -> Result<Ask, UserError> {
        if !self.space.is_try_out() {
            self.check_known(&ask)?;
            return Ok(ask);
        }
        let draft = self.drafted()?;
        Ok(Ask {
            assistant: Some(draft.spec.name.clone()),
            mode: Some(Mode::Ask),
            ..ask
        })
    }

    /// The draft that is tried.
    ///
    /// # Errors
    /// There is none yet.
    pub(crate) fn drafted(&self) -> Result<Used, UserError> {
        let draft = self.draft.lock().clone();
        draft.ok_or_else(|| sentences::nothing_tried(self.space.language()))
    }
}

/// The file behind a draft that nobody has reviewed as it is, by its name or one of these digests.
fn unreviewed<'a>(all: &'a [Found], name: &str, digests: &[&str]) -> Option<&'a Found> {
    all.iter().find(|found| {
        let is_named = found.name == name && !found.is_hidden;
        let is_behind = is_named || digests.contains(&found.digest.as_str());
        is_behind && found.trust != AssistantTrust::Reviewed
    })
}

/// Leaves of what a draft allows what the kept file allows.
fn keep_allowed(spec: &mut AssistantSpec, there: Option<&Found>) {
    let kept = there.and_then(|found| found.read.as_ref().ok());
    let is_kept = |pattern: &String| kept.is_some_and(|read| read.spec.permissions.allow.contains(pattern));
    spec.permissions.allow.retain(is_kept);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading;
    use shidi_protocol::AssistantSource;
    use shidi_space::review_table::Entry;

    fn file(name: &str, allow: &str, trust: AssistantTrust) -> Found {
        let text = format!("version: '1'\nname: {name}\npermissions: {{allow: [{allow}]}}\n");
        Found {
            name: name.to_owned(),
            source: AssistantSource::User,
            path: None,
            read: reading::read(&"cook.yaml".into(), text.as_bytes()),
            digest: digest(text.as_bytes()),
            text,
            trust,
            entry: Entry::default(),
            is_hidden: false,
        }
    }

    #[test]
    fn a_draft_of_a_file_that_nobody_reviewed_is_known_by_name_by_digest_and_by_its_text() {
        let all = [
            file("baker", "", AssistantTrust::Reviewed),
            file("cook", "", AssistantTrust::New),
        ];
        let of = |name: &str, digests: &[&str]| {
            let found = unreviewed(&all, name, digests);
            found.map(|found| found.name.clone())
        };
        assert_eq!(of("cook", &[]).as_deref(), Some("cook"));
        assert_eq!(of("chef", &["", all[1].digest.as_str()]).as_deref(), Some("cook"));
        assert_eq!(of("baker", &[all[0].digest.as_str()]), None);
        assert_eq!(of("chef", &["another"]), None);
    }

    #[test]
    fn a_draft_allows_what_its_kept_file_allows_and_nothing_more() {
        let kept = file("cook", "web.fetch", AssistantTrust::Reviewed);
        let patterns = ["shell.run", "web.fetch"].map(str::to_owned);
        let allowed = |there: Option<&Found>| {
            let mut spec = AssistantSpec::default();
            spec.permissions.allow = patterns.to_vec();
            spec.permissions.deny = patterns.to_vec();
            keep_allowed(&mut spec, there);
            assert_eq!(spec.permissions.deny, patterns, "what narrows stays");
            spec.permissions.allow
        };
        assert_eq!(allowed(Some(&kept)), ["web.fetch"]);
        assert_eq!(allowed(None), Vec::<String>::new());
    }
}
