//! Everything that the command line says itself, put together from the catalogue.

mod companion;
mod composition;
mod experience;
mod inside;
mod knowledge;
mod rescue;
mod trace;
mod waiting;

use shidi_locales::{Cli, Language};
use shidi_protocol::{
    Attachment, AttachmentUnit, Class, LookAt, LookOutcome, MemoryMeaning, MemoryRoom, RunStatus, SentAs,
    Unreadable, Usage,
};
use std::ops::Deref;

/// The sentences of one language: those of the catalogue as they are, and those that are put together here.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    said: Cli,
}

impl Words {
    #[must_use]
    pub const fn of(language: Language) -> Self {
        Self { said: language.cli() }
    }
}

impl Deref for Words {
    type Target = Cli;

    fn deref(&self) -> &Cli {
        &self.said
    }
}

impl Words {
    /// Why something attached can't be read.
    #[must_use]
    pub fn unreadable(self, reason: Unreadable) -> &'static str {
        shidi_runtime::unreadable(self.language(), reason)
    }

    /// `pdf · 12 pages · about 3400 tokens · sent whole`.
    #[must_use]
    pub fn attachment(self, attachment: &Attachment) -> String {
        let Attachment {
            format,
            parts,
            tokens,
            ..
        } = attachment;
        let unit = match attachment.unit {
            AttachmentUnit::Page => self.said.unit_pages(),
            AttachmentUnit::Slide => self.said.unit_slides(),
            AttachmentUnit::Sheet => self.said.unit_sheets(),
            AttachmentUnit::Line => self.said.unit_lines(),
            AttachmentUnit::Row => self.said.unit_rows(),
            AttachmentUnit::File => self.said.unit_files(),
        };
        let how = match attachment.how {
            SentAs::Whole => self.said.sent_whole(),
            SentAs::Indexed => self.said.sent_indexed(),
            SentAs::Image => self.said.sent_as_picture(),
            SentAs::None => self.said.not_sent(),
        };
        let misnamed = if attachment.misnamed {
            self.said.misnamed()
        } else {
            ""
        };
        self.said
            .attachment(format, format_args!("{how}{misnamed}"), parts, tokens, unit)
    }
    #[must_use]
    pub fn approval_keys(self, family: &str) -> String {
        if family.is_empty() {
            return self.said.approval_keys_once().to_owned();
        }
        self.said.approval_keys(family)
    }

    #[must_use]
    pub fn recalled(self, texts: &[&str]) -> String {
        let (count, texts) = (texts.len(), texts.join(" · "));
        self.said.recalled(count, texts)
    }

    #[must_use]
    pub fn used(self, usage: &Usage, ms: u64) -> String {
        let (input, output, seconds) = (usage.input, usage.output, ms as f64 / 1_000.0);
        if usage.model_calls == 0 {
            return self.said.seconds(format_args!("{seconds:.1}"));
        }
        self.said
            .usage(self.cached(usage), input, output, format_args!("{seconds:.1}"))
    }

    /// The same without the time, where nobody knows that.
    #[must_use]
    pub fn used_untimed(self, usage: &Usage) -> String {
        self.said
            .usage_untimed(self.cached(usage), usage.input, usage.output)
    }

    /// The share that the provider had in its cache, which costs a fraction of the rest.
    fn cached(self, usage: &Usage) -> String {
        match (u64::from(usage.cached) * 100).checked_div(u64::from(usage.input)) {
            Some(percent) if percent > 0 => self.said.share_cached(percent),
            Some(_) | None => String::new(),
        }
    }

    /// How far finding by meaning has come.
    #[must_use]
    pub fn memory_meaning(self, meaning: &MemoryMeaning) -> String {
        let (model, placed, of) = (&meaning.model, meaning.placed, meaning.of);
        let trouble = meaning.trouble.as_deref().map(|cause| format!(" · {cause}"));
        let trouble = trouble.unwrap_or_default();
        self.said.memory_meaning(model, placed, of, trouble)
    }

    /// How much is remembered beside what may be.
    #[must_use]
    pub fn memory_room(self, room: &MemoryRoom) -> String {
        const MEGABYTE: f64 = 1_048_576.0;
        let (size, most) = (room.bytes as f64 / MEGABYTE, room.bytes_most as f64 / MEGABYTE);
        let (short, long) = (
            format!("{} / {}", room.short_term, room.short_term_most),
            format!("{} / {}", room.long_term, room.long_term_most),
        );
        self.said
            .memory_room(long, format_args!("{most:.0}"), short, format_args!("{size:.1}"))
    }

    #[must_use]
    pub fn memory_imported(self, count: u64, own: bool) -> String {
        let imported = self.said.records_imported(count);
        if own {
            return imported;
        }
        let strangers = self.said.imported_as_strangers();
        imported + strangers
    }

    #[must_use]
    pub fn class(self, class: Class) -> &'static str {
        match class {
            Class::Read => self.said.class_read(),
            Class::ReadOutside => self.said.class_read_outside(),
            Class::NetworkRead => self.said.class_network_read(),
            Class::Search => self.said.class_search(),
            Class::Download => self.said.class_download(),
            Class::Write => self.said.class_write(),
            Class::Keep => self.said.class_keep(),
            Class::WriteOutside => self.said.class_write_outside(),
            Class::Execute => self.said.class_execute(),
            Class::ExecuteOpen => self.said.class_execute_open(),
            Class::Connect => self.said.class_connect(),
            Class::Send => self.said.class_send(),
            Class::Page => self.said.class_page(),
            Class::Money => self.said.class_money(),
        }
    }

    #[must_use]
    pub fn look_at(self, what: LookAt) -> String {
        match what {
            LookAt::Facts => self.said.look_at_facts().to_owned(),
            LookAt::Page => self.said.look_at_page().to_owned(),
            LookAt::Form => self.said.look_at_form().to_owned(),
            LookAt::Selection => self.said.look_at_selection().to_owned(),
            LookAt::Monitor => self.said.look_at_monitor().to_owned(),
            LookAt::Window => self.said.look_at_window().to_owned(),
            LookAt::Region { x, y, width, height } => self.said.look_at_region(height, width, x, y),
        }
    }

    #[must_use]
    pub fn look_outcome(self, outcome: LookOutcome) -> &'static str {
        match outcome {
            LookOutcome::Kept => self.said.look_kept(),
            LookOutcome::Gone => self.said.look_gone(),
            LookOutcome::Sent => self.said.look_sent(),
            LookOutcome::Erased => self.said.look_erased(),
            LookOutcome::Refused => self.said.look_refused(),
            LookOutcome::Given => self.said.look_given(),
        }
    }

    #[must_use]
    pub fn status(self, status: Option<RunStatus>) -> &'static str {
        match status {
            None => self.said.at_work(),
            Some(RunStatus::Completed) => self.said.status_completed(),
            Some(RunStatus::Failed) => self.said.status_failed(),
            Some(RunStatus::GaveUp) => self.said.status_gave_up(),
            Some(RunStatus::Suspended) => self.said.waiting(),
            Some(RunStatus::Cancelled) => self.said.status_cancelled(),
        }
    }
}
