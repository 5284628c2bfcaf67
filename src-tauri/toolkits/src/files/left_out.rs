//! Documents of a folder that a search could not read: a search that left them out says so.

use super::counted;
use crate::error::explained;
use crate::limits::FOLDER_DOCUMENTS_MAX;
use serde_json::{Value, json};
use shidi_protocol::Unreadable;
use std::path::{Path, PathBuf};

/// Documents that are named; more of one reason are counted.
const NAMED_MAX: usize = 3;

/// Documents, by the reason for which they were left out.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    unread: Vec<Unread>,
    /// Documents beyond the number that one search reads.
    beyond: usize,
}

/// Documents that were left out for one reason.
#[derive(Debug)]
struct Unread {
    reason: Unreadable,
    count: usize,
    /// The first ones, relative to the folder.
    first: Vec<PathBuf>,
}

impl Unread {
    fn named(&self, name_of: &impl Fn(&Path) -> String) -> String {
        let names: Vec<String> = self.first.iter().map(|path| name_of(path)).collect();
        let which = match self.count <= NAMED_MAX {
            true => names.join(", "),
            false => documents(self.count),
        };
        format!("{which} ({})", explained(self.reason, ""))
    }
}

fn documents(count: usize) -> String {
    counted(count, "document", "documents")
}

impl LeftOut {
    pub(super) fn note(&mut self, reason: Unreadable, relative: &Path) {
        if !self.knows(reason) {
            self.unread.push(Unread {
                reason,
                count: 0,
                first: Vec::new(),
            });
        }
        if let Some(unread) = self.unread.iter_mut().find(|unread| unread.reason == reason) {
            unread.count += 1;
            if unread.first.len() < NAMED_MAX {
                unread.first.push(relative.to_owned());
            }
        }
    }

    pub(super) fn note_beyond(&mut self) {
        self.beyond += 1;
    }

    /// Whether a document was left out for that reason.
    pub(super) fn knows(&self, reason: Unreadable) -> bool {
        self.unread.iter().any(|unread| unread.reason == reason)
    }

    /// The item of a result that names what was left out, as the search shows it. `None` where nothing was.
    pub(super) fn item(&self, name_of: impl Fn(&Path) -> String) -> Option<Value> {
        let unread = self.unread.iter();
        let mut parts: Vec<String> = unread.map(|unread| unread.named(&name_of)).collect();
        if self.beyond > 0 {
            let beyond = documents(self.beyond);
            parts.push(format!(
                "{beyond} (beyond {FOLDER_DOCUMENTS_MAX} in one search; name a folder below, or a file)"
            ));
        }
        let line = format!("[not searched: {}]", parts.join("; "));
        (!parts.is_empty()).then(|| json!({"path": "", "line": 0, "place": "", "text": line}))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_out_is_named_or_counted_by_its_reason_in_one_line() {
        let name_of = |path: &Path| format!("in/{}", path.display());
        let mut left_out = LeftOut::default();
        assert_eq!(left_out.item(name_of), None);
        for number in 0..=NAMED_MAX {
            left_out.note(Unreadable::TimedOut, Path::new(&format!("{number}.pdf")));
        }
        for name in ["a.pdf", "b.pdf"] {
            left_out.note(Unreadable::Broken, Path::new(name));
        }
        left_out.note_beyond();
        let item = left_out.item(name_of).unwrap();
        assert_eq!(
            item["text"],
            "[not searched: 4 documents (reading it took too long); in/a.pdf, in/b.pdf (it is damaged); \
             1 document (beyond 40 in one search; name a folder below, or a file)]"
        );
        assert_eq!(item["line"], 0, "it is no line of a file");
    }
}
