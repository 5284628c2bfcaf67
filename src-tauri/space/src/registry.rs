//! All toolkits in one place (F7.1). Some are declared in Rust, and others come, change and go while the program runs.
//! The toolkits of a run, and the performer of a call, are asked for here. Whether a call is permitted is decided
//! elsewhere.

pub mod switches;

use crate::assistant_bounds::{Bounds, KnownAssistants};
use crate::shared::Shared;
use async_trait::async_trait;
use parking_lot::Mutex;
use serde_json::Value;
use shidi_protocol::{
    Call, CallOutcome, Class, HOST_TOOLKIT, JsonMap, Message, ModelReply, Reply, RunId, ToolkitSource,
    ToolkitSpec,
};
use shidi_store::{Store, StoreError};
use std::collections::BTreeMap;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use switches::Switches;

/// Without these no program says or finds anything.
pub const ALWAYS_ON: [&str; 2] = ["user", "toolkits"];

/// A call under way. The call ends within a bound of its own, and stops where it is dropped.
pub type Performing = Pin<Box<dyn Future<Output = CallOutcome> + Send>>;

/// Performs the calls of a toolkit that was not declared in Rust.
pub trait DynamicToolkit: Send + Sync {
    fn perform(&self, call: Call, run: Arc<dyn CallingRun>) -> Performing;
}

/// The run behind a call, as far as the call's performer may use it: nothing of it outlasts the call.
#[async_trait]
pub trait CallingRun: Send + Sync {
    fn id(&self) -> &RunId;

    /// Whether its session is incognito.
    fn leaves_nothing(&self) -> bool;

    /// Folders that the run may work in now, absolute.
    fn folders(&self) -> Vec<PathBuf>;

    /// Whether a person is there who answers while the call is at work.
    fn is_attended(&self) -> bool;

    /// Shows how far the call is: the data of a card of progress.
    fn shows(&self, progress: Value);

    /// Puts a card before the user, by the method of such a call; the outcome of their answer. `None` where nobody answers
    /// in time, or the call ends first. The card goes where this is dropped.
    async fn asks(&self, method: &'static str, card: JsonMap) -> Option<CallOutcome>;

    /// Keeps a file with the run's session; `None` where it can't be kept.
    async fn keeps(&self, name: String, bytes: Vec<u8>) -> Option<PathBuf>;

    /// Whether the user has allowed that server's questions to a model for the whole run.
    fn has_allowed(&self, server: &str) -> bool;

    /// Asks the run's model beside the task; the run pays for it.
    ///
    /// # Errors
    /// Why no model answers.
    async fn asks_model(&self, messages: Vec<Message>, tokens_max: u32) -> Result<ModelReply, String>;
}

/// Another toolkit has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is a toolkit \"{name}\" already")]
pub struct NameTaken {
    pub name: String,
}

/// Who performs a call.
pub enum Performer {
    BuiltIn,
    Dynamic(Arc<dyn DynamicToolkit>),
    /// Nobody, as the user wants it.
    SwitchedOff,
}

/// The toolkits that come and go, and the switches of all.
#[derive(Default)]
pub struct Registry {
    dynamic: Arc<Mutex<BTreeMap<String, Offered>>>,
    pub switches: Arc<Mutex<Switches>>,
    /// Names of toolkits that some tasks alone have.
    reserved: &'static [&'static str],
    changes: Arc<AtomicU64>,
    /// What the files of assistants say.
    pub assistants: OnceLock<Arc<KnownAssistants>>,
}

struct Offered {
    spec: ToolkitSpec,
    /// `None` where the runtime performs the calls, as those of a built-in toolkit.
    toolkit: Option<Arc<dyn DynamicToolkit>>,
}

impl Registry {
    /// The registry with its switches as they were left. No toolkit that comes may have a `reserved` name.
    ///
    /// # Errors
    /// Storage trouble.
    pub fn open(store: &Store, reserved: &'static [&'static str]) -> Result<Self, StoreError> {
        Ok(Self {
            switches: Arc::new(Mutex::new(Switches::of(store.switched_off()?))),
            reserved,
            ..Self::default()
        })
    }

    /// The same toolkits and switches, for a space whose assistants are others.
    #[must_use]
    pub fn for_assistants(&self, assistants: Arc<KnownAssistants>) -> Self {
        Self {
            dynamic: Arc::clone(&self.dynamic),
            switches: Arc::clone(&self.switches),
            reserved: self.reserved,
            changes: Arc::clone(&self.changes),
            assistants: OnceLock::from(assistants),
        }
    }

    /// Adds a toolkit, or changes one that was added before; programs that begin from now on see it.
    ///
    /// # Errors
    /// A built-in toolkit has that name.
    pub fn put(&self, spec: ToolkitSpec, toolkit: Arc<dyn DynamicToolkit>) -> Result<(), NameTaken> {
        let is_declared = shidi_toolkits::declared()
            .iter()
            .any(|declared| declared.name == spec.name);
        if is_declared || spec.name == HOST_TOOLKIT || self.reserved.contains(&spec.name.as_str()) {
            return Err(NameTaken { name: spec.name });
        }
        let mut dynamic = self.dynamic.lock();
        let is_ours = |known: &Offered| known.toolkit.is_none();
        if dynamic.get(&spec.name).is_some_and(is_ours) {
            return Err(NameTaken { name: spec.name });
        }
        let toolkit = Some(toolkit);
        dynamic.insert(spec.name.clone(), Offered { spec, toolkit });
        drop(dynamic);
        self.touch();
        Ok(())
    }

    /// Whether a plugin's tools may have that name: nothing else does, another version of the plugin apart.
    pub fn is_free(&self, name: &str) -> bool {
        let is_declared = shidi_toolkits::declared()
            .iter()
            .any(|declared| declared.name == name);
        let is_of_plugin = |known: &Offered| known.spec.source == ToolkitSource::Plugin;
        !is_declared
            && name != HOST_TOOLKIT
            && !self.reserved.contains(&name)
            && self.dynamic.lock().get(name).is_none_or(is_of_plugin)
    }

    /// Adds or changes a toolkit of our own that comes and goes; the runtime performs its calls.
    pub fn offer(&self, spec: ToolkitSpec) {
        let mut dynamic = self.dynamic.lock();
        if dynamic.get(&spec.name).is_some_and(|known| known.spec == spec) {
            return;
        }
        let offered = Offered { spec, toolkit: None };
        dynamic.insert(offered.spec.name.clone(), offered);
        drop(dynamic);
        self.touch();
    }

    /// Takes a toolkit away; a call of it that is under way goes on. Whether it was there.
    pub fn remove(&self, name: &str) -> bool {
        let removed = self.dynamic.lock().remove(name).is_some();
        if removed {
            self.touch();
        }
        removed
    }

    /// A number that grows with every change.
    pub fn changes(&self) -> u64 {
        self.changes.load(Ordering::Acquire)
    }

    /// What a toolkit says of itself has changed.
    fn touch(&self) {
        self.changes.fetch_add(1, Ordering::AcqRel);
    }

    /// Toolkits came, changed, went or were switched: runs follow with their next step, windows at once.
    pub fn changed(&self, shared: &Shared) {
        self.touch();
        shared.tell(&Reply::ToolsChanged);
    }

    /// `declared` and those that came, whole.
    pub fn all(&self, mut declared: Vec<ToolkitSpec>) -> Vec<ToolkitSpec> {
        let dynamic = self.dynamic.lock();
        declared.extend(dynamic.values().map(|offered| offered.spec.clone()));
        declared
    }

    /// What programs of that assistant may call: of `declared` and of those that came, what is switched on.
    pub fn offered(&self, declared: Vec<ToolkitSpec>, assistant: Option<&str>) -> Vec<ToolkitSpec> {
        self.switched_on(self.all(declared), assistant)
    }

    /// What of `toolkits` is switched on for that assistant.
    pub fn switched_on(&self, mut toolkits: Vec<ToolkitSpec>, assistant: Option<&str>) -> Vec<ToolkitSpec> {
        self.switches.lock().keep_on(&mut toolkits, assistant);
        if let Some(bounds) = self.bounds(assistant) {
            for ToolkitSpec { name, methods, .. } in &mut toolkits {
                methods.retain(|method| permits(&bounds, name, &method.name));
            }
            toolkits.retain(|toolkit| !toolkit.methods.is_empty());
        }
        toolkits
    }

    /// Who performs `call` for that assistant.
    pub fn performer(&self, call: &Call, assistant: Option<&str>) -> Performer {
        let is_on = self.switches.lock().is_on(&call.toolkit, &call.method, assistant);
        let is_within = || {
            let bounds = self.bounds(assistant);
            bounds.is_none_or(|bounds| permits(&bounds, &call.toolkit, &call.method))
        };
        if !is_on || !is_within() {
            return Performer::SwitchedOff;
        }
        let dynamic = self.dynamic.lock();
        let toolkit = dynamic
            .get(&call.toolkit)
            .and_then(|offered| offered.toolkit.as_ref());
        match toolkit {
            Some(toolkit) => Performer::Dynamic(Arc::clone(toolkit)),
            None => Performer::BuiltIn,
        }
    }

    fn bounds(&self, assistant: Option<&str>) -> Option<Arc<Bounds>> {
        self.assistants.get()?.bounds(assistant)
    }

    /// The class of a call of a toolkit that came; `None` where it is declared in Rust, or gone.
    pub fn class_of(&self, call: &Call) -> Option<Class> {
        let dynamic = self.dynamic.lock();
        let method = dynamic.get(&call.toolkit)?.spec.method(&call.method)?;
        Some(method.class)
    }
}

/// Whether an assistant's programs may call a tool; some no program can do without.
fn permits(bounds: &Bounds, toolkit: &str, method: &str) -> bool {
    toolkit == HOST_TOOLKIT || ALWAYS_ON.contains(&toolkit) || bounds.permits(toolkit, method)
}

/// Adds what of the declared toolkits is not there.
pub fn complete(toolkits: &mut Vec<ToolkitSpec>) {
    for declared in shidi_toolkits::declared() {
        match toolkits.iter_mut().find(|known| known.name == declared.name) {
            Some(known) => known.methods = declared.methods,
            None => toolkits.push(declared),
        }
    }
}

/// What a program is told of a tool that is switched off.
pub fn switched_off(call: &Call) -> CallOutcome {
    let message = format!("{} is switched off by the user", call.tool());
    CallOutcome::failure("PermissionError", message).own()
}

/// What a program is told of a tool that is not there, or not there any more.
pub fn missing(call: &Call) -> CallOutcome {
    CallOutcome::failure("AttributeError", format!("There is no {}", call.tool())).own()
}

#[cfg(test)]
mod tests;
