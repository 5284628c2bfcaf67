//! Opens the space of a data folder with its features, and takes up what the last process left.

use crate::blob_store;
use crate::clock;
use crate::config::Config;
use crate::dispatch;
use crate::features::Features;
use crate::home::Home;
use crate::incognito::Spaces;
use crate::limits::TRACES_SWEPT_EVERY;
use crate::memory_folder;
use crate::run::{self, Workspace};
use crate::shared::Shared;
use crate::space::Space;
use crate::storage;
use crate::usage::Spending;
use shidi_bad_cases::Trials;
use shidi_capture::{self as capture, CaptureState};
use shidi_changes as changes;
use shidi_locales::Language;
use shidi_memory::{evicting, experience};
use shidi_models::KeyRing;
use shidi_protocol::{DesktopSignal, UserError};
use shidi_store::Store;
use shidi_trace::Traces;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Opens everything that a request may need; nothing here asks the network or the keychain.
///
/// # Errors
/// A configuration or a database that can't be read, as a sentence with its remedy.
pub fn open(
    home: &Home,
    desktop: Option<mpsc::UnboundedSender<DesktopSignal>>,
    looking: CaptureState,
    trials: Option<Arc<dyn Trials>>,
    language: Language,
) -> Result<Arc<Spaces>, UserError> {
    shidi_models::install_tls();
    let space = recorded(home, desktop, language)?;
    let workspace = Arc::new(Workspace::new(Features::new(space, looking, trials)?));
    let spaces = Arc::new(Spaces::new(Arc::clone(&workspace)));
    let features = &workspace.features;
    features.pages.go_on_with(&workspace);
    features.workflows.run_by(&workspace);
    features.scheduler.answered_by(&spaces, dispatch::serve);
    features.bad_cases.answered_by(&spaces, dispatch::serve);
    run::broken_off::take_up(features, &workspace.running);
    begin_in_background(&workspace);
    memory_folder::sweep(home);
    begin_sweeping(&workspace);
    evicting::begin(&workspace);
    shidi_mcp::begin(&features.mcp_servers)?;
    run::take_up(&workspace, &workspace.running.learning_queue);
    if workspace.stays() {
        run::take_up_models(&workspace);
        features.embeddings.begin();
    }
    Ok(spaces)
}

/// The space that is recorded, in the process that it is opened by.
fn recorded(
    home: &Home,
    desktop: Option<mpsc::UnboundedSender<DesktopSignal>>,
    language: Language,
) -> Result<Arc<Space>, UserError> {
    let config = Config::read(&home.config(), language)?;
    let keys = KeyRing::new().with_file(home.keys());
    let store = Store::open(&home.database(), shidi_store::OpenOptions::default())
        .map_err(|cause| storage::explain(&cause, language))?;
    let spending = Spending::new(store.clone());
    let shared = Shared::new((config, home.folder()), keys, spending, desktop, language)?;
    Ok(Arc::new(Space::new(Arc::new(shared), store, home.clone(), None)))
}

/// Begins what takes time and nobody waits for.
fn begin_in_background(workspace: &Arc<Workspace>) {
    let own = Arc::clone(workspace);
    let begin = move || {
        drop_unused_files(&own);
        // A command that ends at once has no use for this.
        if own.stays() {
            begin_looking(&own.features);
        }
    };
    workspace.background.spawn_blocking_on(begin, &workspace.tasks);
}

/// Drops what is kept of changes that are too old, and files that nothing refers to any more.
fn drop_unused_files(space: &Space) {
    let swept = changes::take_over(space).and_then(|()| changes::drop_old(space));
    if let Err(cause) = swept.and_then(|()| blob_store::sweep(space)) {
        tracing::warn!(%cause, "unused files were not looked for");
    }
}

/// Follows the window in front, and what is selected in it.
fn begin_looking(features: &Features) {
    capture::follow_sensors(&features.capture);
    features.follow_selections();
    if let Err(cause) = capture::follow(&features.capture) {
        tracing::info!(%cause, "windows are not followed");
    }
}

/// Drops traces that are too old and ends experiences that nobody uses, now and again and again. Ends with the space.
fn begin_sweeping(space: &Arc<Space>) {
    sweep(space);
    let own = Arc::downgrade(space);
    space.tasks.spawn(async move {
        loop {
            tokio::time::sleep(TRACES_SWEPT_EVERY).await;
            match own.upgrade() {
                Some(space) => sweep(&space),
                None => return,
            }
        }
    });
}

fn sweep(space: &Arc<Space>) {
    let days = space.config().upkeep.trace_days;
    Traces::drop_older(&space.store, clock::now(), days);
    let own = Arc::clone(space);
    // Off the way of a start.
    let sweep = move || {
        if let Err(cause) = experience::sweep(&own) {
            tracing::warn!(cause.message, "experiences are not swept");
        }
    };
    space.background.spawn_blocking_on(sweep, &space.tasks);
}
