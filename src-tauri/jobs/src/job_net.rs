//! The network of a background job: its hosts are decided on before it begins, and its supervisor holds to them.
//!
//! A job outlives whoever could ask a person. So a job names its hosts, and each is decided on as a call of
//! `shell.connect`. No other host is reached later. The record of a job's connections lies in its folder until a task
//! hears of it.

use crate::net::{Hosts, Net, asking, sentence};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use shidi_egress::neighbourhood::{OfThisComputer, Place, locate};
use shidi_egress::{Connection, Network, Refusal, Target, Verdict};
use shidi_locales::Language;
use shidi_protocol::{Call, CallOutcome};
use shidi_toolkits::limits::JOB_HOSTS_MAX;
use shidi_toolkits::shell::{AllowedHost, HOST, HOSTS, Job, NETWORK, PROXY, WayOut};
use std::collections::BTreeMap;
use std::io;
use std::net::TcpListener;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// Works as a child of this program, if the program was started as one. Must be called before anything else in `main`.
#[must_use]
pub fn work_as_child() -> Option<ExitCode> {
    shidi_toolkits::work_as_child(|job| {
        // A supervisor that was started without the setting goes by its surroundings.
        let proxy = std::env::var(PROXY).unwrap_or_default();
        let hosts = Arc::new(HostsOfJob(job.clone()));
        Box::new(JobNet(Net::of(hosts, &job.facts.command, proxy, of_job)))
    })
}

/// The hosts that a job may reach, each decided on; the outcome of its call where one is not allowed.
pub(crate) async fn allowed(asked: &dyn Hosts, call: &Call) -> Result<Vec<AllowedHost>, CallOutcome> {
    let named = call.args.get(HOSTS).and_then(Value::as_array);
    let named = named.map(Vec::as_slice).unwrap_or_default();
    if named.len() > JOB_HOSTS_MAX {
        return Err(CallOutcome::failure(
            "ValueError",
            Language::SOURCE.jobs().too_many_hosts(JOB_HOSTS_MAX),
        )
        .own());
    }
    let command = call
        .args
        .get("command")
        .and_then(Value::as_str)
        .unwrap_or_default();
    let mut hosts = Vec::new();
    for host in named {
        let target = host.as_str().map(Target::named);
        let Some(Ok(target)) = target else {
            let text = host.as_str().map_or_else(|| host.to_string(), str::to_owned);
            return Err(CallOutcome::failure("ValueError", Language::SOURCE.jobs().no_host(text)).own());
        };
        let networks = decided(asked, &target, command).await;
        let networks = networks
            .map_err(|refusal| CallOutcome::failure("PermissionError", sentence(&target, &refusal)).own())?;
        let allowed = networks.into_iter().map(|network| AllowedHost {
            host: target.to_string(),
            local: network == Network::Local,
        });
        hosts.extend(allowed);
    }
    Ok(hosts)
}

/// Decides on a host as its first connection would. The host's own words count, and the addresses behind its name.
async fn decided(asked: &dyn Hosts, target: &Target, command: &str) -> Result<Vec<Network>, Refusal> {
    let judged = async |network| match asked.decide(asking(target, network, command)).await {
        Verdict::Allowed => Ok(network),
        Verdict::Refused => Err(Refusal::Refused),
        Verdict::Undecided if network == Network::Local => Err(Refusal::Local),
        Verdict::Undecided => Err(Refusal::Undecided),
    };
    if target.says_local() {
        return Ok(vec![judged(Network::Local).await?]);
    }
    let mut networks = vec![judged(Network::Open).await?];
    if locate(&target.host(), &OfThisComputer).await.place != Place::Far {
        networks.push(judged(Network::Local).await?);
    }
    Ok(networks)
}

/// Holds to what was allowed, in the supervisor.
struct HostsOfJob(Job);

#[async_trait::async_trait]
impl Hosts for HostsOfJob {
    async fn decide(&self, call: Call) -> Verdict {
        let host = call.args.get(HOST).and_then(Value::as_str);
        let local = call.args.contains_key(NETWORK);
        let mut allowed = self.0.facts.hosts.iter();
        match allowed.any(|allowed| Some(allowed.host.as_str()) == host && allowed.local == local) {
            true => Verdict::Allowed,
            false => Verdict::Undecided,
        }
    }

    fn connected(&self, connection: &Connection, times: u32) {
        let line = serde_json::to_string(&Line::of(connection, times));
        // What finds no room is left out: the job goes on.
        line.map(|line| self.0.note_connection(&line).unwrap_or_default())
            .unwrap_or_default();
    }
}

/// The way of a job. What was added up is written down at its end.
struct JobNet(Net);

impl WayOut for JobNet {
    fn serve(&self, listener: TcpListener) -> io::Result<Box<dyn Send>> {
        self.0.serve(listener)
    }
}

impl Drop for JobNet {
    fn drop(&mut self) {
        self.0.tell_sums();
    }
}

/// A connection as a job's folder keeps it.
#[derive(Serialize, Deserialize)]
struct Line {
    host: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refusal: Option<Refusal>,
    sent_bytes: u64,
    received_bytes: u64,
    took_ms: u64,
    times: u32,
}

impl Line {
    fn of(connection: &Connection, times: u32) -> Self {
        Self {
            host: connection.target.authority(),
            refusal: connection.refusal.clone(),
            sent_bytes: connection.sent_bytes,
            received_bytes: connection.received_bytes,
            took_ms: u64::try_from(connection.took.as_millis()).unwrap_or(u64::MAX),
            times,
        }
    }

    fn connection(self) -> Option<(Connection, u32)> {
        let connection = Connection {
            target: Target::named(&self.host).ok()?,
            refusal: self.refusal,
            sent_bytes: self.sent_bytes,
            received_bytes: self.received_bytes,
            took: Duration::from_millis(self.took_ms),
        };
        Some((connection, self.times))
    }
}

/// Tells the record of a call what became of a job's connections since the last one that heard of them. Returns the hosts
/// that the job did not reach in the end, each with its sentence.
pub(crate) fn told(job: &Job, hosts: &dyn Hosts) -> BTreeMap<String, String> {
    let kept = job.connections();
    let (told, mut count) = (job.connections_told(), 0);
    let mut refused = BTreeMap::new();
    for (at, line) in kept.lines().enumerate() {
        count = at + 1;
        // A line that was cut by a full disk says nothing.
        let line = serde_json::from_str::<Line>(line).ok();
        let Some((connection, times)) = line.and_then(Line::connection) else {
            continue;
        };
        let host = connection.target.to_string();
        match &connection.refusal {
            None => drop(refused.remove(&host)),
            Some(refusal) => {
                let sentence = || of_job(&connection.target, refusal);
                refused.entry(host).or_insert_with(sentence);
            }
        }
        if at >= told {
            hosts.connected(&connection, times);
        }
    }
    if count > told {
        job.tell_connections(count);
    }
    refused
}

/// Why a job did not reach a host: nobody can be asked while it runs.
fn of_job(target: &Target, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Undecided => Language::SOURCE.jobs().host_not_of_job(target.to_string()),
        Refusal::Local if target.says_local() => Language::SOURCE.jobs().host_not_of_job(target.to_string()),
        Refusal::Refused
        | Refusal::Local
        | Refusal::Unknown
        | Refusal::Unreachable { .. }
        | Refusal::UnknownProxy
        | Refusal::TooMuch => sentence(target, refusal),
    }
}

#[cfg(test)]
mod tests;
