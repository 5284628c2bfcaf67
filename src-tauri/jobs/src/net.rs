//! The network of a command. Each of its connections asks whether its host is allowed, and hosts that were not reached
//! are told.
//!
//! A host is asked about as a call of `shell.connect`. So the rules, the card and the record are the same as of any
//! call. Who decides stands behind [`Hosts`].

use crate::limits::{CONNECTIONS_TOLD_MAX, HOSTS_TOLD_MAX};
use parking_lot::Mutex;
use serde_json::{Value, json};
use shidi_egress::{Connection, Egress, Gate, Network, Refusal, Target, Upstream, Verdict, Way};
use shidi_locales::Language;
use shidi_protocol::{Call, CallId, CallOutcome, ExecId, JsonMap};
use shidi_toolkits::shell::{CONNECT, HOST, NAME, NETWORK, WayOut};
use std::collections::BTreeMap;
use std::io;
use std::net::TcpListener;
use std::sync::Arc;

/// What [`NETWORK`] says of this computer and its own network.
const LOCAL: &str = "local";

/// Who decides on the hosts that a command wants, and hears of its connections.
#[async_trait::async_trait]
pub trait Hosts: Send + Sync {
    /// Decides on the host of a call. May wait for a person.
    async fn decide(&self, call: Call) -> Verdict;

    /// A connection has ended, or was refused; `times` it was wanted.
    fn connected(&self, connection: &Connection, times: u32);
}

/// The way of one command.
pub(crate) struct Net {
    door: Arc<Door>,
    /// The proxy of the user's settings.
    proxy: String,
}

/// Asks about hosts, and keeps what became of connections.
struct Door {
    hosts: Arc<dyn Hosts>,
    command: String,
    /// What is said of a host that was not reached.
    sentence: fn(&Target, &Refusal) -> String,
    met: Mutex<Met>,
}

#[derive(Default)]
struct Met {
    /// Connections that were told of one by one.
    told: u32,
    /// Later ones, added up by host.
    more: BTreeMap<String, (Connection, u32)>,
    /// Hosts that were not reached since they last were, with the sentence of the first time.
    refused: BTreeMap<String, String>,
}

impl Net {
    pub(crate) fn new(hosts: Arc<dyn Hosts>, call: &Call, proxy: String) -> Self {
        let command = call.args.get("command").and_then(Value::as_str);
        Self::of(hosts, command.unwrap_or_default(), proxy, sentence)
    }

    /// The way of `command`, which is told by `sentence` of a host that it did not reach.
    pub(crate) fn of(
        hosts: Arc<dyn Hosts>,
        command: &str,
        proxy: String,
        sentence: fn(&Target, &Refusal) -> String,
    ) -> Self {
        let door = Door {
            hosts,
            command: command.to_owned(),
            sentence,
            met: Mutex::default(),
        };
        Self {
            door: Arc::new(door),
            proxy,
        }
    }

    /// Tells of the connections that were added up so far.
    pub(crate) fn tell_sums(&self) {
        let more = std::mem::take(&mut self.door.met.lock().more);
        for (connection, times) in more.values() {
            self.door.hosts.connected(connection, *times);
        }
    }

    /// The outcome of the command, with the hosts that it did not reach. They stand in the outcome's own words, and
    /// where the model reads.
    pub(crate) fn told(self, mut outcome: CallOutcome) -> CallOutcome {
        self.tell_sums();
        let met = std::mem::take(&mut *self.door.met.lock());
        let Value::Object(data) = &mut outcome.data else {
            return outcome;
        };
        add_refused(data, "stderr", &met.refused);
        outcome
    }
}

/// Puts the hosts that were not reached into a command's own words, and where the model reads.
pub(crate) fn add_refused(data: &mut JsonMap, words: &str, refused: &BTreeMap<String, String>) {
    if refused.is_empty() {
        return;
    }
    let sentences: Vec<&str> = refused.values().map(String::as_str).collect();
    if let Some(Value::String(words)) = data.get_mut(words) {
        let between = if words.is_empty() || words.ends_with('\n') {
            ""
        } else {
            "\n"
        };
        words.push_str(&format!("{between}{}\n", sentences.join("\n")));
    }
    let hosts: Vec<&String> = refused.keys().collect();
    data.insert("refused_hosts".to_owned(), json!(hosts));
}

/// The call that asks for a host, with the command that wants it.
pub(crate) fn asking(target: &Target, network: Network, command: &str) -> Call {
    let mut args = arguments(target, network);
    args.insert("command".to_owned(), json!(command));
    Call {
        id: CallId(0),
        exec: ExecId(0),
        toolkit: NAME.to_owned(),
        method: CONNECT.to_owned(),
        args,
        line: 0,
        places: BTreeMap::new(),
    }
}

impl WayOut for Net {
    fn serve(&self, listener: TcpListener) -> io::Result<Box<dyn Send>> {
        let way = Way::new(
            Arc::clone(&self.door) as Arc<dyn Gate>,
            Upstream::named(&self.proxy),
        );
        let egress = Egress::begin(listener, Arc::new(way))?;
        Ok(Box::new(egress))
    }
}

#[async_trait::async_trait]
impl Gate for Door {
    async fn decide(&self, target: &Target, network: Network) -> Verdict {
        self.hosts.decide(asking(target, network, &self.command)).await
    }

    fn sentence(&self, target: &Target, refusal: &Refusal) -> String {
        (self.sentence)(target, refusal)
    }

    fn ended(&self, connection: Connection) {
        let host = connection.target.to_string();
        let mut met = self.met.lock();
        match &connection.refusal {
            // The host was reached in the end. A program that tries again has its wish.
            None => drop(met.refused.remove(&host)),
            Some(refusal) if met.refused.len() < HOSTS_TOLD_MAX => {
                met.refused
                    .entry(host.clone())
                    .or_insert_with(|| (self.sentence)(&connection.target, refusal));
            }
            Some(_) => {}
        }
        if met.told < CONNECTIONS_TOLD_MAX {
            met.told += 1;
            drop(met);
            return self.hosts.connected(&connection, 1);
        }
        if let Some((sum, times)) = met.more.get_mut(&host) {
            sum.sent_bytes += connection.sent_bytes;
            sum.received_bytes += connection.received_bytes;
            sum.took += connection.took;
            sum.refusal = sum.refusal.take().or(connection.refusal);
            *times += 1;
        } else if met.more.len() < HOSTS_TOLD_MAX {
            met.more.insert(host, (connection, 1));
        }
    }
}

/// The call as it is decided on and recorded, with the host in its one spelling. The network is added where the host
/// itself tells that it lies near.
#[must_use]
pub fn with_host(mut call: Call) -> Call {
    if call.toolkit == NAME && call.method == CONNECT {
        let target = call.args.get(HOST).and_then(Value::as_str).map(Target::named);
        if let Some(Ok(target)) = target {
            let network = if target.says_local() {
                Network::Local
            } else {
                Network::Open
            };
            call.args = arguments(&target, network);
        }
    }
    call
}

fn arguments(target: &Target, network: Network) -> JsonMap {
    let mut args = JsonMap::new();
    args.insert(HOST.to_owned(), json!(target.to_string()));
    if network == Network::Local {
        args.insert(NETWORK.to_owned(), json!(LOCAL));
    }
    args
}

/// Performs `shell.connect`, which was allowed: its record is what counts.
pub(crate) fn connect(call: &Call) -> CallOutcome {
    let text = call.text(HOST);
    match Target::named(text) {
        Ok(target) => CallOutcome::success(json!(target.to_string()), target.to_string()).own(),
        Err(_) => CallOutcome::failure("ValueError", Language::SOURCE.jobs().no_host(text)).own(),
    }
}

/// Why a host was not reached, for the program that wanted it and for the model.
pub(crate) fn sentence(target: &Target, refusal: &Refusal) -> String {
    let say = Language::SOURCE.jobs();
    let host = target.to_string();
    match refusal {
        Refusal::Refused => say.host_refused(&host),
        Refusal::Undecided => say.host_undecided(&host),
        Refusal::Local if target.says_local() => say.host_undecided(&host),
        Refusal::Local => say.host_leads_inwards(&host),
        Refusal::Unknown => say.host_unknown(&host),
        Refusal::Unreachable { cause } => say.host_unreachable(cause, &host),
        Refusal::UnknownProxy => say.proxy_unknown(&host),
        Refusal::TooMuch => say.net_used_up(&host),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[derive(Default)]
    struct Heard(Mutex<Vec<(Call, Vec<u32>)>>, Mutex<Vec<(u64, u32)>>);

    #[async_trait::async_trait]
    impl Hosts for Heard {
        async fn decide(&self, call: Call) -> Verdict {
            self.0.lock().push((call, Vec::new()));
            Verdict::Undecided
        }

        fn connected(&self, connection: &Connection, times: u32) {
            self.1.lock().push((connection.sent_bytes, times));
        }
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

    fn call(method: &str, args: Value) -> Call {
        Call {
            id: CallId(1),
            exec: ExecId(1),
            toolkit: NAME.to_owned(),
            method: method.to_owned(),
            args: args.as_object().cloned().unwrap(),
            line: 1,
            places: BTreeMap::new(),
        }
    }

    #[test]
    fn what_was_not_reached_stands_in_the_commands_own_words_once_for_each_host_with_what_to_do() {
        let heard = Arc::new(Heard::default());
        let run = call("run", json!({"command": "pip install six"}));
        let net = Net::new(Arc::clone(&heard) as _, &run, String::new());
        for _ in 0..3 {
            net.door.ended(connection("pypi.org", Some(Refusal::Undecided)));
        }
        net.door.ended(connection("npmjs.org", None));
        net.door
            .ended(connection("inner.example:22", Some(Refusal::Local)));
        let outcome = CallOutcome::success(json!({"exit_code": 1, "stderr": "failed"}), "exit 1");
        let told = net.told(outcome);
        assert_eq!(
            told.data["refused_hosts"],
            json!(["inner.example:22", "pypi.org"])
        );
        let errors = told.data["stderr"].as_str().unwrap();
        assert!(errors.starts_with("failed\nShidi: "), "{errors}");
        assert!(errors.contains("await shell.connect('pypi.org')"), "{errors}");
        assert!(errors.contains("network=local"), "{errors}");
        assert_eq!((errors.lines().count(), errors.is_ascii()), (3, true));
        assert!(told.untrusted, "a command chose the names");
        assert_eq!(heard.1.lock().len(), 5);
    }

    #[test]
    fn a_host_that_was_reached_in_the_end_is_not_told_of_as_refused() {
        let net = Net::new(Arc::new(Heard::default()), &call("run", json!({})), String::new());
        net.door.ended(connection("pypi.org", Some(Refusal::Undecided)));
        net.door.ended(connection("npmjs.org", Some(Refusal::Unknown)));
        net.door.ended(connection("pypi.org", None));
        let told = net.told(CallOutcome::success(json!({"stderr": ""}), ""));
        assert_eq!(told.data["refused_hosts"], json!(["npmjs.org"]));
        let errors = told.data["stderr"].as_str().unwrap();
        assert!(!errors.contains("pypi.org"), "{errors}");
        let net = Net::new(Arc::new(Heard::default()), &call("run", json!({})), String::new());
        net.door.ended(connection("pypi.org", Some(Refusal::Undecided)));
        net.door.ended(connection("pypi.org", None));
        let told = net.told(CallOutcome::success(json!({"stderr": "fine"}), ""));
        assert_eq!(told.data, json!({"stderr": "fine"}));
    }

    #[test]
    fn what_an_ended_command_left_behind_is_no_question_of_leave() {
        let cause = "the command ended first".to_owned();
        let target = Target::named("pypi.org").unwrap();
        let told = sentence(&target, &Refusal::Unreachable { cause });
        assert!(told.contains("is not reached: the command ended first"), "{told}");
        assert!(!told.contains("shell.connect"), "{told}");
    }

    #[test]
    fn a_flood_of_connections_is_told_of_host_by_host() {
        let heard = Arc::new(Heard::default());
        let net = Net::new(Arc::clone(&heard) as _, &call("run", json!({})), String::new());
        for _ in 0..CONNECTIONS_TOLD_MAX + 10 {
            net.door.ended(connection("npmjs.org", None));
        }
        net.told(CallOutcome::success(json!({}), ""));
        let heard = heard.1.lock();
        assert_eq!(heard.len(), CONNECTIONS_TOLD_MAX as usize + 1);
        assert_eq!(heard.last(), Some(&(30, 10)));
    }

    #[tokio::test]
    async fn a_host_is_asked_about_as_a_call_that_shows_the_command_and_tells_the_own_network() {
        let heard = Arc::new(Heard::default());
        let run = call("run", json!({"command": "curl x"}));
        let net = Net::new(Arc::clone(&heard) as _, &run, String::new());
        let target = Target::named("10.0.0.8:22").unwrap();
        net.door.decide(&target, Network::Local).await;
        let asked = heard.0.lock()[0].0.clone();
        assert_eq!(asked.tool(), "shell.connect");
        assert_eq!(
            json!(asked.args),
            json!({"host": "10.0.0.8:22", "network": "local", "command": "curl x"})
        );
        let own = with_host(call("connect", json!({"host": "10.0.0.8:22"})));
        assert_eq!(
            json!(own.args),
            json!({"host": "10.0.0.8:22", "network": "local"})
        );
        let far = with_host(call(
            "connect",
            json!({"host": "PyPI.org:443", "network": "local"}),
        ));
        assert_eq!(json!(far.args), json!({"host": "pypi.org"}));
        assert!(!connect(&with_host(call("connect", json!({"host": "*"})))).ok());
    }
}
