//! Other programs that offer tools: MCP servers, as child processes or at an address, and pages in the user's browser.
//!
//! A server's words (names, descriptions, results, errors, hints) are data: bounded, cleaned, never believed.
//! Nothing here decides on calls or stores a secret; both come from the caller. So do folders, a person's answers and a
//! model's. The protocol library stays behind this interface, so that it can be replaced.
//!
//! Absent: models with tools for a server, tasks of the protocol, and being a server.

mod address;
mod at_work;
mod caller;
mod challenge;
mod child;
pub mod companion;
mod connection;
mod elicitation;
mod error;
mod files;
mod http;
mod limits;
mod lines;
mod listener;
mod log;
mod naming;
mod offers;
mod outcome;
mod parameters;
mod pictures;
mod prompts;
mod resources;
mod rest;
mod rounds;
mod sampling;
mod schema;
mod server;
mod sign_in;
mod sketch;
mod spec;
mod text;
mod tokens;
mod tool;
mod toolkit;
mod unreached;

pub use address::{OF_QUERY, hide_keys, split_key, split_query, with_query};
pub use caller::{Caller, Nobody, Progress, ResultFile};
pub use child::kill_all;
pub use elicitation::{Asks, Choice, Elicitation, Elicited, Field, FieldKind, Format};
pub use error::McpError;
pub use limits::{Limits, TOOLS_MAX};
pub use log::{Happened, Log, LogLine, LoggedCall};
pub use naming::{identifier, is_identifier};
pub use parameters::parameters;
pub use prompts::{PromptArgument, ServerPrompt, Written};
pub use resources::{Held, ServerResource};
pub use sampling::{Said, Sampled, Sampling};
pub use server::Server;
pub use sign_in::{EndPages, KnownClient, SignIn};
pub use spec::{Era, Launch, ServerSpec};
pub use text::paragraph;
pub use tokens::TokenStore;
pub use tool::{Hints, Listing, Tool, Way};
pub use toolkit::{PAGE, Toolkit, toolkit_of, toolkit_of_page};
