//! Performs the mind's effects and feeds events back; the only crate that knows all others.
//!
//! Start at [`Door`]: it opens a data folder, either as its runtime or as a client of the process that is. Behind
//! it the `engine` owns what lives as long as the process, `serve` answers requests, and `run/` drives one task:
//! events go into the mind, effects come out and are performed there, one file per kind.

mod after;
mod assistants;
mod attachments;
mod branching;
mod changes;
mod clock;
mod config;
mod doctor;
mod door;
mod engine;
mod exec;
mod experience;
mod export_key;
mod fetch;
mod home;
mod inspect;
mod jobs;
mod kept;
mod kept_files;
mod keys;
mod knowledge;
mod limits;
mod lines_file;
mod looking;
mod memory;
mod memory_folder;
mod own_prompts;
mod pages;
mod peers;
mod providers;
mod question;
mod registry;
mod remembered;
mod rescue;
mod ruled;
mod run;
mod serve;
mod session_file;
mod sessions;
mod socket;
mod spending;
mod storage;
mod tables;
mod toml_file;
mod traces;
mod variables;
mod whole_file;
mod words;
mod workers;

pub use shidi_peers::kill_all as kill_servers;
pub use shidi_senses::Camera;

pub use door::{Door, OpenOptions, Replies};
pub use knowledge::goes_openly;
pub use memory::{moment_of, record_of_line};
pub use pages::carry_for_browser;
pub use rescue::{Rescued, rescue};
pub use shidi_toolkits::work_as_child;
pub use words::{Words, unreadable};
