//! `shidi memory`: what is remembered: finding, reading, writing, correcting, erasing, taking elsewhere.

use super::session::local;
use super::{answered, done, with_door};
use crate::arguments::Options;
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::help;
use crate::input;
use crate::limits::{IMPORTED_TOGETHER, LIST_LIMIT_DEFAULT, LISTED_TOGETHER};
use clap::Subcommand;
use serde::Serialize;
use serde_json::json;
use shidi_protocol::{
    Contrary, MemoryCount, MemoryDeed, MemoryHit, MemoryKind, MemoryMeaning, MemoryRecord, MemoryRoom,
    MemoryScope, PageVisit, Reply, Request,
};
use shidi_runtime::{Door, record_of_line};
use std::path::{Path, PathBuf};

/// Search, list, write, correct, pin, erase, export and import what is remembered
#[derive(Debug, clap::Args)]
#[command(after_help = help::MEMORY)]
pub struct Arguments {
    #[command(subcommand)]
    deed: Deed,
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
enum Deed {
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
        #[arg(required = true, value_name = "TEXT")]
        text: Vec<String>,
    },
    /// Never forgets it by itself
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
    /// Everything as JSON Lines, its history too
    Export,
    /// Records from a file of JSON Lines
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

/// Carries out the deed.
///
/// # Errors
/// No such record, a bad line, or storage trouble.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let words = console.words;
    let (deed, said) = match arguments.deed {
        Deed::Add(added) => (added.asked(), ""),
        Deed::Search(searched) => (searched.asked(), ""),
        Deed::List(listed) => (listed.asked(), ""),
        Deed::Show { memory } => (MemoryDeed::Show { memory }, ""),
        Deed::Edit { memory, text } => {
            let text = text.join(" ");
            (MemoryDeed::Edit { memory, text }, "")
        }
        Deed::Pin { memory, off: true } => {
            let pinned = false;
            (MemoryDeed::Pin { memory, pinned }, words.memory_unpinned())
        }
        Deed::Pin { memory, off: false } => {
            let pinned = true;
            (MemoryDeed::Pin { memory, pinned }, words.memory_pinned())
        }
        Deed::Delete { memory } => (MemoryDeed::Delete { memory }, words.memory_erased()),
        Deed::ForgetSite { address } => (MemoryDeed::ForgetSite { address }, words.site_forgotten()),
        Deed::Visits { address, limit } => (MemoryDeed::Visits { address, limit }, ""),
        Deed::Stats => {
            let (scopes, ended) = (Vec::new(), false);
            (MemoryDeed::Stats { scopes, ended }, "")
        }
        Deed::Export => return export(options, console).await,
        Deed::Import { file } => return import(&file, options, console).await,
    };
    if !said.is_empty() {
        return done(asked(deed), said, options, console).await;
    }
    let reply = with_door(options, async |door| answered(door, asked(deed)).await).await?;
    match reply {
        Reply::Memories { hits } => each(&hits, show_hit, console),
        Reply::MemoryRecords {
            records,
            contradicted,
        } => {
            let shown = each(&records, show, console)?;
            contradicted
                .iter()
                .try_for_each(|other| against(other, console))?;
            Ok(shown)
        }
        Reply::Visits { visits } => each(&visits, show_visit, console),
        Reply::MemoryStats {
            counts,
            room,
            meaning,
            ..
        } => {
            let shown = each(&counts, show_count, console)?;
            room.iter().try_for_each(|room| show_room(room, console))?;
            meaning
                .iter()
                .try_for_each(|meaning| show_meaning(meaning, console))?;
            Ok(shown)
        }
        _ => Err(Failure::Unanswered),
    }
}

impl Added {
    fn asked(self) -> MemoryDeed {
        MemoryDeed::Add {
            text: self.text.join(" "),
            kind: self.kind,
            scope: self.scope,
            tags: self.tag,
        }
    }
}

impl Searched {
    fn asked(self) -> MemoryDeed {
        MemoryDeed::Find {
            text: self.text.join(" "),
            kinds: self.which.kind,
            scopes: self.which.scope,
            page: self.page,
            limit: self.limit,
        }
    }
}

impl Listed {
    fn asked(self) -> MemoryDeed {
        MemoryDeed::List {
            kinds: self.which.kind,
            scopes: self.which.scope,
            ended: self.ended,
            offset: 0,
            limit: self.limit,
        }
    }
}

fn asked(deed: MemoryDeed) -> Request {
    Request::Memory { deed }
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

/// All records in the form in which `import` takes them.
async fn export(options: &Options, console: &Console) -> Result<Exit, Failure> {
    with_door(options, async |door| {
        let mut offset = 0;
        loop {
            let deed = MemoryDeed::List {
                kinds: Vec::new(),
                scopes: Vec::new(),
                ended: true,
                offset,
                limit: LISTED_TOGETHER,
            };
            let found = of(answered(door, asked(deed)).await?)?;
            for record in &found {
                console.json(record)?;
            }
            let count = u32::try_from(found.len()).unwrap_or(LISTED_TOGETHER);
            if count < LISTED_TOGETHER {
                return Ok(Exit::Done);
            }
            offset += count;
        }
    })
    .await
}

/// A bad file changes nothing.
async fn import(file: &Path, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let count = match file.canonicalize() {
        Ok(whole) if whole.is_file() => {
            let path = whole.to_string_lossy().into_owned();
            let deed = asked(MemoryDeed::ImportFile { path });
            match with_door(options, async |door| answered(door, deed).await).await? {
                Reply::MemoryFile { records, .. } => records,
                _ => return Err(Failure::Unanswered),
            }
        }
        // What is handed over as it is made can be read once, and here alone.
        _ => import_once(file, options, console).await?,
    };
    if console.is_json() {
        console.json(&json!({"imported": count}))?;
    } else {
        console.note(Look::Plain, &console.words.memory_imported(count));
    }
    Ok(Exit::Done)
}

/// Every line is read before the first is kept.
async fn import_once(file: &Path, options: &Options, console: &Console) -> Result<u64, Failure> {
    let text = input::text_file(file, console.words)?;
    let mut lines = Vec::new();
    for (number, text) in (1..).zip(text.lines()) {
        if !text.trim().is_empty() {
            let record = record_of_line(text, number);
            lines.push(record.map_err(|cause| {
                Failure::input(
                    console.words.broken_json(file, number, &cause),
                    console.words.give_memory_lines(),
                )
            })?);
        }
    }
    let count = lines.len() as u64;
    with_door(options, async |door| keep(door, lines).await).await?;
    Ok(count)
}

async fn keep(door: &Door, records: Vec<MemoryRecord>) -> Result<(), Failure> {
    for some in records.chunks(IMPORTED_TOGETHER) {
        let records = some.to_vec();
        answered(door, asked(MemoryDeed::Import { records })).await?;
    }
    Ok(())
}

fn show_count(count: &MemoryCount, console: &Console) -> Result<(), Failure> {
    console.line(&format!("{:>8}  {}", count.records, count.kind.name()))
}

/// What there is beside what may be.
fn show_room(room: &MemoryRoom, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(&json!({ "room": room }));
    }
    let line = console.words.memory_room(room);
    console.line(&console.painted(Look::Dim, &line))
}

fn show_meaning(meaning: &MemoryMeaning, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(&json!({ "meaning": meaning }));
    }
    let line = console.words.memory_meaning(meaning);
    console.line(&console.painted(Look::Dim, &line))
}

fn show_visit(visit: &PageVisit, console: &Console) -> Result<(), Failure> {
    let head = format!("{}  {}  {}", local(visit.time), visit.session, visit.title);
    let question = visit.question.replace('\n', " ");
    console.line(&format!("{question}\n    {}", console.painted(Look::Dim, &head)))
}

fn show_hit(hit: &MemoryHit, console: &Console) -> Result<(), Failure> {
    // Whose it is goes without saying where it is the user's.
    let scope = match &hit.scope {
        MemoryScope::User => String::new(),
        other => format!("{other}  "),
    };
    let kind = hit.kind.name();
    let head = format!("{:.2}  {kind}  {scope}{}  {}", hit.score, local(hit.time), hit.id);
    let text = hit.text.replace('\n', " ");
    console.line(&format!("{text}\n    {}", console.painted(Look::Dim, &head)))?;
    hit.contradicted
        .iter()
        .try_for_each(|other| against(other, console))
}

/// What states something else about the same.
fn against(other: &Contrary, console: &Console) -> Result<(), Failure> {
    if console.is_json() {
        return console.json(&json!({ "contradicted": other }));
    }
    let text = other.text.replace('\n', " ");
    let line = console
        .words
        .contradicted(&text, &local(other.time), other.id.as_str());
    console.line(&format!("    {}", console.painted(Look::Dim, &line)))
}

fn show(record: &MemoryRecord, console: &Console) -> Result<(), Failure> {
    let words = console.words;
    let mut head = format!(
        "{}  {}  {}  {}",
        record.id,
        record.kind.name(),
        record.scope,
        local(record.valid_from)
    );
    if let Some(ended) = record.valid_to {
        head.push_str(&format!(" – {}", local(ended)));
    }
    if record.pinned {
        head.push_str(&format!("  {}", words.pinned()));
    }
    let text = record.text.replace('\n', " ");
    console.line(&format!("{text}\n    {}", console.painted(Look::Dim, &head)))
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
