//! What of a job's network is decided without a command: its hosts beforehand, and what is told of them afterwards.

use super::*;
use parking_lot::Mutex;
use serde_json::json;
use shidi_protocol::{CallId, ExecId};

/// Allows one host of the open network, and hears of connections.
#[derive(Default)]
struct Desk {
    asked: Mutex<Vec<Value>>,
    heard: Mutex<Vec<(String, u32)>>,
}

#[async_trait::async_trait]
impl Hosts for Desk {
    async fn decide(&self, call: Call) -> Verdict {
        let host = call.args.get(HOST).cloned().unwrap_or_default();
        self.asked.lock().push(json!(call.args));
        match host.as_str() {
            Some("203.0.113.5" | "10.0.0.8:22") => Verdict::Allowed,
            Some("203.0.113.6") => Verdict::Refused,
            Some(_) | None => Verdict::Undecided,
        }
    }

    fn connected(&self, connection: &Connection, times: u32) {
        self.heard.lock().push((connection.target.to_string(), times));
    }
}

fn background(hosts: &Value) -> Call {
    let args = json!({"command": "npm ci", "hosts": hosts});
    Call {
        id: CallId(1),
        exec: ExecId(1),
        toolkit: "shell".to_owned(),
        method: "background".to_owned(),
        args: args.as_object().cloned().unwrap(),
        line: 1,
        places: BTreeMap::new(),
    }
}

async fn refusal(hosts: Value) -> String {
    let outcome = allowed(&Desk::default(), &background(&hosts)).await.unwrap_err();
    outcome.error.unwrap().message
}

fn job(folder: &std::path::Path, hosts: &[AllowedHost]) -> Job {
    let facts = json!({
        "facts": {"id": "job-1", "session": "s", "run": "r", "command": "npm ci", "began": "2026-11-29T08:00:00Z", "hosts": hosts},
        "inside": {"folders": [], "hidden": [], "at": "/", "is_decided": false},
        "seconds": 1,
    });
    std::fs::write(folder.join("job.json"), facts.to_string()).unwrap();
    Job::at(folder).unwrap()
}

fn connection(host: &str, refusal: Option<Refusal>) -> Connection {
    Connection {
        target: Target::named(host).unwrap(),
        refusal,
        sent_bytes: 3,
        received_bytes: 4,
        took: Duration::from_millis(5),
    }
}

#[tokio::test]
async fn each_host_of_a_job_is_decided_on_beforehand_as_a_connection_of_its_command() {
    let desk = Desk::default();
    let hosts = json!(["203.0.113.5:443", "10.0.0.8:22"]);
    let allowed = allowed(&desk, &background(&hosts)).await.unwrap();
    let named = |host: &str, local| AllowedHost {
        host: host.to_owned(),
        local,
    };
    assert_eq!(allowed, [named("203.0.113.5", false), named("10.0.0.8:22", true)]);
    assert_eq!(
        *desk.asked.lock(),
        [
            json!({"host": "203.0.113.5", "command": "npm ci"}),
            json!({"host": "10.0.0.8:22", "network": "local", "command": "npm ci"}),
        ]
    );
}

#[tokio::test]
async fn a_job_with_a_host_that_is_not_allowed_does_not_begin_and_says_what_to_do() {
    let undecided = refusal(json!(["203.0.113.5", "203.0.113.7"])).await;
    assert!(
        undecided.contains("await shell.connect('203.0.113.7')"),
        "{undecided}"
    );
    assert!(refusal(json!(["203.0.113.6"])).await.contains("refuses it"));
    assert!(refusal(json!(["0x7f000001"])).await.contains("0x7f000001"));
    assert!(refusal(json!([7])).await.contains('7'));
    let many: Vec<String> = (0..=JOB_HOSTS_MAX).map(|at| format!("h{at}.example")).collect();
    assert!(refusal(json!(many)).await.contains("at most 20"));
}

#[tokio::test]
async fn a_supervisor_allows_what_was_decided_on_in_that_very_network_alone() {
    let folder = tempfile::tempdir().unwrap();
    let allowed = AllowedHost {
        host: "pypi.org".to_owned(),
        local: false,
    };
    let hosts = HostsOfJob(job(folder.path(), &[allowed]));
    let asked = async |host: &str, network| {
        let target = Target::named(host).unwrap();
        hosts.decide(asking(&target, network, "pip")).await
    };
    assert_eq!(asked("pypi.org", Network::Open).await, Verdict::Allowed);
    assert_eq!(asked("PyPI.org:80", Network::Open).await, Verdict::Allowed);
    assert_eq!(asked("pypi.org", Network::Local).await, Verdict::Undecided);
    assert_eq!(asked("pypi.org:22", Network::Open).await, Verdict::Undecided);
    assert_eq!(asked("files.pypi.org", Network::Open).await, Verdict::Undecided);
}

#[test]
fn a_call_hears_of_each_connection_once_and_of_the_hosts_that_were_not_reached() {
    let folder = tempfile::tempdir().unwrap();
    let kept = job(folder.path(), &[]);
    let hosts = HostsOfJob(kept.clone());
    hosts.connected(&connection("pypi.org", Some(Refusal::Unknown)), 1);
    hosts.connected(&connection("evil.example", Some(Refusal::Undecided)), 2);
    kept.note_connection("{\"host\": cut").unwrap();
    let desk = Desk::default();
    let refused = told(&kept, &desk);
    assert_eq!(refused.keys().collect::<Vec<_>>(), ["evil.example", "pypi.org"]);
    assert!(refused["evil.example"].contains("among hosts="), "{refused:?}");
    hosts.connected(&connection("pypi.org", None), 1);
    let refused = told(&kept, &desk);
    assert_eq!(refused.keys().collect::<Vec<_>>(), ["evil.example"]);
    let named = |host: &str, times| (host.to_owned(), times);
    assert_eq!(
        *desk.heard.lock(),
        [
            named("pypi.org", 1),
            named("evil.example", 2),
            named("pypi.org", 1)
        ]
    );
}
