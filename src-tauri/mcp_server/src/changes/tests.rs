//! Who is told what.

use super::*;
use serde_json::json;

fn server(capabilities: serde_json::Value) -> ServerCapabilities {
    serde_json::from_value(capabilities).unwrap()
}

#[test]
fn a_server_tells_only_of_what_it_has_declared() {
    let quiet = server(json!({"tools": {}, "prompts": {}, "resources": {}}));
    assert!(!tells(&quiet) && !tells(&ServerCapabilities::default()));
    let tools = server(json!({"tools": {"listChanged": true}, "prompts": {}}));
    assert!(tells(&tools) && Change::Tools.is_told_by(&tools) && !Change::Prompts.is_told_by(&tools));
    let watched = server(json!({"resources": {"subscribe": true}}));
    assert!(Change::Resource("a:b".to_owned()).is_told_by(&watched));
    assert!(!Change::Resources.is_told_by(&watched));
}

#[test]
fn a_change_is_told_by_its_name_in_the_protocol() {
    for (change, method) in [
        (Change::Tools, "notifications/tools/list_changed"),
        (Change::Prompts, "notifications/prompts/list_changed"),
        (Change::Resources, "notifications/resources/list_changed"),
        (
            Change::Resource("a:b".to_owned()),
            "notifications/resources/updated",
        ),
    ] {
        let said = serde_json::to_value(change.notification()).unwrap();
        assert_eq!(said["method"], method);
    }
}

#[tokio::test]
async fn whoever_missed_changes_is_told_that_all_lists_changed() {
    let changes = Changes::default();
    changes.announce(Change::Tools);
    let mut receiver = changes.listen();
    changes.announce(Change::Prompts);
    assert_eq!(heard(&mut receiver).await, Some(vec![Change::Prompts]));
    for _ in 0..=CHANGES_QUEUED {
        changes.announce(Change::Prompts);
    }
    let all = vec![Change::Tools, Change::Prompts, Change::Resources];
    assert_eq!(heard(&mut receiver).await, Some(all));
    drop(changes);
    while let Some(missed) = heard(&mut receiver).await {
        assert_eq!(missed, [Change::Prompts]);
    }
}
