//! The assistants that ship: files of `assets/assistants`, compiled in.

use crate::reading::{self, Read};
use shidi_space::names::method_name;
use std::sync::LazyLock;

/// An assistant that ships.
#[derive(Debug)]
pub struct Shipped {
    pub name: &'static str,
    pub text: &'static str,
    pub read: Read,
}

include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

/// All of them, in the order of names; read once.
pub fn all() -> &'static [Shipped] {
    static READ: LazyLock<Vec<Shipped>> = LazyLock::new(|| {
        let read = SHIPPED.iter().filter_map(|(name, text)| {
            let read = reading::read(&(*name).into(), text.as_bytes()).ok()?;
            Some(Shipped { name, text, read })
        });
        read.collect()
    });
    &READ
}

/// The plugin that comes along and brings the toolkit of that name once its user installs it.
pub fn plugin_with(toolkit: &str) -> Option<&'static str> {
    let mut plugins = PLUGINS.iter().copied();
    plugins.find(|name| method_name(name) == toolkit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_locales::Language;
    use shidi_protocol::Wording;
    use shidi_space::assistants::USUAL;
    use shidi_space::scan::scan;

    #[test]
    fn what_they_name_of_plugins_and_workflows_comes_along() {
        let spec = |name: &str| {
            let mut all = all().iter();
            all.find(|one| one.name == name).map(|one| one.read.spec.clone())
        };
        let marketing = spec("marketing").unwrap_or_default();
        assert_eq!(
            marketing.workflows.as_deref(),
            Some(&["customer-marketing".to_owned()][..])
        );
        let toolkits = marketing.toolkits.unwrap_or_default();
        let brought: Vec<&str> = toolkits.iter().filter_map(|name| plugin_with(name)).collect();
        assert_eq!(brought, ["customer-care"]);
        let ordering = spec("restaurant-ordering").unwrap_or_default();
        assert_eq!(
            ordering.workflows.as_deref(),
            Some(&["menu-recommendation".to_owned()][..])
        );
        // The workflow asks this knowledge base: without it the assistant could call it, and its step could not ask.
        assert_eq!(
            ordering.knowledge.as_deref(),
            Some(&["huangmenji_menu".to_owned()][..])
        );
        assert_eq!(plugin_with("files"), None);
    }

    #[test]
    fn six_ship_in_every_language_without_a_note_and_the_usual_one_changes_nothing() {
        assert_eq!(all().len(), SHIPPED.len());
        let names: Vec<&str> = all().iter().map(|one| one.name).collect();
        for wanted in [
            "code-reviewer",
            "marketing",
            "meeting-minutes",
            "restaurant-ordering",
            USUAL,
            "translator",
        ] {
            assert!(names.contains(&wanted), "{wanted}");
        }
        for one in all() {
            let Read { spec, notes, .. } = &one.read;
            assert_eq!(spec.name, one.name);
            assert_eq!(*notes, [], "{}", one.name);
            assert_eq!(scan(one.text), [], "{}", one.name);
            let is_whole = |words: &Wording| {
                Language::ALL
                    .iter()
                    .all(|language| words.contains_key(language.code()))
            };
            assert!(
                is_whole(&spec.title) && is_whole(&spec.opening) && is_whole(&spec.description),
                "{}",
                one.name
            );
            assert!(
                spec.suggestions.len() >= 3 && spec.suggestions.iter().all(is_whole),
                "{}",
                one.name
            );
            assert_eq!(spec.prompt.is_empty(), one.name == USUAL, "{}", one.name);
        }
    }
}
