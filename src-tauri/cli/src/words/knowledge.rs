//! What the command line says of knowledge bases.

use super::Words;
use shidi_protocol::{KnowledgeBase, KnowledgeDocument, KnowledgeReport};

impl Words {
    /// Before a base is given to a server beyond this computer without encryption.
    #[must_use]
    pub fn goes_openly(self) -> &'static str {
        self.pick(
            "注意：到这台服务器的内容和问题都不加密；用 https:// 开头的地址就会加密",
            "Note: documents and questions go to this server unencrypted; an address with https:// encrypts them",
        )
    }

    /// `12 documents · 340 pieces · 1 could not be read`.
    #[must_use]
    pub fn holdings(self, base: &KnowledgeBase) -> String {
        let (documents, pieces) = (base.documents, base.pieces);
        let mut text = self.pick(
            format!("{documents} 个文档 · {pieces} 段"),
            format!("{documents} documents · {pieces} pieces"),
        );
        if base.problems > 0 {
            let problems = base.problems;
            text.push_str(&self.pick(
                format!(" · {problems} 个读不了"),
                format!(" · {problems} could not be read"),
            ));
        }
        text
    }

    /// `pdf · 34 pieces · 2 said elsewhere · 1 deprecated`.
    #[must_use]
    pub fn pieces(self, document: &KnowledgeDocument) -> String {
        let KnowledgeDocument { format, pieces, .. } = document;
        let mut text = self.pick(
            format!("{format} · {pieces} 段"),
            format!("{format} · {pieces} pieces"),
        );
        text.push_str(&self.left_out(document.duplicates, document.deprecated));
        if document.partial {
            text.push_str(self.pick(" · 太大，只读了开头", " · too large, only its beginning"));
        }
        text
    }

    /// What an import came to.
    #[must_use]
    pub fn imported(self, report: &KnowledgeReport) -> String {
        let KnowledgeReport { read, pieces, .. } = report;
        let mut text = self.pick(
            format!("读了 {read} 个文档，{pieces} 段"),
            format!("{read} documents read, {pieces} pieces"),
        );
        text.push_str(&self.left_out(report.duplicates, report.deprecated));
        for (count, chinese, english) in [
            (report.unchanged, "个没有变化", "unchanged"),
            (report.removed, "个已不在，删去", "gone and removed"),
            (report.skipped, "个不是文字", "not text"),
            (report.failed, "个读不了", "could not be read"),
        ] {
            if count > 0 {
                text.push_str(&self.pick(format!(" · {count} {chinese}"), format!(" · {count} {english}")));
            }
        }
        if report.cut {
            text.push_str(self.pick(
                " · 文件太多，没有全看",
                " · too many files, not all were looked at",
            ));
        }
        text
    }

    #[must_use]
    pub fn really_delete(self, named: &str) -> String {
        self.pick(
            format!("删除 {named} 和它的内容？[y/N] "),
            format!("Delete {named} with its content? [y/N] "),
        )
    }

    fn left_out(self, duplicates: u64, deprecated: u64) -> String {
        let mut text = String::new();
        if duplicates > 0 {
            text.push_str(&self.pick(
                format!(" · {duplicates} 段重复"),
                format!(" · {duplicates} said elsewhere"),
            ));
        }
        if deprecated > 0 {
            text.push_str(&self.pick(
                format!(" · {deprecated} 段已废弃，不收"),
                format!(" · {deprecated} deprecated, left out"),
            ));
        }
        text
    }
}
