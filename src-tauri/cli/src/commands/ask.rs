//! `shidi ask`: one question or task through the full pipeline, streamed.

use super::prompt::{self, Beside};
use super::{companion, sense, session};
use crate::client::{source, with_connection};
use crate::console::Console;
use crate::executed::{self, ELSEWHERE};
use crate::failure::{Exit, Failure};
use crate::follow::{Followed, Lasts, follow_while};
use crate::input;
use crate::options::Options;
use crate::unlocking::{ask_unlocking, unlocking};
use crate::words::Words;
use shidi_protocol::{Ask, ContentPart, LookAt, Mode, Request, RunId, SessionId, reply, request};
use shidi_runtime::{Connection, Replies, setting};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

/// Roles that a model can be named for.
const ROLES: &[&str] = &["fast", "coder", "general", "vision", "embedding"];

/// Names of `--provider`; a journey holds them against those of the runtime.
const PROVIDERS: [&str; 16] = [
    "openai",
    "anthropic",
    "gemini",
    "ollama",
    "dashscope",
    "deepseek",
    "openrouter",
    "moonshot",
    "mistral",
    "zhipu",
    "siliconflow",
    "lmstudio",
    "vllm",
    "llamacpp",
    "file",
    "custom",
];

#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[arg(required_unless_present = "prompt", value_name = "TEXT")]
    text: Vec<String>,
    #[arg(long, value_name = "ID|last|new", default_value = "new")]
    session: String,
    #[arg(long, value_name = "NAME")]
    assistant: Option<String>,
    #[arg(long, value_name = "NAME")]
    prompt: Option<String>,
    #[arg(long, value_name = "FIELD=VALUE", requires = "prompt")]
    set: Vec<String>,
    #[arg(long, value_name = "PATH")]
    file: Vec<PathBuf>,
    #[arg(long, value_name = "URL|mcp:SERVER/URI")]
    attach: Vec<String>,
    #[arg(long, value_name = "whole|visible|selection", num_args = 0..=1, require_equals = true, value_parser = part)]
    page: Option<Option<ContentPart>>,
    #[arg(long, conflicts_with_all = ["session", "again"])]
    incognito: bool,
    #[arg(long, value_name = "RUN", conflicts_with_all = ["file", "attach", "folder", "context"])]
    again: Option<String>,
    #[arg(long, value_name = "RUN", conflicts_with_all = ["file", "attach", "folder", "context", "again", "session", "incognito"])]
    instead: Option<String>,
    #[arg(long, value_name = "page|selection|monitor|window|X,Y,WxH", value_parser = sense::look_at)]
    screen: Vec<LookAt>,
    #[arg(long, value_name = "FILE.json")]
    context: Option<PathBuf>,
    #[arg(long, value_name = "DIR")]
    folder: Vec<PathBuf>,
    #[arg(long, value_name = "ask|risky|trust", value_parser = mode)]
    mode: Option<Mode>,
    #[arg(long, value_name = "PATTERN")]
    approve: Vec<String>,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_rounds: Option<u32>,
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_tokens: Option<u32>,
    #[arg(long, value_name = "S", value_parser = clap::value_parser!(u32).range(1..))]
    timeout: Option<u32>,
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
    #[arg(long, value_name = "URL")]
    model_url: Option<String>,
    #[arg(long, value_name = "NAME", value_parser = PROVIDERS)]
    provider: Option<String>,
    #[arg(long, value_name = "fast=NAME")]
    role_model: Vec<String>,
    #[arg(long, value_parser = ["fenced", "fim", "tool", "json", "relay"])]
    format: Option<String>,
}

/// Asks, and follows the run to its end.
///
/// # Errors
/// Bad input, or whatever keeps the run from starting.
pub async fn run(arguments: Arguments, options: &Options, console: &Console) -> Result<Exit, Failure> {
    let named_session = arguments.session.clone();
    let screens = arguments.screen.clone();
    let attached = arguments.attach.clone();
    let lasts = match arguments.incognito {
        true => Lasts::ForNow,
        false => Lasts::OnRecord,
    };
    let about_page = arguments.page;
    let called = arguments.prompt.clone().map(|name| (name, arguments.set.clone()));
    let mut ask = arguments.ask(options)?;
    ask.unattended = !console.can_ask();
    with_connection(options, async |connection| {
        if named_session != "new" {
            ask.session = Some(session::named(connection, &named_session, console.words).await?);
        }
        let incognito = match lasts {
            Lasts::ForNow => Some(Incognito::open(connection).await?),
            Lasts::OnRecord => None,
        };
        if let Some(incognito) = &incognito {
            ask.session = Some(incognito.session.clone());
        }
        let kept = kept(connection, &attached, incognito.as_ref(), console);
        ask.files.extend(kept.await?);
        if let Some((name, set)) = &called {
            let beside = Beside {
                has_selection: ask.piped.is_some()
                    || about_page == Some(Some(ContentPart::Selection))
                    || screens.contains(&LookAt::Selection),
                has_page: about_page.is_some() || screens.contains(&LookAt::Page),
                files: &ask.files,
            };
            let filled = prompt::filled(connection, name, set, &beside, options.language()).await?;
            ask.text = match ask.text.trim() {
                "" => filled,
                more => format!("{filled}\n\n{more}"),
            };
        }
        for what in screens {
            let session = incognito.as_ref().map(|incognito| &incognito.session);
            ask.screens
                .push(sense::seen(connection, what, session, console).await?.id);
        }
        if let Some(part) = about_page {
            ask.page = Some(companion::page_in_front(connection, console).await?);
            let session = incognito.as_ref().map(|incognito| &incognito.session);
            let view = sense::seen(connection, LookAt::Page, session, console).await?;
            ask.parts.extend(part.map(|part| (view.id.clone(), part)));
            ask.screens.push(view.id);
        }
        let followed = unlocking(connection, console, async || {
            follow_while(connection, Request::Ask(Box::new(ask.clone())), console, lasts).await
        });
        match followed.await? {
            Followed::Run(exit) => Ok(exit),
            Followed::Executed { result, before } => executed::show(&result, ELSEWHERE, before, console),
        }
    })
    .await
}

/// Addresses and resources as files that go along. One that can't be read fails the command: it was named to go along.
async fn kept(
    connection: &Connection,
    attached: &[String],
    incognito: Option<&Incognito>,
    console: &Console,
) -> Result<Vec<String>, Failure> {
    let mut paths = Vec::new();
    for what in attached {
        let inspect = request::Inspect {
            source: source(what),
            session: incognito.map(|incognito| incognito.session.clone()),
        };
        let reply::Inspected { attachment } = ask_unlocking(connection, inspect, console).await?;
        if let Some(reason) = attachment.reason {
            let words = console.words;
            let why = words.not_attached(&attachment.name, words.unreadable(reason));
            return Err(Failure::input(why, words.look_with_inspect(what)));
        }
        paths.push(attachment.path);
    }
    Ok(paths)
}

/// A session that leaves nothing, as long as this is held.
struct Incognito {
    session: SessionId,
    _open: Replies,
}

impl Incognito {
    async fn open(connection: &Connection) -> Result<Self, Failure> {
        let mut open = connection.send(Request::Incognito);
        let reply::Incognito { session } = open.end().await?;
        Ok(Self { session, _open: open })
    }
}

impl Arguments {
    /// Checks what was handed over and makes the request; the session is found later.
    fn ask(self, options: &Options) -> Result<Ask, Failure> {
        let words = options.words();
        let overrides = self.overrides(words)?;
        let files = self
            .file
            .iter()
            .map(|path| input::attached(path, words))
            .collect::<Result<_, _>>()?;
        let folders = self
            .folder
            .iter()
            .map(|path| input::folder(path, words))
            .collect::<Result<_, _>>()?;
        let context = self
            .context
            .as_deref()
            .map(|path| input::snapshot(path, words))
            .transpose()?;
        let (text, piped) = asked(&self.text, words)?;
        if text.trim().is_empty() && piped.is_none() && self.prompt.is_none() {
            return Err(Failure::input(words.no_question(), words.say_what()));
        }
        Ok(Ask {
            text,
            piped,
            assistant: self.assistant,
            session: None,
            files,
            screens: Vec::new(),
            page: None,
            parts: BTreeMap::new(),
            context,
            folders,
            mode: self.mode,
            unattended: false,
            own_list: false,
            approve: self.approve,
            max_rounds: self.max_rounds,
            max_tokens: self.max_tokens,
            max_usd: None,
            timeout_s: self.timeout,
            overrides,
            language: Some(options.language().code().to_owned()),
            again: self.again.map(RunId::from),
            instead: self.instead.map(RunId::from),
            offered: None,
            replay: None,
            program: None,
            under: None,
            task: None,
        })
    }

    fn overrides(&self, words: Words) -> Result<BTreeMap<String, String>, Failure> {
        let named = [
            (setting::main::model, &self.model),
            (setting::main::model_url, &self.model_url),
            (setting::main::provider, &self.provider),
            (setting::reach::format, &self.format),
        ];
        let mut overrides: BTreeMap<String, String> = named
            .into_iter()
            .filter_map(|(key, value)| Some((key.to_owned(), value.clone()?)))
            .collect();
        for pair in &self.role_model {
            match pair.split_once('=') {
                Some((role, model)) if ROLES.contains(&role) && !model.is_empty() => {
                    overrides.insert(format!("role.{role}"), model.to_owned());
                }
                Some(_) | None => return Err(Failure::input(words.bad_role(pair), words.roles())),
            }
        }
        Ok(overrides)
    }
}

/// The words of the command line, and what was piped in. The words are the user's. Anybody may have written a text that
/// comes through a pipe, unlike a text that is typed at a terminal.
fn asked(given: &[String], words: Words) -> Result<(String, Option<String>), Failure> {
    let Some((_, said)) = given.split_first().filter(|(first, _)| *first == "-") else {
        return Ok((given.join(" "), None));
    };
    let (read, said) = (input::stdin(words)?, said.join(" "));
    match said.trim().is_empty() && io::stdin().is_terminal() {
        true => Ok((read, None)),
        false => Ok((said, Some(read).filter(|read| !read.trim().is_empty()))),
    }
}

fn part(text: &str) -> Result<ContentPart, String> {
    match text {
        "whole" => Ok(ContentPart::Whole),
        "visible" => Ok(ContentPart::Visible),
        "selection" => Ok(ContentPart::Selection),
        "nothing" => Ok(ContentPart::Nothing),
        other => Err(format!("'{other}' is none of whole, visible, selection, nothing")),
    }
}

fn mode(text: &str) -> Result<Mode, String> {
    match text {
        "ask" => Ok(Mode::Ask),
        "risky" => Ok(Mode::Risky),
        "trust" => Ok(Mode::Trust),
        other => Err(format!("'{other}' is none of ask, risky, trust")),
    }
}
