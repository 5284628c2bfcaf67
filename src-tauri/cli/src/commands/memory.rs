//! `shidi memory`: what is remembered: finding, reading, writing, correcting, erasing, taking elsewhere.

mod show;

use crate::client::{answered, done, exported, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::help;
use crate::input;
use crate::limits::LIST_LIMIT_DEFAULT;
use crate::options::Options;
use crate::words::Words;
use clap::Subcommand;
use serde::Serialize;
use serde_json::json;
use shidi_protocol::{MemoryKind, MemoryRecord, MemoryRequest, MemoryScope, Reply, Request};
use shidi_runtime::moment_of;
use std::path::{Path, PathBuf};

/// Search, list, write, correct, pin, erase, export and import what is remembered
#[derive(Debug, clap::Args)]
#[command(after_help = help::MEMORY)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

/// Which records.
#[derive(Debug, clap::Args)]
struct Which {
    /// conversation, entity, working, preference, profile, summary, knowledge, experience or chunk (repeatable)
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Vec<MemoryKind>,
    /// user, assistant:NAME, site:URL, session:ID or base:NAME (repeatable)
    #[arg(long, value_name = "SCOPE")]
    scope: Vec<MemoryScope>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Keeps a fact
    Add(Added),
    /// What fits best, best first
    Search(Searched),
    /// Pinned first, then newest first
    List(Listed),
    /// A record with its history
    Show {
        #[arg(value_name = "ID")]
        memory: String,
    },
    /// Says it anew; what was said before stays as its history
    Edit {
        #[arg(value_name = "ID")]
        memory: String,
        #[arg(required_unless_present = "until", value_name = "TEXT")]
        text: Vec<String>,
        /// Remember it until then, or `for-good`; without a text only that changes
        #[arg(long, value_name = "TIME")]
        until: Option<String>,
    },
    /// Never forgets it by itself, not even when its time is over
    Pin {
        #[arg(value_name = "ID")]
        memory: String,
        /// Take the pin off
        #[arg(long)]
        off: bool,
    },
    /// Erases a record with its history
    #[command(visible_alias = "forget")]
    Delete {
        #[arg(value_name = "ID")]
        memory: String,
    },
    /// Erases what belongs to a page or site: what is remembered, and the sessions about it
    ForgetSite {
        #[arg(value_name = "URL")]
        address: String,
    },
    /// What was asked about a page, newest first
    Visits {
        #[arg(value_name = "URL")]
        address: String,
        #[arg(long, value_name = "N", default_value_t = LIST_LIMIT_DEFAULT)]
        limit: u32,
    },
    /// Everything as JSON Lines, its history too; the last line proves that they are all
    Export,
    /// Records from a file of JSON Lines that are not there; unless it is a whole export of your own, as a stranger's
    Import {
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// How much there is of each kind
    Stats,
}

#[derive(Debug, clap::Args)]
struct Added {
    #[arg(required = true, value_name = "TEXT")]
    text: Vec<String>,
    #[arg(long, value_name = "KIND", value_parser = kind, default_value = "knowledge")]
    kind: MemoryKind,
    #[arg(long, value_name = "SCOPE", default_value = "user")]
    scope: MemoryScope,
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Forget it then: 2026-12-31 (to the end of that day), 2026-12-31T18:00, or from now on 12h, 7d, 4w
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
}

#[derive(Debug, clap::Args)]
struct Searched {
    #[arg(required = true, value_name = "TEXT")]
    text: Vec<String>,
    #[command(flatten)]
    which: Which,
    /// Address of the page at hand
    #[arg(long, value_name = "URL")]
    page: Option<String>,
    #[arg(long, value_name = "N", default_value_t = LIST_LIMIT_DEFAULT)]
    limit: u32,
}

#[derive(Debug, clap::Args)]
struct Listed {
    #[command(flatten)]
    which: Which,
    /// What is no longer so, too
    #[arg(long)]
    ended: bool,
    #[arg(long, value_name = "N", default_value_t = LIST_LIMIT_DEFAULT)]
    limit: u32,
}

/// Carries out the action.
///
/// # Errors
/// No such record, a bad line, or storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let words = console.words;
    let (action, said) = match arguments.action {
        Action::Add(added) => (added.asked(words)?, ""),
        Action::Search(searched) => (searched.asked(), ""),
        Action::List(listed) => (listed.asked(), ""),
        Action::Show { memory } => (MemoryRequest::Show { memory }, ""),
        Action::Edit { memory, text, until } => {
            return edited(memory, text.join(" "), until, options, console).await;
        }
        Action::Pin { memory, off: true } => {
            let pinned = false;
            (MemoryRequest::Pin { memory, pinned }, words.memory_unpinned())
        }
        Action::Pin { memory, off: false } => {
            let pinned = true;
            (MemoryRequest::Pin { memory, pinned }, words.memory_pinned())
        }
        Action::Delete { memory } => (MemoryRequest::Delete { memory }, words.memory_erased()),
        Action::ForgetSite { address } => (MemoryRequest::ForgetSite { address }, words.site_forgotten()),
        Action::Visits { address, limit } => (MemoryRequest::Visits { address, limit }, ""),
        Action::Stats => {
            let (scopes, ended) = (Vec::new(), false);
            (MemoryRequest::Stats { scopes, ended }, "")
        }
        Action::Export => return exported(asked(MemoryRequest::ExportLines), options, console).await,
        Action::Import { file } => return import(&file, options, console).await,
    };
    if !said.is_empty() {
        return done(asked(action), said, options, console).await;
    }
    let reply = with_connection(options, async |connection| {
        answered(connection, asked(action)).await
    })
    .await?;
    match reply {
        Reply::Memories { hits } => each(&hits, show::hit, console),
        Reply::MemoryRecords {
            records,
            contradicted,
        } => {
            let shown = each(&records, show::record, console)?;
            contradicted
                .iter()
                .try_for_each(|other| show::against(other, console))?;
            Ok(shown)
        }
        Reply::Visits { visits } => each(&visits, show::visit, console),
        Reply::MemoryStats {
            counts,
            room,
            meaning,
            ..
        } => {
            let shown = each(&counts, show::count, console)?;
            room.iter().try_for_each(|room| show::room(room, console))?;
            meaning
                .iter()
                .try_for_each(|meaning| show::meaning(meaning, console))?;
            Ok(shown)
        }
        _ => Err(Failure::Unanswered),
    }
}

impl Added {
    fn asked(self, words: Words) -> Result<MemoryRequest, Failure> {
        let until = self.until.map(|until| moment_of(&until, words.runtime()));
        Ok(MemoryRequest::Add {
            text: self.text.join(" "),
            kind: self.kind,
            scope: self.scope,
            tags: self.tag,
            until: until.transpose()?,
        })
    }
}

impl Searched {
    fn asked(self) -> MemoryRequest {
        MemoryRequest::Find {
            text: self.text.join(" "),
            kinds: self.which.kind,
            scopes: self.which.scope,
            page: self.page,
            limit: self.limit,
        }
    }
}

impl Listed {
    fn asked(self) -> MemoryRequest {
        MemoryRequest::List {
            kinds: self.which.kind,
            scopes: self.which.scope,
            ended: self.ended,
            offset: 0,
            limit: self.limit,
        }
    }
}

/// What says that something is not forgotten at a time.
const FOR_GOOD: &str = "for-good";

/// The time first: what is said anew is remembered as long as what it replaces.
async fn edited(
    memory: String,
    text: String,
    until: Option<String>,
    options: &Options,
    console: &Console,
) -> Result<Exit, Failure> {
    let until = match until.as_deref() {
        None => None,
        Some(FOR_GOOD) => Some(None),
        Some(until) => Some(Some(moment_of(until, console.words.runtime())?)),
    };
    let records = with_connection(options, async |connection| {
        if let Some(until) = until {
            let memory = memory.clone();
            answered(connection, asked(MemoryRequest::Limit { memory, until })).await?;
        }
        let action = match text.is_empty() {
            true => MemoryRequest::Show { memory },
            false => MemoryRequest::Edit { memory, text },
        };
        of(answered(connection, asked(action)).await?)
    });
    each(&records.await?, show::record, console)
}

fn asked(action: MemoryRequest) -> Request {
    Request::Memory { action }
}

/// Shows each as one object, or as a person reads it.
fn each<T: Serialize>(
    items: &[T],
    show: fn(&T, &Console) -> Result<(), Failure>,
    console: &Console,
) -> Result<Exit, Failure> {
    if items.is_empty() && !console.is_json() {
        console.note(Look::Dim, console.words.nothing_here());
    }
    for item in items {
        if console.is_json() {
            console.json(item)?;
        } else {
            show(item, console)?;
        }
    }
    Ok(Exit::Done)
}

/// A bad file changes nothing.
async fn import(file: &Path, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let file = input::readable(file, console.words)?;
    let path = file.path.clone();
    let action = asked(MemoryRequest::ImportFile { path });
    let reply = with_connection(options, async |connection| answered(connection, action).await).await?;
    let Reply::MemoryFile { records, own, .. } = reply else {
        return Err(Failure::Unanswered);
    };
    if console.is_json() {
        console.json(&json!({"imported": records, "own": own}))?;
    } else {
        console.note(Look::Plain, &console.words.memory_imported(records, own));
    }
    Ok(Exit::Done)
}

fn of(reply: Reply) -> Result<Vec<MemoryRecord>, Failure> {
    match reply {
        Reply::MemoryRecords { records, .. } => Ok(records),
        _ => Err(Failure::Unanswered),
    }
}

fn kind(text: &str) -> Result<MemoryKind, String> {
    MemoryKind::from_name(text).ok_or_else(|| {
        let names: Vec<&str> = MemoryKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("\"{text}\" is none of {}", names.join(", "))
    })
}
