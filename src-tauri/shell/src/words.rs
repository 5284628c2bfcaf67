//! The shell's own messages to the user, from the catalogue.
//!
//! Only for windows, keys and starting up; the runtime and the pages word everything about questions and answers.

use crate::file_dialog::FileDialog;
use crate::keys::{Action, HotkeyError, Purpose};
use crate::menu::MenuAction;
use crate::mood::Mood;
use crate::notices::Notice;
use crate::selection_act::Act;
use shidi_locales::Language;

/// The accessible name of the ball, which tells the mood.
#[must_use]
pub fn ball_name(mood: Mood, language: Language) -> String {
    let say = language.shell();
    let state = match mood {
        Mood::Idle => say.idle().to_owned(),
        Mood::Looking => say.looking().to_owned(),
        Mood::Thinking(progress) => match progress.percent() {
            None => say.thinking().to_owned(),
            Some(percent) => say.thinking_percent(percent),
        },
        Mood::NeedsYou { cards } => say.needs_you(cards),
        Mood::Suggests => say.suggestion().to_owned(),
        Mood::Error => say.error().to_owned(),
        Mood::Paused => say.paused().to_owned(),
        Mood::Dropping => say.drop_file().to_owned(),
    };
    say.ball_name(state)
}

/// The panel's title, for window lists and screen readers.
#[must_use]
pub fn panel_title(language: Language) -> &'static str {
    language.shell().panel_title()
}

/// The workbench's title.
#[must_use]
pub fn workbench_title(language: Language) -> &'static str {
    language.shell().workbench_title()
}

/// The text of a menu line.
#[must_use]
pub fn menu(action: &MenuAction, language: Language) -> String {
    let text = match action {
        MenuAction::Waiting { cards } => return language.shell().menu_waiting(u64::from(*cards)),
        MenuAction::Open => language.shell().menu_open(),
        MenuAction::OpenAgain => language.shell().menu_open_again(),
        MenuAction::AskScreen => language.shell().ask_screen(),
        MenuAction::NewSession => language.shell().menu_new_session(),
        MenuAction::Assistants => language.shell().menu_assistants(),
        MenuAction::Pause => language.shell().menu_pause(),
        MenuAction::Resume => language.shell().menu_resume(),
        MenuAction::Workbench => language.shell().menu_workbench(),
        MenuAction::Settings => language.shell().menu_settings(),
        MenuAction::Quit => language.shell().menu_quit(),
    };
    text.to_owned()
}

/// The lines of a menu with their texts, in groups.
#[must_use]
pub fn menu_lines(lines: Vec<Vec<MenuAction>>, language: Language) -> Vec<Vec<(MenuAction, String)>> {
    let worded = |action: MenuAction| (action, menu(&action, language));
    let groups = lines.into_iter();
    groups
        .map(|group| group.into_iter().map(worded).collect())
        .collect()
}

/// What keys do, for the desktop's list of keys.
#[must_use]
pub fn purpose(purpose: &Purpose, language: Language) -> String {
    match purpose {
        Purpose::Own(action) => self::action(*action, language).to_owned(),
        Purpose::Assistant(name) => language.shell().action_assistant(name),
    }
}

fn action(action: Action, language: Language) -> &'static str {
    match action {
        Action::Summon => language.shell().action_summon(),
        Action::AskScreen => language.shell().ask_screen(),
        Action::Pause => language.shell().action_pause(),
        Action::Assistants => language.shell().menu_assistants(),
        Action::Selection => language.shell().action_selection(),
    }
}

/// The name of the bar beside a selected text, for window lists and screen readers.
#[must_use]
pub fn selection_title(language: Language) -> &'static str {
    language.shell().selection_title()
}

/// An act on a selected text.
#[must_use]
pub fn act(act: &Act, language: Language) -> String {
    let say = language.shell();
    let text = match act {
        Act::Ask => say.selection_ask(),
        Act::Explain => say.selection_explain(),
        Act::Translate => say.selection_translate(),
        Act::Rewrite => say.selection_rewrite(),
        Act::Remember => say.selection_remember(),
        Act::Prompt { name } => return format!("/{name}"),
    };
    text.to_owned()
}

/// What opens the rest of the acts.
#[must_use]
pub fn selection_more(language: Language) -> &'static str {
    language.shell().selection_more()
}

/// The line that keeps the bar away from a program.
#[must_use]
pub fn selection_not_over(app: &str, language: Language) -> String {
    language.shell().selection_not_over(app)
}

/// The line that leads to the bar's settings.
#[must_use]
pub fn selection_settings(language: Language) -> &'static str {
    language.shell().selection_settings()
}

/// What is said once a selection is remembered.
#[must_use]
pub fn remembered(language: Language) -> &'static str {
    language.shell().selection_remembered()
}

/// The button that takes it back.
#[must_use]
pub fn undo(language: Language) -> &'static str {
    language.shell().selection_undo()
}

/// The error that there is no display for windows.
#[must_use]
pub fn no_display(language: Language) -> &'static str {
    language.shell().no_display()
}

/// Why keys are not ours, with the remedy.
#[must_use]
pub fn hotkey_error(error: &HotkeyError, purpose: &Purpose, keys: &str, language: Language) -> String {
    let (owner, command) = (purpose.owner(), purpose.command());
    match error {
        HotkeyError::Taken => hotkey_taken(purpose, keys, language),
        HotkeyError::Impossible => hotkey_impossible(keys, &command, language),
        HotkeyError::Unreadable(error) => {
            hotkey_unreadable(keys, &owner, &error.in_words(language), language)
        }
        HotkeyError::Twice => hotkey_twice(keys, &owner, language),
        HotkeyError::Refused(reason) => hotkey_failed(keys, &command, reason, language),
    }
}

/// The error that another program has the keys.
fn hotkey_taken(purpose: &Purpose, keys: &str, language: Language) -> String {
    match purpose {
        Purpose::Own(_) => language.shell().hotkey_taken(keys),
        Purpose::Assistant(name) => language.shell().hotkey_taken_assistant(keys, name),
    }
}

/// The error that this kind of desktop gives no keys to programs.
fn hotkey_impossible(keys: &str, command: &str, language: Language) -> String {
    language.shell().hotkey_impossible(command, keys)
}

/// The error that the configured text names no keys.
fn hotkey_unreadable(keys: &str, setting: &str, reason: &str, language: Language) -> String {
    language.shell().hotkey_unreadable(keys, reason, setting)
}

/// The error that two actions have the same keys.
fn hotkey_twice(keys: &str, setting: &str, language: Language) -> String {
    language.shell().hotkey_twice(keys, setting)
}

/// The error that the display or the portal refused the keys.
fn hotkey_failed(keys: &str, command: &str, reason: &str, language: Language) -> String {
    language.shell().hotkey_failed(command, keys, reason)
}

/// The text of a notification.
#[must_use]
pub fn notice(notice: Notice, language: Language) -> &'static str {
    match notice {
        Notice::Approval => language.shell().notice_approval(),
        Notice::Question => language.shell().notice_question(),
        Notice::Answered => language.shell().notice_answered(),
        Notice::Failed => language.shell().notice_failed(),
        Notice::JobEnded => language.shell().notice_job_ended(),
        Notice::JobFailed => language.shell().notice_job_failed(),
        Notice::Reminder => language.shell().notice_reminder(),
        Notice::Scheduled => language.shell().notice_scheduled(),
        Notice::ScheduleFailed => language.shell().notice_schedule_failed(),
        Notice::ScheduleMissed => language.shell().notice_schedule_missed(),
        Notice::Browser => language.shell().notice_browser(),
        Notice::PanelLost => language.shell().notice_panel_lost(),
    }
}

/// The text of one notification in the place of those that waited.
#[must_use]
pub fn notices_waited(count: u64, language: Language) -> String {
    language.shell().notice_waited(count)
}

/// The hint while the user chooses a part of the screen.
#[must_use]
pub fn region_hint(language: Language) -> &'static str {
    language.shell().region_hint()
}

/// The error that another look is under way.
#[must_use]
pub fn looks_already(language: Language) -> (&'static str, &'static str) {
    let say = language.shell();
    (say.looks_already(), say.looks_already_hint())
}

/// The error that a look took too long.
#[must_use]
pub fn look_took_too_long(language: Language) -> (&'static str, &'static str) {
    let say = language.shell();
    (say.look_took_too_long(), say.look_took_too_long_hint())
}

/// The error that the program is closing.
#[must_use]
pub fn closing(language: Language) -> (&'static str, &'static str) {
    let say = language.shell();
    (say.closing(), say.closing_hint())
}

/// The error that a program without windows holds the data folder.
#[must_use]
pub fn folder_busy(language: Language) -> (&'static str, &'static str) {
    let say = language.shell();
    (say.folder_busy(), say.folder_busy_hint())
}

/// The error that links of this kind are not opened.
#[must_use]
pub fn link_refused(language: Language) -> (&'static str, &'static str) {
    let say = language.shell();
    (say.link_refused(), say.link_refused_hint())
}

/// The error that no program opens the link.
#[must_use]
pub fn link_failed(language: Language) -> (&'static str, &'static str) {
    let say = language.shell();
    (say.link_failed(), say.link_failed_hint())
}

/// The error that a file is not where it was made any more.
#[must_use]
pub fn file_gone(language: Language) -> (&'static str, &'static str) {
    let say = language.shell();
    (say.file_gone(), say.file_gone_hint())
}

/// The error that no program opens the file.
#[must_use]
pub fn file_not_opened(language: Language) -> (&'static str, &'static str) {
    let say = language.shell();
    (say.file_not_opened(), say.file_not_opened_hint())
}

/// Title of the file picker.
#[must_use]
pub fn pick_title(language: Language, dialog: &FileDialog) -> &'static str {
    match dialog {
        FileDialog::Files => language.shell().pick_files(),
        FileDialog::Folder => language.shell().pick_folder(),
        FileDialog::NewFile(_) => language.shell().save_as(),
    }
}
