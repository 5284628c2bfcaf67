//! The bar beside a text that was just selected: what each of its acts leads to (F1.8).
//!
//! The bar knows a place and a program. The selected text is looked at once an act is chosen, through the privacy
//! gate.

use crate::connection::RuntimeConnection;
use crate::selection_act::{Act, Bar, Choice, Summoned};
use crate::settings::LiveSettings;
use crate::shell_command::ShellCommand;
use crate::summon::{ActedAt, ShownBy};
use crate::system::{self, window};
use crate::{capture, panel, words};
use shidi_protocol::{MemoryId, PromptFieldKind, SelectionEnd, UserError, reply, request};
use shidi_runtime::LIST_SIGNS;
use shidi_runtime::setting::desktop;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tauri::async_runtime::spawn;
use tauri::{AppHandle, Emitter, Manager};
use tokio::time::timeout;

/// Own prompts that the bar's menu lists.
const PROMPTS_MAX: usize = 12;

/// Longest wait for a selection to be looked at and remembered.
const REMEMBER_LIMIT: Duration = Duration::from_secs(15);

/// The bars that were wanted, and the selections that were over. A bar that is made meanwhile may have come too late.
static WANTED: AtomicU64 = AtomicU64::new(0);
static OVER: AtomicU64 = AtomicU64::new(0);

/// Shows a bar, unless another one is wanted before it is made, or its selection is over.
pub fn show(app: &AppHandle, summoned: Summoned) {
    let wanted = WANTED.fetch_add(1, Ordering::AcqRel) + 1;
    let over = OVER.load(Ordering::Acquire);
    let app = app.clone();
    spawn(async move {
        let prompts = prompts(&app.state::<RuntimeConnection>()).await;
        window::on_main(&app, move |app| {
            let is_of_selection = matches!(summoned, Summoned::Selection(_));
            let is_over = is_of_selection && OVER.load(Ordering::Acquire) != over;
            if is_over || WANTED.load(Ordering::Acquire) != wanted {
                return;
            }
            let bar = Bar {
                summoned,
                prompts,
                language: app.state::<LiveSettings>().language(),
            };
            system::selection_bar::show(app, &bar, perform);
        });
    });
}

/// Ends the bar of a selection that is news no longer.
pub fn over(app: &AppHandle, end: SelectionEnd) {
    OVER.fetch_add(1, Ordering::AcqRel);
    window::on_main(app, move |_| system::selection_bar::over(end));
}

async fn prompts(connection: &RuntimeConnection) -> Vec<String> {
    let listed = connection.ask(request::saved_prompts::List).await;
    let listed = listed
        .map(|reply::SavedPrompts { prompts }| prompts)
        .unwrap_or_default();
    let takes = |prompt: &shidi_protocol::SavedPrompt| {
        let mut fields = prompt.fields.iter();
        prompt.problem.is_none() && fields.any(|field| field.kind == PromptFieldKind::Selection)
    };
    let taking = listed.into_iter().filter(takes).map(|prompt| prompt.name);
    taking.take(PROMPTS_MAX).collect()
}

/// Performs what was chosen. Main thread only.
fn perform(app: &AppHandle, choice: Choice) {
    match choice {
        Choice::Act(act) => ask(app, act),
        Choice::Remember { bar } => remember(app, bar),
        Choice::NotOver { app: program } => leave_out(app, program),
        Choice::Settings => {
            let find = desktop::selection_bar.to_owned();
            let command = ShellCommand::Settings { find };
            panel::show_with(app, Some(command), ShownBy::Start, ActedAt::Now);
        }
        Choice::Undo(memory) => undo(app, memory),
    }
}

/// Opens the panel with what is selected, and what is to be done with it.
fn ask(app: &AppHandle, act: Act) {
    let app = app.clone();
    spawn(async move {
        // Before the panel is shown: it would be the window in front.
        let looked = capture::selected(&app).await;
        window::on_main(&app, move |app| match looked {
            Ok(view) => {
                let view = Box::new(view);
                let command = ShellCommand::Selected { act, view };
                panel::show_with(app, Some(command), ShownBy::Screen, ActedAt::Now);
            }
            Err(error) => {
                panel::show(app, ShownBy::Screen, ActedAt::Now);
                if let Err(error) = app.emit_to(crate::page_window::PANEL, "screen-failed", error) {
                    tracing::warn!(%error, "The panel was not told why nothing is selected");
                }
            }
        });
    });
}

/// Remembers what is selected; the bar itself tells what became of it.
fn remember(app: &AppHandle, bar: u64) {
    let app = app.clone();
    spawn(async move {
        let language = app.state::<LiveSettings>().language();
        let remembered = timeout(REMEMBER_LIMIT, remembered(&app)).await;
        window::on_main(&app, move |_| match remembered {
            Ok(Ok(memory)) => system::selection_bar::say(bar, words::remembered(language), memory),
            Ok(Err(error)) => system::selection_bar::say(bar, &error.to_string(), None),
            Err(_) => system::selection_bar::say(bar, words::look_took_too_long(language).0, None),
        });
    });
}

/// The new memory; `None` where the same was known before.
async fn remembered(app: &AppHandle) -> Result<Option<MemoryId>, UserError> {
    let language = app.state::<LiveSettings>().language();
    let closing = || {
        let (message, hint) = words::closing(language);
        UserError::new(shidi_protocol::ErrorCode::Cancelled, message).hint(hint)
    };
    let view = capture::selected(app).await?;
    if let Some(why) = view.blocked {
        return Err(UserError::new(shidi_protocol::ErrorCode::Input, why));
    }
    let wanted = request::LookRemember { id: view.id };
    let connection = app.state::<RuntimeConnection>();
    let mut replies = connection.send(wanted.into()).ok_or_else(closing)?;
    let reply::MemoryRecords { records, .. } = replies.end().await?;
    Ok(records.into_iter().next().map(|record| record.id))
}

fn undo(app: &AppHandle, memory: MemoryId) {
    let app = app.clone();
    spawn(async move {
        let memory = memory.as_str().to_owned();
        let connection = app.state::<RuntimeConnection>();
        if connection.ask(request::memory::Delete { memory }).await.is_none() {
            tracing::warn!("What was remembered could not be forgotten");
        }
    });
}

/// Adds a program to those that no bar is shown over.
fn leave_out(app: &AppHandle, program: String) {
    let app = app.clone();
    spawn(async move {
        let connection = app.state::<RuntimeConnection>();
        let Some(reply::Config { entries, .. }) = connection.ask(request::ConfigList).await else {
            return;
        };
        let before = entries
            .into_iter()
            .find(|entry| entry.key == desktop::selection_bar_apps)
            .map(|entry| entry.value)
            .unwrap_or_default();
        let changed = connection.ask(request::ConfigSet {
            key: desktop::selection_bar_apps.to_owned(),
            value: with_program(&before, &program),
        });
        if changed.await.is_none() {
            tracing::warn!("The program could not be left out");
        }
    });
}

/// A list of programs with one more. A name can't hold what separates the list, so it is cut there.
fn with_program(list: &str, program: &str) -> String {
    let program = program.split(LIST_SIGNS).next().unwrap_or_default().trim();
    match list.trim().trim_end_matches(';').trim() {
        "" | "none" => program.to_owned(),
        list => format!("{list}; {program}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_joins_those_that_are_left_out() {
        assert_eq!(with_program("", "Firefox"), "Firefox");
        assert_eq!(with_program("xterm; ", "Writer, the 2nd"), "xterm; Writer");
        assert_eq!(with_program("none", "gedit"), "gedit");
        assert_eq!(with_program("a; b", "Office\u{ff0c}Writer"), "a; b; Office");
    }
}
