//! What the command line says of a rescued database.

use super::Words;
use shidi_runtime::Rescued;

impl Words {
    #[must_use]
    pub fn nothing_to_rescue(self) -> &'static str {
        self.pick(
            "数据库完好，不需要抢救",
            "The database is sound: nothing needs to be rescued",
        )
    }

    /// What was taken over, what is lost, and where the damaged file is.
    #[must_use]
    pub fn rescued(self, rescued: &Rescued) -> String {
        let Rescued {
            rows, lost, aside, ..
        } = rescued;
        let taken = match (rows, rescued.torn.is_empty()) {
            (0, _) => self.pick(
                "什么都读不出来了，已经从空白开始。".to_owned(),
                "Nothing of it could be read: Shidi starts afresh. ".to_owned(),
            ),
            (_, true) => self.pick(
                format!("全部 {rows} 行都在新数据库里，没有丢失。"),
                format!("All {rows} rows are in the new database, nothing is lost. "),
            ),
            (_, false) => {
                let torn = rescued.torn.join(", ");
                self.pick(
                    format!("{rows} 行已搬进新数据库；读不全的表：{torn}（已知丢失 {lost} 行）。"),
                    format!("{rows} rows are in the new database; not all of {torn} could be read ({lost} rows known to be lost). "),
                )
            }
        };
        let kept = self.pick(
            format!("损坏的文件保留在 {aside}"),
            format!("The damaged file is kept as {aside}"),
        );
        format!("{taken}{kept}")
    }

    /// What to do about documents that lost something.
    #[must_use]
    pub fn import_again(self, documents: u64) -> String {
        self.pick(
            format!("知识库有 {documents} 份文档不完整，再导入一次就会补上：shidi knowledge add 名称"),
            format!(
                "{documents} documents of knowledge bases are incomplete; another import makes them whole: shidi knowledge add BASE"
            ),
        )
    }
}
