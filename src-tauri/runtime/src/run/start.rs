//! Begins a run: gathers what goes along with its question, and assembles it. One that is taken up again from its record
//! is assembled here too, by `resume.rs`.

use super::awaiting::Awaited;
use super::events::Emitter;
use super::given::{self, NoModel};
use super::learning_queue;
use super::mind_settings::settings;
use super::replaying::{self, Replayed};
use super::work_folders;
use super::{Run, Running, Workspace};
use crate::blob_store;
use crate::clock;
use crate::config::Config;
use crate::errors::{error, internal};
use crate::features::Features;
use crate::ids::row_of_run;
use crate::model_choice;
use crate::space::Space;
use crate::storage::{self, RunFacts};
use crate::versions::{self, Before};
use crate::workers::{self, Workers};
use parking_lot::Mutex;
use shidi_agent::{Event, Mind, Past, Settings, UserInput, asked_toolkits};
use shidi_attachments::{self as attachments, Gathered};
use shidi_capture as capture;
use shidi_memory::experience;
use shidi_memory::extract::{self, Learns};
use shidi_memory::preferences;
use shidi_memory::recall::{self, About, Recall};
use shidi_memory::sites;
use shidi_models::Model;
use shidi_protocol::{
    Ask, Attachment, ContextPiece, ErrorCode, Reply, RunId, RunStatus, SessionId, UserError,
};
use shidi_space::input_limits;
use shidi_store::{Session, ToolResult, Write};
use shidi_trace::Tree;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize};
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

/// Starts a run for a question and returns its replies. A question in a session whose run is still at work or
/// waits is added to that run.
///
/// # Errors
/// Bad input, a missing session, trouble with the model's settings or with storage.
pub async fn start(workspace: &Arc<Workspace>, ask: Ask) -> Result<mpsc::Receiver<Reply>, UserError> {
    input_limits::bounded(&ask.text, workspace.language())?;
    input_limits::bounded(ask.piped.as_deref().unwrap_or_default(), workspace.language())?;
    let ask = versions::addressed(workspace, ask)?;
    let ask = workspace.features.assistants.addressed(ask)?;
    let ask = by_name(&workspace.features, ask)?;
    if let Some(session) = &ask.session
        && let Some(run) = Run::hearing(&workspace.running, session).await
    {
        if ask.instead.is_some() {
            return Err(versions::busy(workspace));
        }
        return said(&workspace.features, &run, ask).await;
    }
    learning_queue::take_up_models(workspace);
    workspace.features.embeddings.begin();
    // Whose sub-agent a run is, and of which workflow a step, comes from no question.
    let run = begin(
        workspace,
        Ask {
            under: None,
            task: None,
            ..ask
        },
    );
    run.await.map(|(_, replies)| replies)
}

/// A question that begins with the name of a workflow runs it; a skill of that name goes before.
fn by_name(features: &Features, ask: Ask) -> Result<Ask, UserError> {
    let folders: Vec<PathBuf> = ask.folders.iter().map(PathBuf::from).collect();
    let (skills, language) = (&features.skills, features.language());
    let skill = skills.called(ask.question(), &folders, language);
    match skill {
        Some(_) => Ok(ask),
        // Runs of workflows are kept: a conversation that leaves nothing has none.
        None if !features.is_equipped() => Ok(ask),
        None => features.workflows.asked_by_name(ask),
    }
}

/// Adds what the user says, with what goes along, to a run that is at work or waits.
async fn said(features: &Features, run: &Arc<Run>, ask: Ask) -> Result<mpsc::Receiver<Reply>, UserError> {
    let (ask, notices) = capture::passed(&features.capture, ask);
    let gathered = gathered(features, &ask).await?;
    let looked = capture::take(&features.capture, &ask.screens).await?;
    let (session, id) = (run.session(), run.id());
    refer(features, session, id, &ask)?;
    let looked = (looked, &ask.parts);
    let looked = capture::send(&features.capture, looked, (session, id), run.model.as_ref())?;
    let searched = looked.searched.into_iter();
    run.beside
        .lock()
        .extend(searched.map(|found| kept_result(session, id, found)));
    let along = work_folders::skill_of(run, ask.question());
    let input = UserInput {
        text: ask.question().to_owned(),
        surroundings: [along, gathered.surroundings, looked.surroundings].concat(),
        attachments: [looked.attachments, gathered.attachments].concat(),
        notices: [notices, gathered.notices, looked.notices].concat(),
        language: None,
        passages: Vec::new(),
    };
    let replies = run.subscribe();
    run.drive_blocking(Event::Said(input)).await;
    if run.status() == Some(RunStatus::Suspended) {
        // The run waits for a decision, and these words are none.
        run.show_waiting();
    }
    Ok(replies)
}

/// The outcome of beginning a run. Boxed, as a run begins others.
pub type Beginning =
    Pin<Box<dyn Future<Output = Result<(Arc<Run>, mpsc::Receiver<Reply>), UserError>> + Send>>;

/// Begins a run of its own.
///
/// # Errors
/// As for [`start`].
pub fn begin(workspace: &Arc<Workspace>, ask: Ask) -> Beginning {
    let workspace = Arc::clone(workspace);
    Box::pin(async move { begun(&workspace, ask).await })
}

async fn begun(workspace: &Arc<Workspace>, ask: Ask) -> Result<(Arc<Run>, mpsc::Receiver<Reply>), UserError> {
    let began = clock::now();
    let features = &workspace.features;
    let asked = replaying::prepared((workspace, &workspace.running), ask)?;
    let ask = workspace.with_assistant(with_earlier(workspace, asked.clone())?)?;
    if ask.program.is_some() {
        return given::begun(workspace, (&asked, ask), began).await;
    }
    let (ask, mut notices) = capture::passed(&features.capture, ask);
    let config = features.assistants.config(&ask)?;
    let model = model_for(features, &ask, &config).await?;
    let mut gathered = gathered(workspace, &ask).await?;
    let looked = capture::take(&features.capture, &ask.screens).await?;
    let session = open_session(workspace, &ask, &config)?;
    let (parent, but) = beside_earlier((workspace, &workspace.running.workers), (&asked, &ask), &session)?;
    let earlier = capture::sent_again(&features.capture, &session, model.as_ref(), &but)?;
    let run = RunId::mint();
    refer(workspace, &session, &run, &ask)?;
    let looked = (looked, &ask.parts);
    let looked = capture::send(&features.capture, looked, (&session, &run), model.as_ref())?;
    gathered
        .surroundings
        .extend(earlier.surroundings.into_iter().chain(looked.surroundings));
    // The new pictures first: a model takes only so many.
    gathered
        .attachments
        .extend(looked.attachments.into_iter().chain(earlier.attachments));
    notices.extend(gathered.notices.into_iter().chain(looked.notices));
    let (along, closed) = features.pages.along(&ask, workspace.language());
    gathered.surroundings.extend(along);
    notices.extend(closed);
    let page = recall::page(&gathered.surroundings);
    preferences::put_beside(workspace, &ask, &mut gathered.surroundings);
    note_pages(workspace, &session, &ask, &gathered.surroundings);
    let recall = Recall::for_question(&features.embeddings, &ask, &config, model.as_ref(), page).await;
    let mut input = UserInput {
        passages: shidi_knowledge::for_question(&features.embeddings, &ask, &config, model.as_ref()).await,
        text: ask.question().to_owned(),
        surroundings: gathered.surroundings,
        attachments: gathered.attachments.clone(),
        language: Some(language(workspace, &ask, &config)),
        notices,
    };
    let timeout_s = ask.timeout_s;
    let parts = Parts {
        run,
        session,
        parent,
        ask,
        config,
        model,
        seq: 0,
        attachments: gathered.attachments,
        recall,
        searched: looked.searched,
    };
    let run = assembled(workspace, parts).await?;
    input
        .surroundings
        .extend(work_folders::along(&run, &input.text).await);
    let replies = run.subscribe();
    enrol(&workspace.running, &run, (timeout_s, began));
    run.drive_blocking(Event::Asked(input)).await;
    Ok((run, replies))
}

/// What was asked on a page is told there again as the user's own words.
fn note_pages(space: &Space, session: &SessionId, ask: &Ask, surroundings: &[ContextPiece]) {
    if !ask.asks_what_was_piped() {
        recall::visited(space, session, surroundings);
        sites::answered(space, session, ask);
    }
}

/// The version that a question stands beside. Then the pictures that are not sent again: its own, and those of others.
fn beside_earlier(
    (space, workers): (&Space, &Workers),
    (asked, ask): (&Ask, &Ask),
    session: &SessionId,
) -> Result<(Option<RunId>, Vec<String>), UserError> {
    let parent = space.stored(versions::parent_of((space, workers), asked, session))?;
    let elsewhere = space.stored(versions::screens_elsewhere(space, session, parent.as_ref()))?;
    Ok((parent, ask.screens.iter().cloned().chain(elsewhere).collect()))
}

/// Makes a run known; its time and its trace begin.
fn enrol(running: &Running, run: &Arc<Run>, (timeout_s, began): (Option<u32>, shidi_protocol::Moment)) {
    running.add(run);
    limit_time(run, timeout_s);
    run.begin_trace(began);
}

/// The question with the pieces that went along with the run that it asks again. Earlier approvals do not hold
/// now.
fn with_earlier(space: &Space, ask: Ask) -> Result<Ask, UserError> {
    let Some(id) = ask.instead.as_ref().or(ask.again.as_ref()) else {
        return Ok(ask);
    };
    let row = row_of_run(space, id)?;
    let (_, earlier) =
        storage::read_state(&row).map_err(|cause| internal(space.language(), &cause.to_string()))?;
    let is_same = ask.text.trim() == earlier.text.trim();
    Ok(Ask {
        // In other words it is a question, also where a program stood in its place.
        program: ask.program.or(earlier.program.clone().filter(|_| is_same)),
        text: ask.text,
        piped: ask.piped.or(earlier.piped),
        assistant: ask.assistant,
        session: ask.session,
        mode: ask.mode,
        approve: ask.approve,
        own_list: ask.own_list,
        overrides: ask.overrides,
        language: ask.language,
        again: None,
        instead: None,
        replay: ask.replay,
        under: ask.under,
        task: ask.task,
        ..earlier
    })
}

/// What was pasted or fetched for a question belongs to its session from now on.
fn refer(space: &Space, session: &SessionId, run: &RunId, ask: &Ask) -> Result<(), UserError> {
    space.stored(blob_store::refer(space, session, run, &ask.files))
}

/// Reads what is attached, on a thread that may wait for a document.
pub(super) async fn gathered(space: &Arc<Space>, ask: &Ask) -> Result<Gathered, UserError> {
    if ask.files.is_empty() {
        return attachments::gather(ask, space.library.as_ref(), space.language());
    }
    let (space, ask) = (Arc::clone(space), ask.clone());
    let language = space.language();
    let gathering = tokio::task::spawn_blocking(move || {
        attachments::gather(&ask, space.library.as_ref(), space.language())
    });
    gathering
        .await
        .unwrap_or_else(|cause| Err(internal(language, &cause.to_string())))
}

pub(super) struct Parts {
    pub(super) run: RunId,
    pub(super) session: SessionId,
    pub(super) parent: Option<RunId>,
    pub(super) ask: Ask,
    pub(super) config: Config,
    pub(super) model: Arc<dyn Model>,
    pub(super) seq: u32,
    pub(super) attachments: Vec<Attachment>,
    pub(super) recall: Recall,
    /// Long texts by their handles, which programs search.
    pub(super) searched: Vec<(String, String)>,
}

/// Assembles a run on a thread that may wait for the store, in which it looks for what is remembered.
async fn assembled(workspace: &Arc<Workspace>, parts: Parts) -> Result<Arc<Run>, UserError> {
    let (own, language) = (Arc::clone(workspace), workspace.language());
    let assembling = tokio::task::spawn_blocking(move || assemble(&own, parts));
    assembling
        .await
        .unwrap_or_else(|cause| Err(internal(language, &cause.to_string())))
}

/// Everything of a run that begins, with what is remembered for it.
pub(super) fn assemble(workspace: &Arc<Workspace>, parts: Parts) -> Result<Arc<Run>, UserError> {
    let Parts {
        run,
        session,
        parent,
        ask,
        config,
        model,
        seq,
        attachments,
        recall,
        searched,
    } = parts;
    let before = workspace.stored(versions::before(workspace, &session, parent.as_ref(), &run))?;
    let of_session = workspace.stored(shidi_folders::of_session(workspace, &session))?;
    let folders = shidi_folders::of_run(&of_session, &ask.folders, &config.task.folders.0);
    let equipped = workspace.features.registry.changes();
    let settings = settings(&workspace.features, &ask, &config, model.as_ref(), &folders)?;
    let is_asked = !model.is_offline() && ask.under.is_none() && ask.program.is_none();
    let lessons = is_asked.then(|| experience::for_run(workspace, &ask, &session, &run, &settings.toolkits));
    let lessons = lessons.unwrap_or_default();
    let kept = |found| kept_result(&session, &run, found);
    let noted = experience::noted(&lessons, &run).into_iter();
    let beside = noted.chain(searched.into_iter().map(kept)).collect();
    let recalled = recall.perform(workspace, &About::of(&ask, &session, &run), &before.segments);
    let workers = &workspace.running.workers;
    let mut past = past((workspace, workers), &session, &settings, before)?;
    past.variables_tainted |= is_told_by_others(&ask);
    past.lessons = lessons;
    past.recalled = recalled;
    let mind = Mind::new(session.clone(), run.clone(), settings, past);
    let last_segment = workspace.running.segment_numbers.of(&session);
    let trace = Tree::new(run.clone());
    let learns = extract::may_learn(workspace, &ask, model.is_offline()) != Learns::Nothing;
    let facts = RunFacts {
        run,
        session,
        parent,
        question: ask.question().to_owned(),
        ask,
        offline: model.is_offline(),
        build: env!("CARGO_PKG_VERSION").to_owned(),
        learns,
    };
    Ok(Arc::new(Run {
        workspace: Arc::clone(workspace),
        facts,
        model,
        folders: Mutex::new(folders),
        attached: paths_of(&attachments),
        mind: Mutex::new(mind),
        emitter: Emitter::after(seq),
        awaited: Awaited::default(),
        part: Mutex::default(),
        program: Mutex::new(None),
        came: Mutex::new(None),
        last_segment,
        cancel: CancellationToken::new(),
        ended: CancellationToken::new(),
        trace: Mutex::new(trace),
        beside: Mutex::new(beside),
        look_ups: AtomicU32::new(0),
        model_calls: AtomicU32::new(0),
        kept_bytes: AtomicUsize::new(0),
        questions: AtomicU64::new(0),
        asides_decided: Default::default(),
        equipped: AtomicU64::new(equipped),
    }))
}

fn paths_of(attachments: &[Attachment]) -> Vec<PathBuf> {
    let paths = attachments
        .iter()
        .map(|attachment| PathBuf::from(&attachment.path));
    paths.collect()
}

/// A stranger's text that programs of the run search.
fn kept_result(session: &SessionId, run: &RunId, (handle, text): (String, String)) -> Write {
    Write::PutResult(ToolResult {
        session: session.clone(),
        handle,
        run: run.clone(),
        text,
        tainted: true,
    })
}

/// The past that a run goes on from, as the mind takes it.
fn past(
    (space, workers): (&Space, &Workers),
    session: &SessionId,
    set: &Settings,
    before: Before,
) -> Result<Past, UserError> {
    let variables_tainted = before.variables.iter().any(|variable| variable.tainted);
    let (variables, gone) = workers::previews(before.variables, workers.has_worker(session));
    let calls = space.stored(space.store.calls_to(session, &asked_toolkits(set)))?;
    Ok(Past {
        segments: before.segments,
        calls,
        last_segment: before.last_segment,
        left_behind: before.left_behind,
        variables,
        gone,
        variables_tainted,
        ..Past::default()
    })
}

/// Whether what it is to do derives from words that the user did not write.
fn is_told_by_others(ask: &Ask) -> bool {
    let by_model = ask.under.as_ref().is_some_and(|under| under.tainted);
    by_model || ask.task.as_ref().is_some_and(|task| task.tainted)
}

/// What answers the question: the configured models, or the programs of the run that is replayed.
///
/// # Errors
/// As [`model_choice::open`].
pub(super) async fn model_for(
    features: &Features,
    ask: &Ask,
    config: &Config,
) -> Result<Arc<dyn Model>, UserError> {
    match &ask.replay {
        _ if ask.program.is_some() => Ok(Arc::new(NoModel)),
        Some(replay) => Ok(Arc::new(Replayed::of(features, replay)?)),
        None => model_choice::open_sampled(features, config, features.assistants.sampling(ask)).await,
    }
}

pub(super) fn open_session(space: &Space, ask: &Ask, config: &Config) -> Result<SessionId, UserError> {
    let language = space.language();
    if let Some(session) = &ask.session {
        if space.stored(space.store.session(session))?.is_some() {
            return Ok(session.clone());
        }
        if space.begins(session) || session.is_minted_beforehand() || ask.under.is_some() {
            return put_session(space, session.clone(), ask, config);
        }
        return Err(error(
            ErrorCode::NotFound,
            language.runtime().no_such_session(session),
            language.runtime().see_sessions(),
        ));
    }
    put_session(space, SessionId::mint(), ask, config)
}

fn put_session(space: &Space, id: SessionId, ask: &Ask, config: &Config) -> Result<SessionId, UserError> {
    let now = clock::now();
    let session = Session {
        id: id.clone(),
        created: now,
        updated: now,
        title: String::new(),
        is_named: false,
        folders: ask.folders.clone(),
        mode: ask.mode.unwrap_or(config.task.mode),
    };
    // Durable with the question itself: a session without one is of no use to anybody.
    space.stored(space.store.buffer(Write::PutSession(session)))?;
    space.attribute(&id, ask.assistant.as_deref())?;
    Ok(id)
}

pub(super) fn language(space: &Space, ask: &Ask, config: &Config) -> String {
    let configured = Some(config.desktop.language.0.as_str()).filter(|text| *text != "system");
    let chosen = ask.language.as_deref().or(configured);
    chosen.unwrap_or_else(|| space.language().code()).to_owned()
}

pub(super) fn limit_time(run: &Arc<Run>, timeout_s: Option<u32>) {
    let Some(seconds) = timeout_s else { return };
    let run = Arc::downgrade(run);
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(u64::from(seconds))).await;
        if let Some(run) = run.upgrade() {
            run.stop_by(|| Event::TimedOut).await;
        }
    });
}
