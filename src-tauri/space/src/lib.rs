//! The base of every feature: the process it is in ([`Shared`]), and the data space it works in ([`Space`]). The parts
//! of both belong here: settings, the data folder, errors in words, the registry of toolkits, files of lines.
//!
//! This crate knows no feature. A feature is a crate above this one, takes the handles it needs, and names no other
//! feature. Code that joins two features stands in the runtime.

pub mod assistant_bounds;
pub mod assistants;
pub mod blob_store;
pub mod blobs;
pub mod call_bounds;
pub mod clock;
pub mod config;
pub mod download;
pub mod errors;
pub mod export_key;
pub mod exporting;
pub mod folder_files;
pub mod home;
pub mod ids;
pub mod input_limits;
pub mod jsonl;
pub mod key_errors;
pub mod keys;
pub mod limits;
pub mod local_socket;
pub mod memory_folder;
pub mod model_choice;
pub mod names;
pub mod permission_rules;
pub mod privacy;
pub mod progress;
pub mod prompt_overrides;
pub mod prompt_parts;
pub mod registry;
pub mod replies;
pub mod rescue;
pub mod review_table;
pub mod rule_requests;
pub mod scan;
pub mod segment_numbers;
pub mod shared;
pub mod space;
pub mod storage;
pub mod stored_events;
pub mod tables;
pub mod toml_file;
pub mod tool_switches;
pub mod typed_path;
pub mod usage;
pub mod visitors;

pub use shared::Shared;
pub use space::Space;
