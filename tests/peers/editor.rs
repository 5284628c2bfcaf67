//! An editor built on the Agent Client Protocol's own Python library, which checks each message against its schema.

use serde_json::Value;
use shidi_tests::command::{Desk, shidi};
use shidi_tests::model_server::{Answer, ModelServer};
use std::process::Command;

#[test]
fn an_editor_on_the_protocols_own_library_understands_everything() {
    let folder = shidi_tests::folder().join("peers/acp");
    let python = folder.join(".python/bin/python");
    if !python.exists() {
        println!("NOT RUN: agent-client-protocol is not installed (make setup)");
        return;
    }
    let server = ModelServer::start([
        Answer::Text("```python\nawait files.write(path='a.txt', text='mine\\n')\n```".into()),
        Answer::Text("All done.".into()),
    ]);
    let desk = Desk::with_model(&server.url());
    let work = desk.path("work");
    std::fs::create_dir_all(&work).unwrap();
    let work = work.canonicalize().unwrap();
    // The library hands an agent nothing of its own environment but a few names: a script sets what the desk has.
    let starter = desk.path("shidi");
    let environment = desk.command(["acp"]);
    let mut script = "#!/bin/sh\n".to_owned();
    for (name, value) in environment.get_envs() {
        if let Some(value) = value {
            script.push_str(&format!("export {}='{}'\n", name.display(), value.display()));
        }
    }
    script.push_str(&format!("exec '{}' \"$@\"\n", shidi().display()));
    std::fs::write(&starter, script).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o700);
    std::fs::set_permissions(&starter, executable).unwrap();

    let ran = Command::new(&python)
        .arg(folder.join("editor.py"))
        .args([&starter, &work])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{errors}");
    let seen: Value = serde_json::from_slice(&ran.stdout).unwrap_or_else(|_| panic!("{errors}"));
    assert_eq!(seen["agent"], "shidi");
    assert_eq!(seen["modes"], 3);
    assert_eq!(seen["stop"], "end_turn");
    assert_eq!(seen["sessions"][0], seen["session"]);
    let asked = &seen["permissions"][0]["content"];
    assert_eq!(asked[1]["type"], "diff", "{asked}");
    assert_eq!(asked[1]["newText"], "mine\n");
    let updates = seen["updates"].as_array().unwrap();
    let of = |kind: &str| {
        updates
            .iter()
            .filter(|update| update["sessionUpdate"] == kind)
            .count()
    };
    assert_eq!(of("tool_call"), 2, "the program and the write: {updates:?}");
    assert!(
        of("agent_message_chunk") > 0 && of("tool_call_update") > 2,
        "{updates:?}"
    );
    let again = seen["again"].as_array().unwrap();
    assert_eq!(again[0]["sessionUpdate"], "user_message_chunk", "{again:?}");
    assert_eq!(std::fs::read_to_string(work.join("a.txt")).unwrap(), "mine\n");
    println!("seen: {} updates, {} again", updates.len(), again.len());
}
