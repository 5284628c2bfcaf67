//! Journeys: the real command line, runtime, worker and SQLite, with a scripted model over real HTTP.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test stops where it fails")]

mod approving;
mod asking;
mod asking_cards;
mod attaching;
mod awaiting;
mod branching;
mod broken;
mod bulk;
mod cards;
mod crash;
mod endurance;
mod exchanging;
mod executing;
mod experience;
mod exporting;
mod fast;
mod folders;
mod formats;
mod incognito;
mod jobs;
mod knowledge;
mod learning;
mod long;
mod meaning;
mod models;
mod offline;
mod pages;
mod peers;
mod recalling;
mod replaying;
mod scoping;
mod session_files;
mod sessions;
mod shell;
mod stopping;
mod signals;
mod storage;
mod sub_agents;
mod team;
mod terminal;
mod tools;
mod traces;
mod turns;
mod writing;
