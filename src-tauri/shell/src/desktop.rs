//! The state that all windows share: the connection to the runtime, its streams, the mood, and the ball's place.
//!
//! This file passes requests on and decides nothing.

mod following;

use crate::commands::{DesktopState, HotkeyState};
use crate::geometry::{Area, Place, Screen, Size, layout_name, panel_place, panel_size};
use crate::hotkey::{Action, Outcome};
use crate::menu::{self, Deed};
use crate::mood::{Happening, Mood, Sensing, State};
use crate::page::{Lost, Page, Summoned};
use crate::panel::ShownBy;
use crate::places::Places;
use crate::settings::Settings;
use crate::streams::{Delivery, StreamId, Streams, carry};
use crate::wish::{BenchPlace, Wish, Wishes};
use crate::words::Language;
use crate::workbench;
use parking_lot::{Mutex, MutexGuard};
use shidi_protocol::{ConfigEntry, DesktopSignal, ErrorCode, Reply, Request, UserError};
use shidi_runtime::{Connection, Replies};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tauri::AppHandle;
use tokio::sync::{oneshot, watch};

/// Longest time that quitting waits until everything is stored.
const CLOSE_LIMIT: Duration = Duration::from_secs(5);
pub struct Desktop {
    /// The language of the arguments or the environment; a configured one goes before it.
    language: Language,
    settings: watch::Sender<Settings>,
    connection: Mutex<Option<Connection>>,
    /// The streams of the panel's page, and of the workbench's.
    streams: [Streams; 2],
    state: Mutex<State>,
    mood: watch::Sender<Mood>,
    hotkeys: Mutex<Vec<HotkeyState>>,
    /// The receiver of the next press of the keys that summon, in place of the panel.
    practising: Mutex<Option<oneshot::Sender<()>>>,
    places: Mutex<Places>,
    ball: Mutex<Option<(Area, Vec<Screen>)>>,
    page: Mutex<Page>,
    wishes: Mutex<Wishes>,
    /// The place at which the workbench must open.
    wanted_place: Mutex<Option<BenchPlace>>,
    data_folder: Option<PathBuf>,
    looking: AtomicBool,
    /// Whether the panel was shown before our windows were hidden for a look.
    hidden: Mutex<Option<bool>>,
    /// Whether a full-screen window is in front.
    full_screen: AtomicBool,
}

/// The right to make one look; it ends when the value is dropped.
pub struct LookTurn<'a>(&'a AtomicBool);

impl Drop for LookTurn<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

impl Desktop {
    #[must_use]
    pub fn new(
        connection: Connection,
        language: Language,
        settings: Settings,
        data_folder: Option<&Path>,
    ) -> Self {
        Self {
            language,
            settings: watch::Sender::new(settings),
            connection: Mutex::new(Some(connection)),
            streams: Default::default(),
            state: Mutex::default(),
            mood: watch::Sender::new(Mood::Idle),
            hotkeys: Mutex::default(),
            practising: Mutex::default(),
            places: Mutex::new(Places::read(data_folder)),
            ball: Mutex::default(),
            page: Mutex::default(),
            wishes: Mutex::default(),
            wanted_place: Mutex::default(),
            data_folder: data_folder.map(Path::to_owned),
            looking: AtomicBool::new(false),
            hidden: Mutex::default(),
            full_screen: AtomicBool::new(false),
        }
    }

    /// A summon; see [`Page::summon`].
    #[must_use]
    pub fn summon(&self, by: ShownBy) -> Summoned {
        locked(&self.page).summon(by)
    }

    /// Drops the kept summon. Returns false when there is none.
    #[must_use]
    pub fn takes_summon_back(&self) -> bool {
        locked(&self.page).take_summon_back()
    }

    /// Notes that the panel's page is loaded; returns the kept summon.
    pub fn page_loaded(&self) -> Option<ShownBy> {
        self.note(&Happening::PageLoaded);
        locked(&self.page).loaded()
    }

    /// Notes that the panel's page is gone; a summon is kept until the page is loaded again.
    #[must_use]
    pub fn page_lost(&self, wanted: Option<ShownBy>) -> Lost {
        let lost = locked(&self.page).lost(wanted, Instant::now());
        if lost == Lost::LeftAlone {
            self.note(&Happening::PageLeftAlone);
        }
        lost
    }

    /// The configured language, else the language of the surroundings.
    #[must_use]
    pub fn language(&self) -> Language {
        self.settings.borrow().language.unwrap_or(self.language)
    }

    #[must_use]
    pub fn settings(&self) -> watch::Receiver<Settings> {
        self.settings.subscribe()
    }

    pub fn add_wish(&self, wish: Wish) {
        locked(&self.wishes).add(wish);
    }

    #[must_use]
    pub fn take_wishes(&self) -> Vec<Wish> {
        locked(&self.wishes).take()
    }

    /// The right to make one look; `None` while another look is under way.
    #[must_use]
    pub fn begin_look(&self) -> Option<LookTurn<'_>> {
        let was_looking = self.looking.swap(true, Ordering::AcqRel);
        (!was_looking).then(|| LookTurn(&self.looking))
    }

    #[must_use]
    pub fn is_looking(&self) -> bool {
        self.looking.load(Ordering::Acquire)
    }

    /// Notes whether the panel was shown before our windows were hidden, unless they are hidden already.
    pub fn note_hidden(&self, was_shown: bool) {
        locked(&self.hidden).get_or_insert(was_shown);
    }

    /// Whether the panel was shown before our windows were hidden; the note is then cleared.
    #[must_use]
    pub fn take_hidden(&self) -> bool {
        locked(&self.hidden).take().unwrap_or_default()
    }

    /// Notes whether a full-screen window is in front.
    pub fn note_full_screen(&self, is_there: bool) {
        self.full_screen.store(is_there, Ordering::Release);
    }

    /// Sends the next press of the keys that summon to the returned receiver.
    pub fn practise(&self) -> oneshot::Receiver<()> {
        let (pressed, waits) = oneshot::channel();
        *locked(&self.practising) = Some(pressed);
        waits
    }

    /// Whether a press of the keys went to a practice.
    #[must_use]
    pub fn was_practice(&self) -> bool {
        let practising = locked(&self.practising).take();
        practising.is_some_and(|pressed| pressed.send(()).is_ok())
    }

    /// The streams of a window's page: each page counts its own.
    #[must_use]
    pub fn streams_of(&self, window: &str) -> &Streams {
        &self.streams[usize::from(window == workbench::LABEL)]
    }

    /// The folder where pages store their data; both windows are one site.
    #[must_use]
    pub fn page_folder(&self) -> Option<PathBuf> {
        self.data_folder.as_ref().map(|folder| folder.join("panel"))
    }

    pub fn want_place(&self, at: BenchPlace) {
        *locked(&self.wanted_place) = Some(at);
    }

    /// The place at which the workbench must open; given out once.
    #[must_use]
    pub fn take_wanted_place(&self) -> Option<BenchPlace> {
        locked(&self.wanted_place).take()
    }

    /// Sends a request; `None` once the program is closing.
    #[must_use]
    pub fn send(&self, request: Request) -> Option<Replies> {
        locked(&self.connection)
            .as_ref()
            .map(|connection| connection.send(request))
    }

    /// Sends a request of a page and carries the replies to the page, until the last one.
    ///
    /// # Errors
    /// The program is closing, or too many streams are open.
    pub async fn carry(
        &self,
        streams: &Streams,
        stream: StreamId,
        request: Request,
        deliver: impl FnMut(Vec<Reply>) -> Delivery,
    ) -> Result<(), UserError> {
        let closed = streams.enter(stream)?;
        let replies = self
            .send(request)
            .ok_or_else(|| UserError::new(ErrorCode::Cancelled, "Shidi is closing").hint("Start it again"))?;
        carry(replies, closed, deliver).await;
        streams.close(stream);
        Ok(())
    }

    /// Changes the mood after an event.
    pub fn note(&self, happening: &Happening) {
        let mut state = locked(&self.state);
        let after = std::mem::take(&mut *state).after(happening);
        let mood = after.mood();
        *state = after;
        self.mood
            .send_if_modified(|shown| std::mem::replace(shown, mood) != mood);
    }

    /// The lines of the menus at this moment.
    #[must_use]
    pub fn menu_lines(&self) -> Vec<Vec<Deed>> {
        let state = locked(&self.state);
        menu::lines(state.cards(), state.sensing(), state.page())
    }

    /// The place to which a click on the ball leads.
    #[must_use]
    pub fn click_target(&self) -> Option<Wish> {
        locked(&self.state).click_target()
    }

    #[must_use]
    pub fn is_panel_shown(&self) -> bool {
        locked(&self.state).is_panel_shown()
    }

    /// Asks the runtime to pause looking, or to resume; the runtime then reports the change.
    pub fn set_sensing(&self, sensing: Sensing) {
        let signal = match sensing {
            Sensing::On => DesktopSignal::Resume,
            Sensing::Paused => DesktopSignal::Pause,
        };
        if self.send(Request::Desktop { signal }).is_none() {
            tracing::debug!("The program is closing");
        }
    }

    /// Pauses looking, or resumes it if it is paused.
    pub fn toggle_sensing(&self) {
        let sensing = locked(&self.state).sensing();
        self.set_sensing(match sensing {
            Sensing::On => Sensing::Paused,
            Sensing::Paused => Sensing::On,
        });
    }

    #[must_use]
    pub fn moods(&self) -> watch::Receiver<Mood> {
        self.mood.subscribe()
    }

    /// Notes whether the keys are ours, and tells the pages when this has changed.
    pub fn note_hotkeys(&self, app: &AppHandle, outcomes: &[Outcome]) {
        let language = self.language();
        let state = |outcome: &Outcome| HotkeyState {
            action: outcome.action.setting(),
            keys: outcome.keys.clone(),
            notice: outcome
                .taken
                .as_ref()
                .err()
                .map(|error| error.in_words(outcome.action, &outcome.keys, language)),
        };
        let states: Vec<HotkeyState> = outcomes.iter().map(state).collect();
        let before = std::mem::replace(&mut *locked(&self.hotkeys), states.clone());
        if before == states {
            return;
        }
        for state in states.iter().filter(|state| !before.contains(state)) {
            if let Some(notice) = &state.notice {
                eprintln!("{notice}");
            }
        }
        self.tell_changed(app);
    }

    #[must_use]
    pub fn state(&self) -> DesktopState {
        let hotkeys = locked(&self.hotkeys).clone();
        let summon = hotkeys
            .iter()
            .find(|state| state.action == Action::Summon.setting());
        DesktopState {
            hotkey: summon
                .filter(|state| state.notice.is_none())
                .map(|state| state.keys.clone()),
            notice: summon.and_then(|state| state.notice.clone()),
            hotkeys,
            language: self.language().code(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }

    /// The ball's kept place for these monitors.
    #[must_use]
    pub fn remembered_place(&self, screens: &[Screen]) -> Option<Place> {
        locked(&self.places).of(&layout_name(screens))
    }

    /// Keeps the place of the ball for the next start with these monitors.
    pub fn remember(&self, place: Place, screens: &[Screen]) {
        locked(&self.places).remember(layout_name(screens), place);
    }

    /// Notes the present place of the ball.
    pub fn ball_at(&self, ball: Area, screens: Vec<Screen>) {
        *locked(&self.ball) = Some((ball, screens));
    }

    /// The bounds of the resting ball.
    #[must_use]
    pub fn ball_area(&self) -> Option<Area> {
        locked(&self.ball).as_ref().map(|(ball, _)| *ball)
    }

    /// The size of a panel at the ball's place, given its wanted size.
    #[must_use]
    pub fn panel_size(&self, wanted: Size) -> Option<Size> {
        let ball = locked(&self.ball);
        let (ball, screens) = ball.as_ref()?;
        panel_size(*ball, wanted, screens)
    }

    /// The place of a panel with that size.
    #[must_use]
    pub fn panel_place(&self, panel: Size) -> Option<Place> {
        let ball = locked(&self.ball);
        let (ball, screens) = ball.as_ref()?;
        panel_place(*ball, panel, screens)
    }

    /// Ends all streams, waits until everything is stored, and ends all MCP servers.
    pub async fn close(&self) {
        self.streams.iter().for_each(Streams::close_all);
        let connection = locked(&self.connection).take();
        let Some(connection) = connection else { return };
        if tokio::time::timeout(CLOSE_LIMIT, connection.close())
            .await
            .is_err()
        {
            tracing::warn!("Closing took too long; what was acknowledged is stored all the same");
        }
        // A hanging server would outlive this program, with the processes that it started.
        shidi_runtime::kill_servers();
    }
}

/// The settings in the entries of a configuration.
#[must_use]
pub fn settings_of(entries: &[ConfigEntry]) -> Settings {
    Settings::of(|key| {
        let entry = entries.iter().find(|entry| entry.key == key);
        entry.map_or("", |entry| entry.value.as_str())
    })
}

/// Locks a mutex, even after a panic: each value is set in one step, so it is always complete.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock()
}
