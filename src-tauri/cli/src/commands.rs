//! The commands, one file each: what it takes, what it asks the runtime, how it shows the reply.

pub mod answer;
pub mod approve;
pub mod ask;
pub mod cancel;
pub mod changes;
pub mod companion;
pub mod config;
pub mod desktop;
pub mod doctor;
pub mod eval;
pub mod exec;
pub mod experience;
pub mod inspect;
pub mod key;
pub mod knowledge;
pub mod mcp;
pub mod memory;
pub mod model;
pub mod refuse;
pub mod replay;
pub mod resume;
pub mod sample;
pub mod sense;
pub mod session;
pub mod tool;
pub mod trace;
