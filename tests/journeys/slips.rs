//! Slips at the command line: what is thrown away is asked about first, and a name or value that is none gets those that
//! there are.

use crate::terminal::{has_terminal, typed};
use shidi_tests::command::{Desk, Printed};

const SERVER: &str = env!("CARGO_BIN_EXE_shidi-test-server");

fn done(printed: Printed) -> Printed {
    assert_eq!(printed.code, Some(0), "{}{}", printed.stdout, printed.stderr);
    printed
}

#[test]
fn a_server_is_removed_at_a_terminal_only_after_a_yes() {
    if !has_terminal() {
        return;
    }
    let desk = Desk::new();
    done(desk.run(["mcp", "add", "peer", "--", SERVER]));
    done(desk.run(["mcp", "allow", "peer", "send-note"]));
    let kept = typed(&desk, "en", "mcp remove peer", &[("[y/N]", "n\n")]);
    assert!(
        kept.contains("Its allowed tools (1)") && kept.contains("Nothing was deleted"),
        "{kept}"
    );
    let listed = done(desk.run(["mcp", "list"])).stdout;
    assert!(listed.contains("peer"), "{listed}");
    let removed = typed(&desk, "zh", "mcp remove peer", &[("[y/N]", "y\n")]);
    assert!(removed.contains("已删除"), "{removed}");
    assert!(done(desk.run(["--json", "mcp", "list"])).stdout.is_empty());
    // Whoever says it beforehand is not asked, and neither is a script.
    done(desk.run(["mcp", "add", "peer", "--", SERVER]));
    let unasked = typed(&desk, "en", "mcp remove peer --yes", &[]);
    assert!(!unasked.contains("[y/N]"), "{unasked}");
    assert!(done(desk.run(["--json", "mcp", "list"])).stdout.is_empty());
}

#[test]
fn a_tool_that_a_server_does_not_have_brings_the_nearest_names_and_no_list_of_hundreds() {
    let desk = Desk::new();
    done(desk.run(["mcp", "add", "peer", "--", SERVER, "--many"]));
    let refused = desk.run(["mcp", "allow", "peer", "many_7x"]);
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("many_70") && refused.stderr.contains("295 more"),
        "{}",
        refused.stderr
    );
    assert!(!refused.stderr.contains("many_300"), "{}", refused.stderr);
}

#[test]
fn a_setting_of_few_values_names_them_in_the_list_and_when_another_one_is_set() {
    let desk = Desk::new();
    let listed = done(desk.run(["config", "list"])).stdout;
    for (key, values) in [
        ("ball", "(shown | hidden)"),
        ("autostart", "(on | off)"),
        ("language", "(system | "),
        ("max_rounds", "(a whole number from 1 to 100)"),
    ] {
        let after = listed.split(&format!("\n{key} = ")).nth(1).unwrap_or_default();
        let about = after.lines().nth(1).unwrap_or_default();
        assert!(about.contains(values), "{key}: {about}");
    }
    for (key, value, wanted) in [
        ("ball", "maybe", "shown | hidden"),
        ("autostart", "maybe", "yes and no, 1 and 0"),
        ("max_rounds", "0", "from 1 to 100"),
    ] {
        let refused = desk.run(["config", "set", key, value]);
        assert_eq!(refused.code, Some(2), "{}", refused.stderr);
        assert!(refused.stderr.contains(wanted), "{key}: {}", refused.stderr);
    }
    done(desk.run(["config", "set", "compose_prompts", "TRUE"]));
    let set = done(desk.run(["config", "get", "compose_prompts"]));
    assert_eq!(set.stdout, "on\n");
    let asked = desk.run(["config", "get", "max_round"]);
    assert!(asked.stderr.contains("'max_rounds'"), "{}", asked.stderr);
}
