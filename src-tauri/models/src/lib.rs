//! Language models behind one trait, the offline planner, and the keys of providers.
//!
//! One [`Model`] answers one [`ModelRequest`]. Callers need not know its wire format, or whether it is a
//! language model at all. This crate keeps no conversation and counts no budget: the runtime and the mind do.
//! The only file it writes is the encrypted file of keys.

mod anthropic;
mod chat;
mod choice;
mod completions;
mod embedding;
mod failure;
mod gemini;
mod keys;
mod known;
mod listing;
mod offline;
mod open;
mod openai;
mod presets;
mod prices;
mod profiles;
mod proxy;
mod routed;
mod sampling;
mod served_file;

pub use chat::{Endpoint, Timeouts, estimate};
pub use choice::ModelChoice;
pub use completions::FimWay;
pub use embedding::{Aim, Embedded, Embedder};
pub use failure::LimitReached;
pub use keys::{KeyError, KeyPlace, KeyRing};
pub use listing::{FoundServer, Listed};
pub use offline::OfflinePlanner;
pub use open::{ModelSettings, Models, Tested};
pub use presets::{KeyNeed, Preset, WireFormat, preset, presets};
pub use prices::{Price, PriceTable};
pub use profiles::{BestFormat, Profile, Profiles};
pub use proxy::Proxy;
pub use routed::{Ledger, Routed, Routing};
pub use sampling::{RoleSampling, Temperature, Temperatures};
pub use served_file::{FileServer, Hold, Outline, Served, unserved};

use async_trait::async_trait;
use shidi_protocol::{ModelDelta, ModelFailure, ModelReply, ModelRequest};
use tokio_util::sync::CancellationToken;

/// Takes the pieces of an answer as they arrive, in order.
pub type Deltas<'a> = &'a mut (dyn FnMut(ModelDelta) + Send);

/// Something that answers requests: a language model, or the offline planner.
#[async_trait]
pub trait Model: Send + Sync {
    /// Returns the name shown to the user: the provider's name of the model, or `offline`.
    fn name(&self) -> &str;

    /// Returns the name of its provider's preset, `custom`, or `offline`.
    fn provider(&self) -> &str;

    /// Returns the model's profile.
    fn profile(&self) -> Profile {
        Profile::default()
    }

    /// Tells whether answers come from rules and not from a language model.
    fn is_offline(&self) -> bool;

    /// Asks once and returns the whole answer; its pieces go to `deltas` while they arrive.
    ///
    /// Dropping the future, or cancelling the token, ends the request and closes its connection.
    ///
    /// # Errors
    /// Says why no answer came, after all retries, with the words of a broken answer that still stand. Pieces
    /// before a [`ModelDelta::Retracted`] are void.
    async fn ask(
        &self,
        request: &ModelRequest,
        deltas: Deltas<'_>,
        cancel: &CancellationToken,
    ) -> Result<ModelReply, ModelFailure>;
}

/// Makes ring the process's TLS provider. Call once before the first request; more calls change nothing.
pub fn install_tls() {
    if rustls::crypto::ring::default_provider()
        .install_default()
        .is_err()
    {
        tracing::debug!("a TLS provider was installed before");
    }
}
