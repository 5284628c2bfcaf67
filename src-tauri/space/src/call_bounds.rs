//! The calls that a program may make at all, whatever its user allowed. They are the bounds of a plugin's tool, as its
//! manifest declares them.
//!
//! Bounds permit nothing. A call within them is judged as any other, on the terms of whoever called the tool.

use crate::permission_rules::beforehand;
use crate::registry::ALWAYS_ON;
use shidi_agent::permissions::Pattern;
use shidi_protocol::{Call, CallOutcome, Class, HOST_TOOLKIT};
use std::path::PathBuf;

/// Whether a program within these bounds is offered a tool: each list has a family of it.
#[must_use]
pub fn offers(bounds: &[Vec<String>], toolkit: &str, method: &str) -> bool {
    let names = |family: &String| {
        let (tool, _) = family.split_once('(').unwrap_or((family, ""));
        tool.trim()
            .split_once('.')
            .is_some_and(|(of, any)| of == toolkit && (any == "*" || any == method))
    };
    is_free(toolkit) || bounds.iter().all(|families| families.iter().any(names))
}

/// Whether a call is within the bounds, by where its arguments lead.
#[must_use]
pub fn cover(bounds: &[Vec<String>], call: &Call, class: Class, folders: &[PathBuf]) -> bool {
    let covers = |family: &String| {
        let pattern = Pattern::parse(family).ok();
        pattern.is_some_and(|pattern| beforehand(pattern, folders).allows(call, class))
    };
    is_free(&call.toolkit) || bounds.iter().all(|families| families.iter().any(covers))
}

/// What a program is told of a call beyond its bounds.
#[must_use]
pub fn beyond(call: &Call) -> CallOutcome {
    let message = format!(
        "The plugin's manifest doesn't declare this call of {}",
        call.tool()
    );
    CallOutcome::failure("PermissionError", message).own()
}

/// Without these no program says or finds anything.
fn is_free(toolkit: &str) -> bool {
    toolkit == HOST_TOOLKIT || ALWAYS_ON.contains(&toolkit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use shidi_protocol::{CallId, ExecId};
    use std::collections::BTreeMap;

    fn call(toolkit: &str, method: &str, path: &str) -> Call {
        let args = json!({"path": path});
        Call {
            id: CallId(1),
            exec: ExecId(1),
            toolkit: toolkit.to_owned(),
            method: method.to_owned(),
            args: args.as_object().cloned().unwrap_or_default(),
            line: 1,
            places: BTreeMap::from([("path".to_owned(), path.to_owned())]),
        }
    }

    fn bounds(lists: &[&[&str]]) -> Vec<Vec<String>> {
        let owned = |list: &&[&str]| list.iter().map(|family| (*family).to_owned()).collect();
        lists.iter().map(owned).collect()
    }

    #[test]
    fn a_call_is_covered_by_its_tool_and_by_where_it_leads() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let folders = [root.clone()];
        let at = |path: &str| call("files", "write", &root.join(path).display().to_string());
        let bounds = bounds(&[&["files.write(path=outbox.jsonl)", "files.read"]]);
        assert!(cover(&bounds, &at("outbox.jsonl"), Class::Write, &folders));
        assert!(!cover(&bounds, &at("other.txt"), Class::Write, &folders));
        assert!(!cover(
            &bounds,
            &call("web", "fetch", "x"),
            Class::NetworkRead,
            &folders
        ));
        assert!(cover(&bounds, &call("host", "clock", ""), Class::Read, &folders));
        assert!(offers(&bounds, "files", "write") && !offers(&bounds, "files", "delete"));
        assert!(offers(&bounds, "user", "ask"));
    }

    #[test]
    fn where_one_plugin_called_another_both_have_to_cover_a_call() {
        let both = bounds(&[&["files.*"], &["files.read"]]);
        assert!(offers(&both, "files", "read") && !offers(&both, "files", "write"));
        assert!(!cover(&both, &call("files", "write", "/a"), Class::Write, &[]));
        assert!(
            cover(&[], &call("files", "write", "/a"), Class::Write, &[]),
            "no bounds, any call"
        );
        assert!(
            !cover(&bounds(&[&[]]), &call("files", "read", "/a"), Class::Read, &[]),
            "nothing declared"
        );
    }
}
