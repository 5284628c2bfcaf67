//! The results of the user's acts: on the ball, in a menu, by keys, by a link, or by commands.

use crate::ball::BallEvent;
use crate::connection::RuntimeConnection;
use crate::deep_link;
use crate::hotkey::{self, Hotkeys};
use crate::keys::{Action, Press, Purpose};
use crate::menu::MenuAction;
use crate::mood::{Happening, Sensing};
use crate::moods::Moods;
use crate::notices::ClickPlace;
use crate::selection_act::Summoned;
use crate::summon::{ActedAt, ShownBy};
use crate::system::window;
use crate::{capture, panel, selection_bar, workbench};
use shidi_protocol::DesktopSignal;
use tauri::async_runtime::spawn;
use tauri::{AppHandle, Manager};

/// Performs an act on the ball. Main thread only.
pub fn on_ball(app: &AppHandle, event: BallEvent) {
    match event {
        BallEvent::Clicked(at) => click(app, at),
        BallEvent::Chosen(action, at) => perform(app, action, at),
        BallEvent::Dropped(paths, at) => panel::attach(app, paths, at),
    }
}

/// Opens the panel at the place that the mood names, or toggles the panel when the mood names none.
fn click(app: &AppHandle, at: ActedAt) {
    let moods = app.state::<Moods>();
    match moods.click_target().filter(|_| !moods.is_panel_shown()) {
        Some(command) => panel::show_with(app, Some(command), ShownBy::Ball, at),
        None => panel::toggle(app, ShownBy::Ball, at),
    }
}

/// Performs the action of a menu's line. Main thread only.
pub fn perform(app: &AppHandle, action: MenuAction, at: ActedAt) {
    match action {
        MenuAction::Waiting { .. } => {
            let target = app.state::<Moods>().click_target();
            panel::show_with(app, target, ShownBy::Ball, at);
        }
        MenuAction::Open | MenuAction::OpenAgain => panel::show(app, ShownBy::Ball, at),
        MenuAction::AskScreen => capture::ask_screen(app),
        MenuAction::NewSession | MenuAction::Assistants | MenuAction::Settings => {
            panel::show_with(app, action.command(), ShownBy::Ball, at);
        }
        MenuAction::Workbench => workbench::open(app, None),
        MenuAction::Pause => app.state::<RuntimeConnection>().set_sensing(Sensing::Paused),
        MenuAction::Resume => app.state::<RuntimeConnection>().set_sensing(Sensing::On),
        MenuAction::Quit => app.exit(0),
    }
}

/// Performs the action of a line of the tray's menu.
pub fn on_tray(app: &AppHandle, action: MenuAction) {
    window::on_main(app, move |app| perform(app, action, ActedAt::Now));
}

/// Performs the action of the pressed keys. Main thread only.
pub fn on_keys(app: &AppHandle, press: &Press) {
    match &press.purpose {
        Purpose::Own(action) => on_own_keys(app, *action, press),
        Purpose::Assistant(name) => {
            let command = deep_link::command_of(&deep_link::to_assistant(name));
            panel::show_with(app, command, ShownBy::Hotkey, press.at);
            // A file that a hand took away or changed gives its keys back.
            let app = app.clone();
            spawn(async move { hotkey::read_assistants(&app).await });
        }
    }
}

fn on_own_keys(app: &AppHandle, action: Action, press: &Press) {
    match action {
        Action::Summon if app.state::<Hotkeys>().was_practice() => {}
        Action::Summon => panel::toggle_by_keys(app, press),
        Action::AskScreen => capture::ask_screen(app),
        Action::Assistants => {
            let command = Some(deep_link::offering_assistants());
            panel::show_with(app, command, ShownBy::Hotkey, press.at);
        }
        Action::Selection => selection_bar::show(app, Summoned::Keys),
        Action::Pause => {
            let sensing = match app.state::<Moods>().sensing() {
                Sensing::On => Sensing::Paused,
                Sensing::Paused => Sensing::On,
            };
            app.state::<RuntimeConnection>().set_sensing(sensing);
        }
    }
}

/// Performs a request of the command line, of a second start of the program, or of the runtime.
pub fn on_signal(app: &AppHandle, signal: DesktopSignal) {
    match signal {
        DesktopSignal::Show => window::on_main(app, |app| panel::show(app, ShownBy::Start, ActedAt::Now)),
        DesktopSignal::Toggle => {
            window::on_main(app, |app| panel::toggle(app, ShownBy::Start, ActedAt::Now));
        }
        DesktopSignal::Open { link } => open_link(app, &link),
        DesktopSignal::AskScreen => capture::ask_screen(app),
        DesktopSignal::Pause => app.state::<Moods>().note(&Happening::Sensing(Sensing::Paused)),
        DesktopSignal::Resume => app.state::<Moods>().note(&Happening::Sensing(Sensing::On)),
        DesktopSignal::SelectionMade { place } => selection_bar::show(app, Summoned::Selection(place)),
        DesktopSignal::SelectionOver { end } => selection_bar::over(app, end),
        DesktopSignal::Quit => app.exit(0),
    }
}

/// Shows the panel with a link's command, or the bar of a selection; nothing is ever sent by a link.
pub fn open_link(app: &AppHandle, link: &str) {
    if deep_link::is_of_selection(link) {
        return selection_bar::show(app, Summoned::Link);
    }
    let command = deep_link::command_of(link);
    window::on_main(app, |app| {
        panel::show_with(app, command, ShownBy::Start, ActedAt::Now)
    });
}

/// Shows the place of a notification that was clicked. Main thread only.
pub fn on_notification(app: &AppHandle, place: Option<ClickPlace>) {
    let command = match place {
        Some(ClickPlace::Workbench(at)) => return workbench::open(app, Some(at)),
        Some(ClickPlace::Panel(command)) => Some(command),
        None => None,
    };
    panel::show_with(app, command, ShownBy::Start, ActedAt::Now);
}
