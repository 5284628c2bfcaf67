//! Toolkits that come and go, and what the switches leave of them.

use super::switches::Switches;
use super::*;
use crate::assistant_bounds::AssistantFiles;
use proptest::prelude::*;
use shidi_protocol::{CallId, ExecId, JsonMap, MethodSpec, ToolkitSource};
use shidi_store::SwitchedOff;

struct Echo;

impl DynamicToolkit for Echo {
    fn perform(&self, call: Call, _run: Arc<dyn CallingRun>) -> Performing {
        Box::pin(async move { CallOutcome::success(call.args.into(), "echoed") })
    }
}

fn toolkit(name: &str, methods: &[&str]) -> ToolkitSpec {
    let method = |name: &&str| MethodSpec {
        name: (*name).to_owned(),
        doc: String::new(),
        parameters: Vec::new(),
        returns: "dict".to_owned(),
        class: Class::NetworkRead,
        matters: Vec::new(),
        idempotent: false,
    };
    ToolkitSpec {
        name: name.to_owned(),
        doc: String::new(),
        methods: methods.iter().map(method).collect(),
        source: ToolkitSource::Server,
        left_out: 0,
    }
}

fn call(toolkit: &str, method: &str) -> Call {
    Call {
        id: CallId(1),
        exec: ExecId(1),
        toolkit: toolkit.to_owned(),
        method: method.to_owned(),
        args: JsonMap::new(),
        line: 1,
        places: std::collections::BTreeMap::new(),
    }
}

#[test]
fn a_toolkit_is_offered_from_when_it_comes_until_it_goes_and_every_change_counts() {
    let registry = Registry::default();
    assert!(registry.offered(Vec::new(), None).is_empty());
    registry.put(toolkit("crm", &["list"]), Arc::new(Echo)).unwrap();
    let (came, offered) = (registry.changes(), registry.offered(Vec::new(), None));
    assert_eq!(offered[0].methods.len(), 1);
    registry
        .put(toolkit("crm", &["list", "add"]), Arc::new(Echo))
        .unwrap();
    assert_eq!(registry.offered(Vec::new(), None)[0].methods.len(), 2);
    assert!(registry.changes() > came);
    assert_eq!(registry.class_of(&call("crm", "add")), Some(Class::NetworkRead));
    assert!(registry.remove("crm") && !registry.remove("crm"));
    assert!(registry.offered(Vec::new(), None).is_empty());
    assert_eq!(registry.class_of(&call("crm", "add")), None);
}

/// Files in which every assistant has those of one toolkit.
struct Readers;

impl AssistantFiles for Readers {
    fn bounds(&self, _assistant: &str) -> Option<Arc<Bounds>> {
        Some(Arc::new(Bounds {
            toolkits: Some(vec!["files".to_owned()]),
            ..Bounds::default()
        }))
    }
}

#[test]
fn toolkits_and_switches_are_those_of_all_spaces_and_each_has_its_assistants() {
    let registry = Registry::default();
    let files: Arc<dyn AssistantFiles> = Arc::new(Readers);
    let known = Arc::new(KnownAssistants::default());
    known.are(Arc::downgrade(&files));
    let tried = registry.for_assistants(known);
    registry.put(toolkit("crm", &["list"]), Arc::new(Echo)).unwrap();
    assert_eq!(registry.offered(Vec::new(), Some("reader")).len(), 1);
    assert!(tried.offered(Vec::new(), Some("reader")).is_empty());
    let performer = tried.performer(&call("crm", "list"), Some("reader"));
    assert!(matches!(performer, Performer::SwitchedOff));
    assert_eq!(tried.offered(Vec::new(), None).len(), 1);
    assert_eq!(tried.changes(), registry.changes());
    let switch = SwitchedOff {
        assistant: None,
        tool: "crm".to_owned(),
    };
    registry.switches.lock().apply(&[(switch, false)]);
    assert!(tried.offered(Vec::new(), None).is_empty());
}

#[test]
fn what_comes_takes_no_name_of_ours() {
    let registry = Registry::default();
    for name in ["files", "user", "host"] {
        let taken = registry.put(toolkit(name, &["read"]), Arc::new(Echo));
        assert_eq!(
            taken,
            Err(NameTaken {
                name: name.to_owned()
            })
        );
    }
}

#[test]
fn a_replay_finds_what_is_switched_off_by_now() {
    let mut toolkits = vec![shidi_toolkits::declared().remove(0)];
    toolkits[0].methods.clear();
    complete(&mut toolkits);
    assert_eq!(toolkits, shidi_toolkits::declared());
}

fn off(tools: &[(&str, Option<&str>)]) -> Switches {
    let off = tools.iter().map(|(tool, assistant)| SwitchedOff {
        assistant: assistant.map(str::to_owned),
        tool: (*tool).to_owned(),
    });
    Switches::of(off.collect())
}

#[test]
fn what_is_off_for_everyone_is_off_for_each_and_what_is_off_for_one_is_on_for_others() {
    let switches = off(&[("crm.add", None), ("mail", Some("reader"))]);
    for assistant in [None, Some("reader"), Some("writer")] {
        assert!(!switches.is_on("crm", "add", assistant), "{assistant:?}");
        assert!(switches.is_on("crm", "list", assistant), "{assistant:?}");
    }
    assert!(!switches.is_on("mail", "send", Some("reader")));
    assert!(switches.is_on("mail", "send", Some("writer")) && switches.is_on("mail", "send", None));
    let mut toolkits = vec![toolkit("crm", &["add", "list"]), toolkit("mail", &["send"])];
    switches.keep_on(&mut toolkits, Some("reader"));
    assert_eq!(toolkits, [toolkit("crm", &["list"])]);
}

#[test]
fn one_tool_of_a_toolkit_that_is_off_can_be_switched_on_alone() {
    let crm = toolkit("crm", &["add", "list", "drop"]);
    let mut switches = off(&[("crm", None)]);
    let moves = switches.moves(&crm, Some("list"), true, None);
    switches.apply(&moves);
    let on: Vec<bool> = ["add", "list", "drop"]
        .iter()
        .map(|name| switches.is_on("crm", name, None))
        .collect();
    assert_eq!(on, [false, true, false]);
}

const TOOLS: [&str; 3] = ["a", "b", "c"];

fn on_for_one(switches: &Switches) -> [bool; 3] {
    TOOLS.map(|name| switches.is_on("crm", name, Some("x")))
}

/// Whether anything of the toolkit is off for everyone: switching it on for one is refused then.
fn is_off_for_all(switches: &Switches) -> bool {
    switches.is_off("crm", None)
        || TOOLS
            .iter()
            .any(|name| switches.is_off(&format!("crm.{name}"), None))
}

proptest! {
    #[test]
    fn the_last_switch_is_what_holds_and_no_tool_moves_that_was_not_meant(
        moves in prop::collection::vec((0_usize..4, any::<bool>(), any::<bool>()), 1..20),
    ) {
        let crm = toolkit("crm", &TOOLS);
        let mut switches = Switches::default();
        for (which, on, for_one) in moves {
            if on && for_one && is_off_for_all(&switches) {
                continue;
            }
            let method = TOOLS.get(which).copied();
            let before = on_for_one(&switches);
            let moved = switches.moves(&crm, method, on, for_one.then_some("x"));
            switches.apply(&moved);
            let after = on_for_one(&switches);
            for (index, name) in TOOLS.iter().enumerate() {
                let is_meant = method.is_none_or(|method| method == *name);
                if !is_meant {
                    prop_assert_eq!(after[index], before[index], "{} stays", name);
                } else if !on || for_one {
                    prop_assert_eq!(after[index], on, "{} is moved", name);
                }
            }
        }
    }
}
