//! `shidi memory`: what is remembered: finding, reading, writing, correcting, erasing, taking elsewhere.

mod show;

use crate::client::{ask, done, exported, with_connection};
use crate::console::{Console, Look};
use crate::failure::{Exit, Failure};
use crate::input;
use crate::limits::LIST_LIMIT_DEFAULT;
use crate::options::Options;
use crate::words::Words;
use clap::Subcommand;
use serde::Serialize;
use serde_json::json;
use shidi_protocol::request::memory;
use shidi_protocol::{MemoryKind, MemoryScope, reply};
use shidi_runtime::moment_of;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

/// Which records.
#[derive(Debug, clap::Args)]
struct Which {
    #[arg(long, value_name = "KIND", value_parser = kind)]
    kind: Vec<MemoryKind>,
    #[arg(long, value_name = "SCOPE")]
    scope: Vec<MemoryScope>,
}

#[derive(Debug, Subcommand)]
enum Action {
    Add(Added),
    Search(Searched),
    List(Listed),
    Show {
        #[arg(value_name = "ID")]
        memory: String,
    },
    Edit {
        #[arg(value_name = "ID")]
        memory: String,
        #[arg(required_unless_present = "until", value_name = "TEXT")]
        text: Vec<String>,
        #[arg(long, value_name = "TIME")]
        until: Option<String>,
    },
    Pin {
        #[arg(value_name = "ID")]
        memory: String,
        #[arg(long)]
        off: bool,
    },
    #[command(visible_alias = "forget")]
    Delete {
        #[arg(value_name = "ID")]
        memory: String,
    },
    ForgetSite {
        #[arg(value_name = "URL")]
        address: String,
    },
    Visits {
        #[arg(value_name = "URL")]
        address: String,
        #[arg(long, value_name = "N", default_value_t = LIST_LIMIT_DEFAULT)]
        limit: u32,
    },
    Dropped {
        #[arg(value_name = "SITE")]
        site: Option<String>,
    },
    Offer {
        #[arg(value_name = "SITE")]
        site: String,
        #[arg(value_name = "QUESTION")]
        guess: String,
    },
    Export,
    Import {
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
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
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
}

#[derive(Debug, clap::Args)]
struct Searched {
    #[arg(required = true, value_name = "TEXT")]
    text: Vec<String>,
    #[command(flatten)]
    which: Which,
    #[arg(long, value_name = "URL")]
    page: Option<String>,
    #[arg(long, value_name = "N", default_value_t = LIST_LIMIT_DEFAULT)]
    limit: u32,
}

#[derive(Debug, clap::Args)]
struct Listed {
    #[command(flatten)]
    which: Which,
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
    match arguments.action {
        Action::Add(added) => records(ask(added.request(words)?, options).await?, console),
        Action::Search(searched) => {
            let reply::Memories { hits } = ask(searched.request(), options).await?;
            each(&hits, show::hit, console)
        }
        Action::List(listed) => records(ask(listed.request(), options).await?, console),
        Action::Show { memory } => records(ask(memory::Show { memory }, options).await?, console),
        Action::Edit { memory, text, until } => edited(memory, text.join(" "), until, options, console).await,
        Action::Pin { memory, off } => {
            let request = memory::Pin { memory, pinned: !off };
            let said = if off {
                words.memory_unpinned()
            } else {
                words.memory_pinned()
            };
            done(request, said, options, console).await
        }
        Action::Delete { memory } => {
            done(memory::Delete { memory }, words.memory_erased(), options, console).await
        }
        Action::ForgetSite { address } => {
            let request = memory::ForgetSite { address };
            done(request, words.site_forgotten(), options, console).await
        }
        Action::Visits { address, limit } => {
            let reply::Visits { visits } = ask(memory::Visits { address, limit }, options).await?;
            each(&visits, show::visit, console)
        }
        Action::Dropped { site } => {
            let reply::DroppedGuesses { guesses } = ask(memory::DroppedGuesses { site }, options).await?;
            each(&guesses, show::dropped, console)
        }
        Action::Offer { site, guess } => {
            let reply::DroppedGuesses { guesses } = ask(memory::OfferGuess { site, guess }, options).await?;
            each(&guesses, show::dropped, console)
        }
        Action::Stats => stats(options, console).await,
        Action::Export => exported(memory::ExportLines, options, console).await,
        Action::Import { file } => import(&file, options, console).await,
    }
}

/// Shows records, and what contradicts the one that was asked for by itself.
fn records(shown: reply::MemoryRecords, console: &Console) -> Result<Exit, Failure> {
    let exit = each(&shown.records, show::record, console)?;
    let mut contradicted = shown.contradicted.iter();
    contradicted.try_for_each(|other| show::against(other, console))?;
    Ok(exit)
}

async fn stats(options: &Options, console: &Console) -> Result<Exit, Failure> {
    let request = memory::Stats {
        scopes: Vec::new(),
        ended: false,
    };
    let reply::MemoryStats {
        counts,
        room,
        meaning,
        ..
    } = ask(request, options).await?;
    let exit = each(&counts, show::count, console)?;
    room.iter().try_for_each(|room| show::room(room, console))?;
    meaning
        .iter()
        .try_for_each(|meaning| show::meaning(meaning, console))?;
    Ok(exit)
}

impl Added {
    fn request(self, words: Words) -> Result<memory::Add, Failure> {
        let until = self.until.map(|until| moment_of(&until, words.language()));
        Ok(memory::Add {
            text: self.text.join(" "),
            kind: self.kind,
            scope: self.scope,
            tags: self.tag,
            until: until.transpose()?,
            tainted: false,
        })
    }
}

impl Searched {
    fn request(self) -> memory::Find {
        memory::Find {
            text: self.text.join(" "),
            kinds: self.which.kind,
            scopes: self.which.scope,
            page: self.page,
            limit: self.limit,
        }
    }
}

impl Listed {
    fn request(self) -> memory::List {
        memory::List {
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
        Some(until) => Some(Some(moment_of(until, console.words.language())?)),
    };
    let shown = with_connection(options, async |connection| {
        if let Some(until) = until {
            let memory = memory.clone();
            connection.ask(memory::Limit { memory, until }).await?;
        }
        Ok(match text.is_empty() {
            true => connection.ask(memory::Show { memory }).await?,
            false => connection.ask(memory::Edit { memory, text }).await?,
        })
    });
    each(&shown.await?.records, show::record, console)
}

/// Shows each as one object, or as a person reads it.
fn each<T: Serialize>(
    items: &[T],
    show: fn(&T, &Console) -> Result<(), Failure>,
    console: &Console,
) -> Result<Exit, Failure> {
    console.note_if_empty(items);
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
    let reply::MemoryFile { records, own, .. } = ask(memory::ImportFile { path }, options).await?;
    if console.is_json() {
        console.json(&json!({"imported": records, "own": own}))?;
    } else {
        console.note(Look::Plain, &console.words.memory_imported(records, own));
    }
    Ok(Exit::Done)
}

fn kind(text: &str) -> Result<MemoryKind, String> {
    MemoryKind::from_name(text).ok_or_else(|| {
        let names: Vec<&str> = MemoryKind::ALL.iter().map(|kind| kind.name()).collect();
        format!("\"{text}\" is none of {}", names.join(", "))
    })
}
