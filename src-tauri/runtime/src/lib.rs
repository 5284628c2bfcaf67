//! Performs the mind's effects and feeds events back; the only crate that knows all others.
//!
//! Start at [`Door`]: it opens a data folder, either as its runtime or as a client of the process that is. Behind
//! it the `engine` owns what lives as long as the process, `serve` answers requests, and `run/` drives one task:
//! events go into the mind, effects come out and are performed there, one file per kind.

mod assistants;
mod attachment_store;
mod attachments;
mod branching;
mod capture;
mod changes;
mod clock;
mod config;
mod dispatch;
mod doctor;
mod door;
mod embedding;
mod engine;
mod exec;
mod experience;
mod export_key;
mod exporting;
mod fetch;
mod home;
mod ids;
mod input_limits;
mod inspect;
mod jobs;
mod jsonl;
mod keys;
mod knowledge;
mod limits;
mod local_socket;
mod memory;
mod memory_folder;
mod model_choice;
mod pages;
mod peers;
mod permission_rules;
mod post_run;
mod privacy;
mod prompt_overrides;
mod providers;
mod registry;
mod remembered;
mod replies;
mod rescue;
mod run;
mod session_file;
mod sessions;
mod shared;
mod socket;
mod space;
mod storage;
mod store_tools;
mod stored_events;
mod tables;
mod toml_file;
mod tool_switches;
mod traces;
mod usage;
mod variable_value;
mod variables;
mod versions;
mod words;
mod workers;

pub use shidi_peers::kill_all as kill_servers;
pub use shidi_senses::Camera;

pub use door::{Door, OpenOptions};
pub use knowledge::goes_openly;
pub use memory::moment_of;
pub use pages::carry_for_browser;
pub use replies::Replies;
pub use rescue::{Rescued, rescue};
pub use shidi_toolkits::work_as_child;
pub use words::{Words, unreadable};
