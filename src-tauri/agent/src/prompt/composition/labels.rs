//! What the windows say of our own toolkits in Chinese. A toolkit's index is English, a question may be Chinese.
//!
//! A label is a sentence. A word too many in it keeps a toolkit whole, and takes nothing away.

use crate::parameters;
use shidi_protocol::ToolkitSpec;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The sentences of the windows about tools, by their keys.
static LABELS: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let labels = include_str!("../../../../../assets/locales/zh/windows_tools.json");
    serde_json::from_str(labels).unwrap_or_default()
});

/// Whether a text has a word of a toolkit's label.
pub fn share_a_word(text: &str, toolkit: &ToolkitSpec) -> bool {
    let label = LABELS.get(&format!("toolkit_{}", toolkit.name));
    // Other toolkits have names that users chose, and no label.
    let label = label.filter(|_| !toolkit.source.is_dynamic());
    label.is_some_and(|label| parameters::share_a_word(text, label))
}
