//! The command line's words about knowledge bases.

use super::Words;
use shidi_protocol::{KnowledgeBase, KnowledgeDocument, KnowledgeReport};

impl Words {
    /// `12 documents · 340 pieces · 1 could not be read`.
    #[must_use]
    pub fn holdings(self, base: &KnowledgeBase) -> String {
        let (documents, pieces) = (base.documents, base.pieces);
        let mut text = self.said.knowledge_holdings(documents, pieces);
        if base.problems > 0 {
            let problems = base.problems;
            text.push_str(&self.said.knowledge_problems(problems));
        }
        text
    }

    /// `pdf · 34 pieces · 2 said elsewhere · 1 deprecated`.
    #[must_use]
    pub fn pieces(self, document: &KnowledgeDocument) -> String {
        let KnowledgeDocument { format, pieces, .. } = document;
        let mut text = self.said.knowledge_pieces(format, pieces);
        text.push_str(&self.left_out(document.duplicates, document.deprecated));
        if document.partial {
            text.push_str(self.said.knowledge_partial());
        }
        text
    }

    /// What an import came to.
    #[must_use]
    pub fn imported(self, report: &KnowledgeReport) -> String {
        let KnowledgeReport { read, pieces, .. } = report;
        let mut text = self.said.knowledge_read(pieces, read);
        text.push_str(&self.left_out(report.duplicates, report.deprecated));
        let said = self.said;
        let counts = [
            (report.unchanged, said.knowledge_unchanged(report.unchanged)),
            (report.removed, said.knowledge_removed(report.removed)),
            (report.skipped, said.knowledge_skipped(report.skipped)),
            (report.failed, said.knowledge_failed(report.failed)),
        ];
        for (_, said) in counts.iter().filter(|(count, _)| *count > 0) {
            text.push_str(said);
        }
        if report.cut {
            text.push_str(self.said.knowledge_cut());
        }
        text
    }

    fn left_out(self, duplicates: u64, deprecated: u64) -> String {
        let mut text = String::new();
        if duplicates > 0 {
            text.push_str(&self.said.knowledge_duplicates(duplicates));
        }
        if deprecated > 0 {
            text.push_str(&self.said.knowledge_deprecated(deprecated));
        }
        text
    }
}
