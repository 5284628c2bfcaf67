//! Captures: looks at the screen for whoever asks, kept for a short time and written into the ledger (F2).
//!
//! The senses' gate decides which content may be seen, with the rules of the configuration at that moment. Pixels stay
//! in memory until they are sent; sending is `sending.rs`, sentences for people `sentences.rs`.

mod content;
mod examination;
mod front_page;
mod giving;
mod held;
mod inserting;
mod ledger;
mod limits;
mod page_pdf;
mod seeing;
mod selections;
mod sending;
mod sensors;
mod sentences;
mod suggesting;
mod toolkit;
mod window_content;

pub use content::{PageRead, Sensed};
pub use examination::checks;
pub use front_page::FrontPage;
pub use giving::look;
pub use held::{forget, held, pin};
pub use inserting::insert;
pub use ledger::ledger;
pub use selections::{Selected, ToDesktop, follow_selections, selected};
pub use sending::{passed, send, sent_again, sent_in_run, take};
pub use sensors::sensors;
pub use suggesting::suggest;
pub use toolkit::{Caller, applies, is_for_senses, perform, pictures, views};

use base64::Engine as _;
use held::keep;
use ledger::note;
use limits::SUMMON_MOST;
use page_pdf::PdfReading;
use parking_lot::Mutex;
use seeing::{Looked, see};
use sending::described;
use shidi_protocol::{
    ContentSource, LookAt, LookOutcome, LookRecord, Moment, Reply, RunId, ScreenSentAs, ScreenView,
    UserError, reply,
};
use shidi_senses::{
    Camera, FrontWindow, Gate, LookTrigger, Memory, Outcome, Paused, Picture, Pixels, Reason, Seen,
    SelectionFollowing, SenseError, Verdict,
};
use shidi_space::Space;
use shidi_space::clock;
use shidi_space::limits::REPLIES_QUEUED;
use shidi_space::model_choice;
use shidi_space::privacy;
use std::sync::Arc;
use tokio::sync::{mpsc, watch};
use window_content::{Reading, WindowSensors};

/// The number that no window has: a text for it goes onto the clipboard.
const NO_WINDOW: u32 = 0;

/// Pixels that cost a picture about one token at the usual providers.
const PIXELS_PER_TOKEN: u32 = 750;

/// What was looked at lately, and what was in front before us.
#[derive(Default)]
pub struct CaptureState {
    camera: Option<Arc<dyn Camera>>,
    sensors: WindowSensors,
    memory: Mutex<Memory<Arc<KeptView>>>,
    /// The system's number of the window that had the focus before ours; no more of it is kept.
    before: Mutex<Option<u32>>,
    following: Mutex<bool>,
    /// While the user wants a bar beside what was selected.
    selections: Mutex<Option<SelectionFollowing>>,
    watchers: Mutex<Vec<mpsc::Sender<Reply>>>,
}

/// One view, unsent.
pub struct KeptView {
    what: LookAt,
    time: Moment,
    seen: Seen,
    picture: Option<Picture>,
    /// What stands in the window, with the address of its page.
    content: Option<(Sensed, String)>,
    /// The text of its page, where that is a PDF.
    pdf: Option<PdfReading>,
    /// Words that are being recognised in the picture, where they are wanted.
    words: Option<watch::Receiver<Option<Recognised>>>,
}

/// The recognised words, or why there are none.
type Recognised = Result<String, String>;

impl CaptureState {
    /// Looks with this camera, or with the senses' own.
    pub fn with(camera: Option<Arc<dyn Camera>>) -> Self {
        Self {
            camera,
            ..Self::default()
        }
    }
}

/// The screen as one space looks at it: what is sent is written there.
pub struct Capture {
    space: Arc<Space>,
    looking: Arc<CaptureState>,
    pages: Arc<dyn FrontPage>,
}

impl Capture {
    pub fn new(space: Arc<Space>, looking: Arc<CaptureState>, pages: Arc<dyn FrontPage>) -> Arc<Self> {
        Arc::new(Self {
            space,
            looking,
            pages,
        })
    }

    /// The same screen for another space.
    pub fn of(&self, space: Arc<Space>) -> Arc<Self> {
        Self::new(space, Arc::clone(&self.looking), Arc::clone(&self.pages))
    }
}

/// Looks once, and keeps the view for a short time. What the gate lets nothing through of is no failure: the view says why
/// in words.
///
/// # Errors
/// No display, or one that can't be looked at.
pub(crate) async fn look_here(capture: &Arc<Capture>, what: LookAt) -> Result<reply::Looked, UserError> {
    let has_pixels = matches!(what, LookAt::Monitor | LookAt::Window | LookAt::Region { .. });
    match look_once(capture, what).await? {
        Once::Seen(kept) => keep(capture, *kept, has_pixels),
        Once::Blocked(looked) => Ok(*looked),
    }
}

/// What came of a look that nobody has kept yet.
pub(crate) enum Once {
    Seen(Box<KeptView>),
    Blocked(Box<reply::Looked>),
}

/// Looks once.
///
/// # Errors
/// As [`look_here`].
pub(crate) async fn look_once(capture: &Arc<Capture>, what: LookAt) -> Result<Once, UserError> {
    if matches!(what, LookAt::Page | LookAt::Form) {
        return Ok(look_at_page(capture).await);
    }
    let gate = gate(capture);
    let reads = wants_words(capture);
    let looked = looked(capture, what, &gate, Reading::of(capture, what)).await;
    let (mut seen, picture, mut content) = match looked {
        Ok(Looked::Seen { seen, picture, read }) => (*seen, picture, read.map(|read| *read)),
        Ok(Looked::Withheld { reason, app }) => {
            return refuse(capture, what, reason, &app).map(|looked| Once::Blocked(Box::new(looked)));
        }
        Err(SenseError::NothingInFront) => {
            let why = sentences::nothing_in_front(capture.space.language());
            return Ok(Once::Blocked(Box::new(blocked(why))));
        }
        Err(cause) => return Err(sentences::explain(capture.space.language(), &cause)),
    };
    let pixels = seen.pixels.take();
    if what == LookAt::Selection {
        content = content.and_then(window_content::selection_alone);
    }
    if what == LookAt::Selection && content.is_none() {
        let (language, is_read) = (capture.space.language(), capture.space.config().privacy.selection);
        return Ok(Once::Blocked(Box::new(blocked(sentences::no_selection(
            language, is_read,
        )))));
    }
    if matches!(what, LookAt::Facts | LookAt::Selection) {
        let Some(told) = window_content::told(capture, seen, content) else {
            return Ok(Once::Blocked(Box::new(nameless(capture))));
        };
        (seen, content) = told;
    }
    Ok(Once::Seen(Box::new(KeptView {
        what,
        time: clock::now(),
        pdf: page_pdf::begin(capture, content.as_ref()),
        content,
        seen,
        picture,
        words: pixels
            .filter(|_| reads)
            .map(|pixels| recognise(capture, gate, pixels)),
    })))
}

/// One look, with the content of the window read beside it. The browser's account of a page goes before the rest.
async fn looked(
    capture: &Arc<Capture>,
    what: LookAt,
    gate: &Gate,
    reading: Option<Reading>,
) -> Result<Looked, SenseError> {
    let before = *capture.looking.before.lock();
    let (camera, passing) = (capture.looking.camera.clone(), gate.clone());
    let seeing = tokio::task::spawn_blocking(move || see(what, &passing, before, camera, reading.as_ref()));
    // Beside each other: both have to be done within the time of a summon.
    let (looked, content) = tokio::join!(seeing, read_front(capture, what));
    let mut looked = looked.unwrap_or_else(|cause| Err(SenseError::Display(cause.to_string())))?;
    if let Looked::Seen { seen, read, .. } = &mut looked {
        // A page that is not what this window shows has nothing to do with it.
        let content = content.filter(|_| seen.shows_page).map(Box::new);
        *read = content.or(read.take());
    }
    Ok(looked)
}

/// The page in front of a browser, by what the browser tells: no display is asked.
async fn look_at_page(capture: &Arc<Capture>) -> Once {
    let Some(page) = capture.pages.front() else {
        return Once::Blocked(Box::new(blocked(sentences::no_page(capture.space.language()))));
    };
    let content = read_front(capture, LookAt::Page).await;
    let kept = KeptView {
        what: LookAt::Page,
        time: clock::now(),
        pdf: page_pdf::begin(capture, content.as_ref()),
        content,
        seen: Seen {
            title: page.title,
            shows_page: true,
            ..Seen::default()
        },
        picture: None,
        words: None,
    };
    // A command asked for it: it has the time.
    kept.pdf_settled().await;
    Once::Seen(Box::new(kept))
}

/// What stands in the page in front, where the look is at a window that may show it.
async fn read_front(capture: &Capture, what: LookAt) -> Option<(Sensed, String)> {
    let is_window = matches!(
        what,
        LookAt::Facts | LookAt::Page | LookAt::Window | LookAt::Selection
    );
    let (is_on, takes_selection) = {
        let config = capture.space.config();
        (config.privacy.page, config.privacy.selection)
    };
    let page = capture.pages.front().filter(|_| is_window && is_on)?;
    let content = capture.pages.read(&page.page, SUMMON_MOST).await?;
    let sensed = Sensed {
        source: ContentSource::Companion,
        content: window_content::passed(content, takes_selection),
        // As it was before: an act during the reading makes it stale.
        page: Some(PageRead {
            page: page.page,
            acts: page.acts,
        }),
    };
    Some((sensed, page.url))
}

/// The same view with its whole picture and its recognised words; also one that was sent.
///
/// # Errors
/// A view that was let go.
pub async fn show(capture: &Arc<Capture>, id: &str) -> Result<reply::Looked, UserError> {
    let kept = capture.looking.memory.lock().get(id, clock::now()).cloned();
    let Some(kept) = kept else {
        return sending::show_sent(capture, id);
    };
    kept.recognised().await;
    kept.pdf_settled().await;
    let mut view = view(capture, id, &kept);
    view.picture = kept.picture.as_ref().map(|picture| data_url(&picture.jpeg));
    Ok(reply::Looked { view })
}

/// Facts of the window in front, now and whenever they change.
///
/// # Errors
/// No display, or one that can't be followed.
pub async fn watch(capture: &Arc<Capture>) -> Result<mpsc::Receiver<Reply>, UserError> {
    follow(capture).map_err(|cause| sentences::explain(capture.space.language(), &cause))?;
    let (sender, receiver) = mpsc::channel(REPLIES_QUEUED);
    let first = look_here(capture, LookAt::Facts).await?;
    if sender.send(first.into()).await.is_ok() {
        capture.looking.watchers.lock().push(sender);
    }
    Ok(receiver)
}

/// Follows the window in front from now on; a second call changes nothing.
///
/// # Errors
/// As [`shidi_senses::follow`].
pub fn follow(capture: &Arc<Capture>) -> Result<(), SenseError> {
    let mut following = capture.looking.following.lock();
    if *following {
        return Ok(());
    }
    let capture = Arc::downgrade(capture);
    shidi_senses::follow(move |front| {
        if let Some(capture) = capture.upgrade() {
            noticed(&capture, &front);
        }
    })?;
    *following = true;
    Ok(())
}

/// Prepares the session for the sensors that the user switched on.
pub fn follow_sensors(capture: &Capture) {
    let privacy = capture.space.config().privacy.clone();
    capture.looking.sensors.follow_settings(&privacy);
}

/// Puts the session back as it was before its sensors were switched on.
pub fn end_sensors(capture: &Capture) {
    *capture.looking.selections.lock() = None;
    capture.looking.sensors.end();
}

/// Forgets everything that is not sent: the user paused.
pub fn pause(capture: &Capture) {
    capture.looking.memory.lock().clear();
    *capture.looking.before.lock() = None;
    capture.pages.look_away();
    tell(
        capture,
        blocked(sentences::refused(capture.space.language(), Reason::Paused, "")),
    );
}

fn noticed(capture: &Arc<Capture>, front: &FrontWindow) {
    let gate = gate(capture);
    if gate.is_paused() || gate.is_own(front) {
        return;
    }
    *capture.looking.before.lock() = Some(front.id);
    if let Verdict::Whole {
        may_be_private: false,
    } = gate.judge(front, None, LookTrigger::Passive)
    {
        let privacy = capture.space.config().privacy.clone();
        let chosen = capture.looking.sensors.chosen(&privacy);
        chosen.iter().for_each(|sensor| sensor.notice(front));
    }
    capture.looking.memory.lock().fronted(front.id, clock::now());
    let looked = match shidi_senses::fact(front, &gate) {
        Outcome::Seen(seen) => match window_content::told(capture, seen, None) {
            Some((seen, _)) => reply::Looked {
                view: facts(capture, &seen),
            },
            None => nameless(capture),
        },
        Outcome::Withheld { reason, app } => withheld(capture, reason, &app),
    };
    tell(capture, looked);
}

/// Tells those who watch; one who doesn't keep up is dropped.
fn tell(capture: &Capture, looked: reply::Looked) {
    let reply = Reply::from(looked);
    capture
        .looking
        .watchers
        .lock()
        .retain(|watcher| watcher.try_send(reply.clone()).is_ok());
}

/// The gate with the rules as they are now.
fn gate(capture: &Capture) -> Gate {
    privacy::gate(&capture.space, capture.pages.front().as_ref())
}

fn refuse(capture: &Capture, what: LookAt, reason: Reason, app: &str) -> Result<reply::Looked, UserError> {
    if what != LookAt::Facts {
        // Not even the program's name: that it was in front is what its exclusion hides.
        let refused = LookRecord {
            id: RunId::mint().as_str().to_owned(),
            time: clock::now(),
            what,
            app: String::new(),
            title: String::new(),
            width: 0,
            height: 0,
            blacked_out: 0,
            outcome: LookOutcome::Refused,
            session: None,
        };
        note(capture, &refused)?;
    }
    Ok(withheld(capture, reason, app))
}

/// Why the gate let nothing through. Where the user keeps names of windows to himself, an excluded program has none.
fn withheld(capture: &Capture, reason: Reason, app: &str) -> reply::Looked {
    let app = Some(app).filter(|_| capture.space.config().privacy.window);
    blocked(sentences::refused(
        capture.space.language(),
        reason,
        app.unwrap_or_default(),
    ))
}

/// Why nothing is told of the window in front, where the user keeps its name to himself.
fn nameless(capture: &Capture) -> reply::Looked {
    blocked(sentences::window_off(capture.space.language()))
}

fn blocked(why: String) -> reply::Looked {
    let view = ScreenView {
        blocked: Some(why),
        ..ScreenView::default()
    };
    reply::Looked { view }
}

/// Whether the configured model takes pictures, as far as can be said before it is opened.
fn takes_pictures(capture: &Capture) -> (bool, String) {
    let choice = model_choice::configured(&capture.space.config());
    let preset = choice.provider.as_deref().and_then(shidi_models::preset);
    let name = choice
        .model
        .or_else(|| preset.and_then(|preset| preset.default_model.map(str::to_owned)));
    let name = name.unwrap_or_default();
    let provider = choice.provider.as_deref().unwrap_or_default();
    let profile = capture.space.models().profile(provider, &name);
    let has_eyes = !capture.space.config().role.vision.is_empty();
    (has_eyes || profile.vision == Some(true), name)
}

fn wants_words(capture: &Capture) -> bool {
    let is_allowed = capture.space.config().privacy.ocr;
    is_allowed && !takes_pictures(capture).0 && shidi_senses::recogniser_is_there()
}

/// Starts to recognise words; they pass the gate like every text.
fn recognise(capture: &Capture, gate: Gate, pixels: Pixels) -> watch::Receiver<Option<Recognised>> {
    let (sender, receiver) = watch::channel(None);
    let looking = Arc::clone(&capture.looking);
    capture.space.tasks.spawn_blocking(move || {
        let words = shidi_senses::words_in(&pixels).map(|text| gate.text(&text));
        if words.is_ok() {
            looking.sensors.note_seen(ContentSource::Recognition);
        }
        sender.send_replace(Some(words.map_err(|cause| cause.to_string())));
    });
    receiver
}

impl KeptView {
    /// Waits for the words that are being recognised; the recogniser has its own time limit.
    async fn recognised(&self) -> Option<Recognised> {
        let mut words = self.words.clone()?;
        let done = words.wait_for(Option::is_some).await;
        done.ok().and_then(|words| words.clone())
    }

    /// The words, if they are recognised by now.
    fn words_now(&self) -> Option<Recognised> {
        self.words.as_ref().and_then(|words| words.borrow().clone())
    }
}

fn view(capture: &Capture, id: &str, kept: &KeptView) -> ScreenView {
    let (takes_pictures, model) = takes_pictures(capture);
    let words = kept.words_now();
    let is_picture = takes_pictures && kept.picture.is_some();
    let preview = described(kept, is_picture, &model, words.as_ref());
    let pixels = kept
        .picture
        .as_ref()
        .filter(|_| is_picture)
        .map_or(0, |picture| picture.width * picture.height);
    ScreenView {
        id: id.to_owned(),
        width: kept.picture.as_ref().map_or(0, |picture| picture.width),
        height: kept.picture.as_ref().map_or(0, |picture| picture.height),
        thumbnail: kept.picture.as_ref().map(|picture| data_url(&picture.thumbnail)),
        sent_as: if is_picture {
            ScreenSentAs::Picture
        } else {
            ScreenSentAs::Words
        },
        tokens: shidi_agent::estimate_tokens(&preview) + pixels / PIXELS_PER_TOKEN,
        preview,
        recognising: kept.words.is_some() && words.is_none(),
        text: words.and_then(Result::ok),
        content: kept.content_view(id),
        stale: held::is_stale(capture, kept),
        pinned: capture.looking.memory.lock().is_pinned(id),
        ..facts(capture, &kept.seen)
    }
}

/// What is told of a window without a picture.
fn facts(capture: &Capture, seen: &Seen) -> ScreenView {
    ScreenView {
        page: capture.pages.front().filter(|_| seen.shows_page),
        app: seen.app.clone(),
        title: seen.title.clone(),
        // Into a window that is only remembered nothing is put: its number stays here.
        window: seen
            .window
            .map(|window| if seen.is_remembered { NO_WINDOW } else { window }),
        pid: seen.pid,
        bounds: seen.bounds,
        may_be_private: seen.may_be_private,
        blacked_out: seen.blacked_out,
        ..ScreenView::default()
    }
}

fn data_url(jpeg: &[u8]) -> String {
    format!(
        "data:image/jpeg;base64,{}",
        base64::engine::general_purpose::STANDARD.encode(jpeg)
    )
}

/// What the gate lets through of a page or window that the user handed over.
fn verdict(capture: &Capture, window: &FrontWindow, url: Option<&str>) -> Verdict {
    // This look is no look of ours, so a pause does not concern it.
    Gate::new(privacy::rules(&capture.space, Paused::No), []).judge(window, url, LookTrigger::Explicit)
}
