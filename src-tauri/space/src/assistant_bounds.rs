//! What an assistant's file leaves of what its user allows. Files are read by the feature above, which is asked through
//! [`AssistantFiles`].

use crate::names::method_name;
use shidi_protocol::{AssistantMemory, MemoryScope};
use std::sync::{Arc, OnceLock, Weak};

/// The toolkit whose methods are the user's workflows.
const WORKFLOWS: &str = "workflows";

/// What an assistant's file leaves of what its user allows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Bounds {
    /// Toolkits and single tools; `None` for all.
    pub toolkits: Option<Vec<String>>,
    pub skills: Option<Vec<String>>,
    pub workflows: Option<Vec<String>>,
    pub bases: Option<Vec<String>>,
    pub memory: AssistantMemory,
}

impl Bounds {
    /// What is left of an assistant that can't be used as it is.
    #[must_use]
    pub fn nothing() -> Self {
        Self {
            toolkits: Some(Vec::new()),
            skills: Some(Vec::new()),
            workflows: Some(Vec::new()),
            bases: Some(Vec::new()),
            memory: AssistantMemory::None,
        }
    }

    /// Whether programs may call a tool. What loads the skills and asks the bases that are named goes along with them.
    #[must_use]
    pub fn permits(&self, toolkit: &str, method: &str) -> bool {
        let named = |names: &Option<Vec<String>>| names.as_ref().is_some_and(|names| !names.is_empty());
        match toolkit {
            "memory" if self.memory == AssistantMemory::None => return false,
            "results" => return true,
            "skills" if named(&self.skills) => return true,
            "knowledge" if named(&self.bases) => return true,
            WORKFLOWS => {
                if let Some(workflows) = &self.workflows {
                    return workflows.iter().any(|name| method_name(name) == method);
                }
            }
            _ => {}
        }
        let Some(toolkits) = &self.toolkits else {
            return true;
        };
        let is_tool = |named: &str| {
            named
                .strip_prefix(toolkit)
                .and_then(|rest| rest.strip_prefix('.'))
                == Some(method)
        };
        toolkits.iter().any(|named| named == toolkit || is_tool(named))
    }

    #[must_use]
    pub fn permits_skill(&self, name: &str) -> bool {
        is_among(self.skills.as_ref(), name)
    }

    #[must_use]
    pub fn permits_base(&self, name: &str) -> bool {
        is_among(self.bases.as_ref(), name)
    }

    /// Whose a memory is that its sessions make.
    #[must_use]
    pub fn scope(&self, assistant: &str) -> MemoryScope {
        match self.memory {
            AssistantMemory::Shared => MemoryScope::User,
            AssistantMemory::Own | AssistantMemory::Alone | AssistantMemory::None => {
                MemoryScope::Assistant(assistant.to_owned())
            }
        }
    }
}

fn is_among(names: Option<&Vec<String>>, name: &str) -> bool {
    names.is_none_or(|names| names.iter().any(|named| named == name))
}

/// Whoever knows the files of assistants.
pub trait AssistantFiles: Send + Sync {
    /// The bounds of an assistant as its file last was when it could be used; `None` where it has no file.
    fn bounds(&self, assistant: &str) -> Option<Arc<Bounds>>;
}

/// The files of assistants, once whoever knows them is there.
#[derive(Default)]
pub struct KnownAssistants(OnceLock<Weak<dyn AssistantFiles>>);

impl KnownAssistants {
    pub fn are(&self, files: Weak<dyn AssistantFiles>) {
        // There is one for each process.
        self.0.get_or_init(|| files);
    }

    /// The bounds of an assistant; the usual one has none.
    #[must_use]
    pub fn bounds(&self, assistant: Option<&str>) -> Option<Arc<Bounds>> {
        self.0.get()?.upgrade()?.bounds(assistant?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_does_not_list_is_not_permitted_and_what_its_lists_need_is() {
        let bounds = Bounds {
            toolkits: Some(vec!["files".to_owned(), "web.fetch".to_owned()]),
            skills: Some(vec!["clean-table".to_owned()]),
            workflows: Some(vec!["weekly-report".to_owned()]),
            bases: Some(Vec::new()),
            memory: AssistantMemory::Own,
        };
        for (toolkit, method, is_permitted) in [
            ("files", "read", true),
            ("web", "fetch", true),
            ("web", "fetches", false),
            ("web", "search", false),
            ("memory", "search", false),
            ("skills", "load", true),
            ("knowledge", "query", false),
            ("results", "find", true),
            ("workflows", "weekly_report", true),
            ("workflows", "send", false),
        ] {
            assert_eq!(
                bounds.permits(toolkit, method),
                is_permitted,
                "{toolkit}.{method}"
            );
        }
        assert!(bounds.permits_skill("clean-table") && !bounds.permits_skill("other"));
        assert!(!bounds.permits_base("menu"));
        assert!(Bounds::default().permits("anything", "at_all"));
        assert!(!Bounds::nothing().permits("files", "read"));
    }

    #[test]
    fn without_memory_no_list_brings_its_toolkit_back() {
        let bounds = Bounds {
            toolkits: Some(vec!["memory".to_owned()]),
            memory: AssistantMemory::None,
            ..Bounds::default()
        };
        assert!(!bounds.permits("memory", "remember"));
    }
}
