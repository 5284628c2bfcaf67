//! The command line's words about a rescued database.

use super::Words;
use shidi_runtime::Rescued;

impl Words {
    /// What was taken over, what is lost, and where the damaged file is.
    #[must_use]
    pub fn rescued(self, rescued: &Rescued) -> String {
        let Rescued {
            rows, lost, aside, ..
        } = rescued;
        let taken = match (rows, rescued.torn.is_empty()) {
            (0, _) => self.said.rescued_nothing().to_owned(),
            (_, true) => self.said.rescued_everything(rows),
            (_, false) => {
                let torn = rescued.torn.join(", ");
                self.said.rescued_some(lost, rows, torn)
            }
        };
        let kept = self.said.rescued_aside(aside);
        format!("{taken}{kept}")
    }
}
