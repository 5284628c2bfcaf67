//! Performs the mind's effects and feeds events back; the only crate that knows the features, and joins them.
//!
//! Start at [`Connection`]. A [`Connection`] opens a data folder, either as its runtime or as a client of the process
//! that is. Behind it `opening` makes what lives as long as the process: a space, its `features`, and its runs. `incognito`
//! has the spaces beside it, and `dispatch` answers requests. `run/` drives one task. Events go into the mind, effects
//! come out and are performed there, one file per kind. What a feature needs of another is lent here.
//! Attachments and knowledge get the web from `dispatch`, and captures the page in front from `front_page`.

mod branching;
mod connection;
mod dispatch;
mod doctor;
mod exec;
mod features;
mod front_page;
mod incognito;
mod limits;
mod opening;
mod run;
mod session_file;
mod sessions;
mod socket;
mod store_tools;
mod tool_switches;
mod variable_value;
mod variables;
mod versions;
mod work_folders;
mod workers;

// Rooms below the features, by the names they have here too.
use shidi_space::{
    assistants, blob_store, clock, config, errors, export_key, exporting, home, ids, jsonl, local_socket,
    memory_folder, model_choice, permission_rules, prompt_overrides, registry, replies, rule_requests,
    shared, space, storage, stored_events, usage,
};

pub use shidi_mcp::kill_all as kill_servers;
pub use shidi_senses::{Camera, LIST_SIGNS};

pub use connection::{Connection, OpenOptions};
pub use replies::Replies;
pub use shidi_browser::carry_for_browser;
pub use shidi_knowledge::goes_openly;
pub use shidi_memory::moment_of;
pub use shidi_space::config::settings as setting;
pub use shidi_space::errors::unreadable;
pub use shidi_space::home::Home;
pub use shidi_space::keys;
pub use shidi_space::names::callable;
pub use shidi_space::rescue::{Rescued, rescue};

/// Works as a child of this program, if the program was started as one. Must be called before anything else in `main`.
#[must_use]
pub fn work_as_child() -> Option<std::process::ExitCode> {
    shidi_jobs::work_as_child()
}
