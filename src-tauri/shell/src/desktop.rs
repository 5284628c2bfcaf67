//! What all windows share: the door, the streams through it, the mood, and where the ball is.
//!
//! It passes things on and decides nothing.

use crate::commands::DesktopState;
use crate::geometry::{Area, Place, Screen, Size, layout_name, panel_place};
use crate::hotkey::{self, HotkeyError};
use crate::mood::{Happening, Mood, State};
use crate::panel::ShownBy;
use crate::places::Places;
use crate::streams::{Delivery, StreamId, Streams, carry};
use crate::words::Language;
use shidi_protocol::{ErrorCode, Reply, Request, UserError};
use shidi_runtime::{Door, Replies};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// Longest time that quitting waits for what is being stored.
const CLOSE_LIMIT: Duration = Duration::from_secs(5);
/// Sessions searched for waiting cards at start.
const SESSIONS_MAX: u32 = 200;

pub struct Desktop {
    language: Language,
    door: Mutex<Option<Door>>,
    streams: Streams,
    state: Mutex<State>,
    mood: watch::Sender<Mood>,
    /// Sentence that says why the keys are not ours; `None` inside when they are.
    hotkey: OnceLock<Option<String>>,
    places: Mutex<Places>,
    ball: Mutex<Option<(Area, Vec<Screen>)>>,
    page: Mutex<Page>,
}

/// Whether the panel's page is there yet. A web view that is shown before its first page is loaded stays blank, so
/// a summon that comes earlier is kept until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Page {
    Loading { wanted: Option<ShownBy> },
    Loaded,
}

impl Desktop {
    #[must_use]
    pub fn new(door: Door, language: Language, data_folder: Option<&Path>) -> Self {
        Self {
            language,
            door: Mutex::new(Some(door)),
            streams: Streams::default(),
            state: Mutex::default(),
            mood: watch::Sender::new(Mood::Idle),
            hotkey: OnceLock::new(),
            places: Mutex::new(Places::read(data_folder)),
            ball: Mutex::default(),
            page: Mutex::new(Page::Loading { wanted: None }),
        }
    }

    /// Keeps a summon that came before the panel's page. False once the page is there.
    #[must_use]
    pub fn keeps_summon(&self, by: ShownBy) -> bool {
        let mut page = locked(&self.page);
        match *page {
            Page::Loaded => false,
            Page::Loading { .. } => {
                *page = Page::Loading { wanted: Some(by) };
                true
            }
        }
    }

    /// Drops the summon that is kept. False when there is none.
    #[must_use]
    pub fn takes_summon_back(&self) -> bool {
        let mut page = locked(&self.page);
        match *page {
            Page::Loaded | Page::Loading { wanted: None } => false,
            Page::Loading { wanted: Some(_) } => {
                *page = Page::Loading { wanted: None };
                true
            }
        }
    }

    /// The panel's page is there: returns the summon that was kept.
    pub fn page_loaded(&self) -> Option<ShownBy> {
        match std::mem::replace(&mut *locked(&self.page), Page::Loaded) {
            Page::Loading { wanted } => wanted,
            Page::Loaded => None,
        }
    }

    #[must_use]
    pub fn language(&self) -> Language {
        self.language
    }

    #[must_use]
    pub fn streams(&self) -> &Streams {
        &self.streams
    }

    /// Sends a request; `None` once the program is closing.
    #[must_use]
    pub fn send(&self, request: Request) -> Option<Replies> {
        locked(&self.door).as_ref().map(|door| door.send(request))
    }

    /// Sends a request of a page and carries the replies to it, until the last one.
    ///
    /// # Errors
    /// The program is closing, or too many streams are open.
    pub async fn carry(
        &self,
        stream: StreamId,
        request: Request,
        deliver: impl FnMut(Vec<Reply>) -> Delivery,
    ) -> Result<(), UserError> {
        let closed = self.streams.enter(stream)?;
        let replies = self
            .send(request)
            .ok_or_else(|| UserError::new(ErrorCode::Cancelled, "Shidi is closing").hint("Start it again"))?;
        carry(replies, closed, deliver).await;
        self.streams.close(stream);
        Ok(())
    }

    /// Changes the mood by what happened.
    pub fn note(&self, happening: &Happening) {
        let mut state = locked(&self.state);
        let after = std::mem::take(&mut *state).after(happening);
        let mood = after.mood();
        *state = after;
        self.mood
            .send_if_modified(|shown| std::mem::replace(shown, mood) != mood);
    }

    #[must_use]
    pub fn moods(&self) -> watch::Receiver<Mood> {
        self.mood.subscribe()
    }

    /// Follows every run from now on, and finds those that have been waiting since before.
    pub async fn follow_runs(&self) {
        let Some(mut events) = self.send(Request::Watch) else {
            return;
        };
        self.find_waiting().await;
        while let Some(reply) = events.next().await {
            if let Reply::Event { event } = reply {
                self.note(&Happening::Run(Box::new(event)));
            }
        }
    }

    async fn find_waiting(&self) {
        let Some(Reply::Sessions { sessions }) = self.ask(Request::SessionList { limit: SESSIONS_MAX }).await
        else {
            return;
        };
        for session in sessions.into_iter().filter(|session| session.waiting > 0) {
            let shown = self.ask(Request::SessionShow { session: session.id }).await;
            if let Some(Reply::Session { session }) = shown {
                for run in session.runs.into_iter().filter(|run| !run.waiting.is_empty()) {
                    self.note(&Happening::Found(Box::new(run)));
                }
            }
        }
    }

    /// The first reply to a request that has one.
    async fn ask(&self, request: Request) -> Option<Reply> {
        self.send(request)?.next().await
    }

    /// Notes whether the keys are ours.
    pub fn note_hotkey(&self, taken: Result<(), HotkeyError>) {
        let notice = taken.err().map(|error| error.in_words(self.language));
        if let Some(notice) = &notice {
            eprintln!("{notice}");
        }
        if self.hotkey.set(notice).is_err() {
            tracing::warn!("The keys were taken twice");
        }
    }

    #[must_use]
    pub fn state(&self) -> DesktopState {
        let notice = self.hotkey.get().cloned();
        DesktopState {
            hotkey: matches!(notice, Some(None)).then_some(hotkey::KEYS),
            notice: notice.flatten(),
            language: self.language.code(),
            version: env!("CARGO_PKG_VERSION"),
        }
    }

    /// Where the ball was put with these monitors.
    #[must_use]
    pub fn remembered_place(&self, screens: &[Screen]) -> Option<Place> {
        locked(&self.places).of(&layout_name(screens))
    }

    /// Keeps the place of the ball for the next start with these monitors.
    pub fn remember(&self, place: Place, screens: &[Screen]) {
        locked(&self.places).remember(layout_name(screens), place);
    }

    /// Notes where the ball is now.
    pub fn ball_at(&self, ball: Area, screens: Vec<Screen>) {
        *locked(&self.ball) = Some((ball, screens));
    }

    /// Where a panel of that size goes.
    #[must_use]
    pub fn panel_place(&self, panel: Size) -> Option<Place> {
        let ball = locked(&self.ball);
        let (ball, screens) = ball.as_ref()?;
        panel_place(*ball, panel, screens)
    }

    /// Ends all streams, then waits until everything is stored.
    pub async fn close(&self) {
        self.streams.close_all();
        let door = locked(&self.door).take();
        let Some(door) = door else { return };
        if tokio::time::timeout(CLOSE_LIMIT, door.close()).await.is_err() {
            tracing::warn!("Closing took too long; what was acknowledged is stored all the same");
        }
    }
}

/// What a panicking thread left behind is still whole: each of these is set in one step.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
