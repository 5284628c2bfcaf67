//! The programs' own reports over the accessibility bus (AT-SPI): text, fields and selection of the window in front. A text
//! that its user puts into a window goes the same way.
//!
//! One thread holds the connections and sleeps between questions. The thread begins with the first question, so a
//! program that asks nothing opens no bus. The session's switch, which makes every program tell, is set only by
//! [`ContentSensor::switch_on`]. The switch is put back as it was by [`ContentSensor::switch_off`], and when this is
//! dropped.

mod bus;
mod finding;
mod focus;
mod inserting;
mod markdown;
mod objects;
mod placing;
mod reading;
mod roles;
mod selection;
mod toplevels;
mod walk;

pub use inserting::Taken;
pub use toplevels::Toplevel;

use crate::content_sensor::{ContentSensor, Lack, Support, WindowContent};
use crate::limits::{ACCESSIBLE_QUESTIONS_MAX, BUS_END_WAIT, BUS_WAIT, WOKEN_MAX};
use crate::{FrontWindow, SenseError};
use bus::{Bus, Object, Session};
use parking_lot::Mutex;
use shidi_protocol::ContentSource;
use std::collections::VecDeque;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::Instant;
use tokio::sync::mpsc;
use tokio::time::Instant as Until;

/// Reads windows over the accessibility bus.
#[derive(Debug, Default)]
pub struct Accessibility {
    /// Takes the questions of the thread that holds the connections, once there is one.
    questions: Mutex<Option<mpsc::Sender<Question>>>,
}

/// What the thread is asked. Whoever waits no longer gets no answer.
#[derive(Debug)]
enum Question {
    Read {
        window: FrontWindow,
        until: Instant,
        answer: SyncSender<Option<WindowContent>>,
    },
    Toplevels {
        until: Instant,
        answer: SyncSender<Option<Vec<Toplevel>>>,
    },
    Insert {
        window: Object,
        text: String,
        until: Instant,
        answer: SyncSender<Taken>,
    },
    Wake(FrontWindow),
    SwitchOn,
    SwitchOff(SyncSender<()>),
}

impl Accessibility {
    /// The windows of all programs that tell of themselves, the ones with the focus last. `None` without a bus that
    /// answers by then.
    pub fn toplevels(&self, until: Instant) -> Option<Vec<Toplevel>> {
        let (answer, answered) = sync_channel(1);
        self.ask(Question::Toplevels { until, answer });
        let left = until.saturating_duration_since(Instant::now());
        answered.recv_timeout(left).ok().flatten()
    }

    /// Puts a text where the user was writing in that window; how much of it its program took by then.
    pub fn insert(&self, window: Object, text: String, until: Instant) -> Taken {
        let (answer, answered) = sync_channel(1);
        self.ask(Question::Insert {
            window,
            text,
            until,
            answer,
        });
        // Whether it was taken is known a moment after the last answer.
        let left = until.saturating_duration_since(Instant::now()) + BUS_END_WAIT;
        answered.recv_timeout(left).unwrap_or(Taken::Nothing)
    }

    fn ask(&self, question: Question) {
        let mut questions = self.questions.lock();
        if questions.as_ref().is_none_or(mpsc::Sender::is_closed) {
            *questions = begin();
        }
        if let Some(questions) = questions.as_ref()
            && let Err(cause) = questions.try_send(question)
        {
            tracing::debug!(%cause, "the accessibility bus has enough to do");
        }
    }
}

impl Drop for Accessibility {
    fn drop(&mut self) {
        self.switch_off();
    }
}

impl ContentSensor for Accessibility {
    fn source(&self) -> ContentSource {
        ContentSource::Accessibility
    }

    fn support(&self) -> Support {
        let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let has_bus = is_set("DBUS_SESSION_BUS_ADDRESS") || is_set("XDG_RUNTIME_DIR");
        match crate::x11::support() {
            Support::Full | Support::Absent(Lack::Wayland) if has_bus => Support::Full,
            Support::Full | Support::Absent(Lack::Wayland) => Support::Absent(Lack::Bus),
            Support::Absent(lack) => Support::Absent(lack),
        }
    }

    fn read(&self, window: &FrontWindow, until: Instant) -> Option<WindowContent> {
        let (answer, answered) = sync_channel(1);
        let window = window.clone();
        self.ask(Question::Read {
            window,
            until,
            answer,
        });
        let left = until.saturating_duration_since(Instant::now());
        answered.recv_timeout(left).ok().flatten()
    }

    /// Asks the programs of the session to tell what they show, from now on.
    fn switch_on(&self) {
        self.ask(Question::SwitchOn);
    }

    /// Ends the thread, and puts the session's switch back as it was.
    fn switch_off(&self) {
        let Some(questions) = self.questions.lock().take() else {
            return;
        };
        let (done, is_done) = sync_channel(1);
        let is_told = questions.try_send(Question::SwitchOff(done)).is_ok();
        if is_told && is_done.recv_timeout(BUS_END_WAIT).is_err() {
            tracing::warn!("the accessibility bus was not put back in time");
        }
    }

    /// Notes that a window came to the front: some programs tell nothing before they are asked a first time.
    fn notice(&self, window: &FrontWindow) {
        self.ask(Question::Wake(window.clone()));
    }
}

/// Begins the thread.
fn begin() -> Option<mpsc::Sender<Question>> {
    let (sender, receiver) = mpsc::channel(ACCESSIBLE_QUESTIONS_MAX);
    let work = move || match tokio::runtime::Builder::new_current_thread()
        .enable_io()
        .enable_time()
        .build()
    {
        Ok(runtime) => runtime.block_on(Reader::default().work(receiver)),
        Err(cause) => tracing::warn!(%cause, "no window can be read"),
    };
    let begun = thread::Builder::new()
        .name("accessibility".to_owned())
        .spawn(work);
    match begun {
        Ok(_) => Some(sender),
        Err(cause) => {
            tracing::warn!(%cause, "no window can be read");
            None
        }
    }
}

/// Calls `changed` with every window that gets the focus, and remembers which of its objects has it. A thread of its own
/// does so; it sleeps between events and ends with the bus.
///
/// # Errors
/// No thread.
pub fn follow(changed: impl FnMut(FrontWindow) + Send + 'static) -> Result<(), SenseError> {
    let following = move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .enable_time()
            .build();
        let followed = runtime.map_err(zbus::Error::from).and_then(|runtime| {
            runtime.block_on(async {
                let bus = Session::open().await?.accessibility().await?;
                let focus = async {
                    if let Err(cause) = focus::follow(&bus).await {
                        tracing::debug!(%cause, "the focus is not followed");
                    }
                };
                // Each is listened to all the time: a signal that nobody takes holds up the others.
                let (followed, ()) = tokio::join!(toplevels::follow(&bus, changed), focus);
                followed
            })
        });
        if let Err(cause) = followed {
            tracing::info!(%cause, "windows are no longer followed");
        }
    };
    let begun = thread::Builder::new()
        .name("window-in-front".to_owned())
        .spawn(following);
    begun
        .map(drop)
        .map_err(|cause| SenseError::Display(cause.to_string()))
}

/// What the thread holds.
#[derive(Default)]
struct Reader {
    session: Option<Session>,
    bus: Option<Bus>,
    /// Whether the session's switch is on because of us.
    has_enabled: bool,
    /// Processes whose windows were woken, the newest last.
    woken: VecDeque<u32>,
}

impl Reader {
    async fn work(mut self, mut questions: mpsc::Receiver<Question>) {
        while let Some(question) = questions.recv().await {
            // An answer that nobody waits for any more goes nowhere.
            match question {
                Question::Read {
                    window,
                    until,
                    answer,
                } => {
                    answer
                        .try_send(self.read(&window, Until::from_std(until)).await)
                        .unwrap_or_default();
                }
                Question::Toplevels { until, answer } => {
                    let told = self.toplevels(Until::from_std(until)).await;
                    answer.try_send(told).unwrap_or_default();
                }
                Question::Insert {
                    window,
                    text,
                    until,
                    answer,
                } => {
                    let taken = self.insert(&window, &text, Until::from_std(until)).await;
                    answer.try_send(taken).unwrap_or_default();
                }
                Question::Wake(window) => self.wake(&window).await,
                Question::SwitchOn => self.enable().await,
                Question::SwitchOff(done) => {
                    self.put_back().await;
                    done.try_send(()).unwrap_or_default();
                    return;
                }
            }
        }
        self.put_back().await;
    }

    async fn read(&mut self, window: &FrontWindow, until: Until) -> Option<WindowContent> {
        let bus = self.bus(until).await?;
        let object = finding::find(bus, window, until).await?;
        reading::read(bus, &object, until).await
    }

    async fn toplevels(&mut self, until: Until) -> Option<Vec<Toplevel>> {
        let bus = self.bus(until).await?;
        Some(toplevels::toplevels(bus, until).await)
    }

    async fn insert(&mut self, window: &Object, text: &str, until: Until) -> Taken {
        match self.bus(until).await {
            Some(bus) => inserting::insert(bus, window, text, until).await,
            None => Taken::Nothing,
        }
    }

    async fn wake(&mut self, window: &FrontWindow) {
        let Some(pid) = window.pid.filter(|pid| !self.woken.contains(pid)) else {
            return;
        };
        let until = Until::now() + BUS_WAIT;
        let Some(bus) = self.bus(until).await else { return };
        if finding::find(bus, window, until).await.is_some() {
            if self.woken.len() >= WOKEN_MAX {
                self.woken.pop_front();
            }
            self.woken.push_back(pid);
        }
    }

    async fn enable(&mut self) {
        if self.bus(Until::now() + BUS_WAIT).await.is_none() || self.has_enabled {
            return;
        }
        let Some(session) = &self.session else { return };
        let set = async {
            let was_on = session.is_enabled().await?;
            if !was_on {
                session.enable(true).await?;
            }
            Ok::<bool, zbus::Error>(!was_on)
        };
        match tokio::time::timeout(BUS_WAIT, set).await {
            Ok(Ok(is_ours)) => self.has_enabled = is_ours,
            Ok(Err(cause)) => tracing::warn!(%cause, "programs were not asked to tell what they show"),
            Err(_) => tracing::warn!("the accessibility bus did not answer"),
        }
    }

    async fn put_back(&mut self) {
        if !std::mem::take(&mut self.has_enabled) {
            return;
        }
        let Some(session) = &self.session else { return };
        match tokio::time::timeout(BUS_END_WAIT, session.enable(false)).await {
            Ok(Ok(())) => {}
            Ok(Err(cause)) => tracing::warn!(%cause, "the accessibility bus was not put back"),
            Err(_) => tracing::warn!("the accessibility bus was not put back in time"),
        }
    }

    /// The bus, connected if it is not.
    async fn bus(&mut self, until: Until) -> Option<&Bus> {
        if self.bus.as_ref().is_some_and(|bus| bus.is_closed()) {
            (self.session, self.bus) = (None, None);
        }
        if self.bus.is_none() {
            let connecting = async {
                let session = Session::open().await?;
                let bus = session.accessibility().await?;
                Ok::<_, zbus::Error>((session, bus))
            };
            match tokio::time::timeout_at(until, connecting).await {
                Ok(Ok((session, bus))) => (self.session, self.bus) = (Some(session), Some(bus)),
                Ok(Err(cause)) => tracing::debug!(%cause, "there is no accessibility bus"),
                Err(_) => tracing::debug!("the accessibility bus did not answer in time"),
            }
        }
        self.bus.as_ref()
    }
}
