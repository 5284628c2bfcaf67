//! The rights that an assistant's file leaves of its user's permissions. Files are read by the feature above, which is
//! asked through [`AssistantFiles`].

use crate::names::method_name;
use parking_lot::Mutex;
use shidi_protocol::{AssistantMemory, MemoryScope};
use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock, Weak};

/// The toolkit whose methods are workflows.
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
    /// Methods of workflows that ship with the program: only a list that names one permits it.
    pub shipped_workflows: Arc<BTreeSet<String>>,
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
            shipped_workflows: Arc::default(),
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
                if self.shipped_workflows.contains(method) {
                    return false;
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
    /// The bounds of an assistant as its file last was when it could be used. `None` where the assistant has no file.
    fn bounds(&self, assistant: &str) -> Option<Arc<Bounds>>;
}

/// The files of assistants, once whoever knows them is there.
#[derive(Default)]
pub struct KnownAssistants {
    files: OnceLock<Weak<dyn AssistantFiles>>,
    shipped_workflows: Mutex<Arc<BTreeSet<String>>>,
}

impl KnownAssistants {
    pub fn are(&self, files: Weak<dyn AssistantFiles>) {
        // There is one for each process.
        self.files.get_or_init(|| files);
    }

    /// Learns which methods of `workflows` ship with the program.
    pub fn know_shipped_workflows(&self, methods: BTreeSet<String>) {
        *self.shipped_workflows.lock() = Arc::new(methods);
    }

    /// The bounds of an assistant. The usual one has only those that hold for everybody; `None` where there are none.
    #[must_use]
    pub fn bounds(&self, assistant: Option<&str>) -> Option<Arc<Bounds>> {
        let own = assistant.and_then(|name| self.files.get()?.upgrade()?.bounds(name));
        let shipped_workflows = Arc::clone(&self.shipped_workflows.lock());
        let says_all = own.as_ref().is_some_and(|own| own.workflows.is_some());
        if says_all || shipped_workflows.is_empty() {
            return own;
        }
        let own = own.as_deref().cloned().unwrap_or_default();
        Some(Arc::new(Bounds {
            shipped_workflows,
            ..own
        }))
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
            shipped_workflows: Arc::default(),
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

    /// One file that names a workflow, and one that says nothing of workflows.
    struct Files;

    impl AssistantFiles for Files {
        fn bounds(&self, assistant: &str) -> Option<Arc<Bounds>> {
            let workflows = match assistant {
                "marketing" => Some(vec!["customer-marketing".to_owned()]),
                "cook" => None,
                _ => return None,
            };
            Some(Arc::new(Bounds {
                workflows,
                ..Bounds::default()
            }))
        }
    }

    #[test]
    fn a_workflow_that_ships_is_permitted_to_the_assistant_that_names_it_and_to_nobody_else() {
        let known = KnownAssistants::default();
        let files: Arc<dyn AssistantFiles> = Arc::new(Files);
        known.are(Arc::downgrade(&files));
        assert!(known.bounds(None).is_none() && known.bounds(Some("other")).is_none());
        let shipped = ["customer_marketing", "refund_approval"].map(str::to_owned);
        known.know_shipped_workflows(shipped.into());
        for (assistant, method, is_permitted) in [
            (Some("marketing"), "customer_marketing", true),
            (Some("marketing"), "refund_approval", false),
            (Some("cook"), "customer_marketing", false),
            (Some("cook"), "weekly_report", true),
            (Some("other"), "customer_marketing", false),
            (None, "customer_marketing", false),
            (None, "weekly_report", true),
        ] {
            let bounds = known.bounds(assistant).unwrap_or_default();
            assert_eq!(
                bounds.permits("workflows", method),
                is_permitted,
                "{assistant:?} {method}"
            );
        }
        assert!(known.bounds(None).unwrap_or_default().permits("files", "read"));
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
