//! Which models the configuration names, and opening them.

use crate::config::Config;
use crate::space::Space;
use shidi_models::{Model, ModelChoice, RoleSampling, Routed, Routing};
use shidi_protocol::{FailureKind, ModelFailure, ModelReply, ModelRequest, ModelRole, UserError, Worded};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// Opens the configured models.
///
/// # Errors
/// What is missing: the key, the address, the provider.
pub async fn open(space: &Space, config: &Config) -> Result<Arc<dyn Model>, UserError> {
    open_sampled(space, config, RoleSampling::default()).await
}

/// Opens the configured models, which are to choose their words as wished.
///
/// # Errors
/// As [`open`].
pub async fn open_sampled(
    space: &Space,
    config: &Config,
    sampling: RoleSampling,
) -> Result<Arc<dyn Model>, UserError> {
    let ledger = Arc::clone(&space.spending);
    let routing = Routing {
        sampling,
        ..routing(config)
    };
    let opened = Routed::open(space.models(), routing, ledger).await;
    let opened = opened
        .map_err(|failure: ModelFailure| shidi_agent::model_error(space.language().code(), &failure))?;
    Ok(Arc::new(opened))
}

/// Asks a model something beside the tasks, for so long at most.
///
/// # Errors
/// The model's failure, or that there was no answer in time.
pub async fn ask_within(
    model: &dyn Model,
    request: &ModelRequest,
    most: Duration,
) -> Result<ModelReply, ModelFailure> {
    let cancel = CancellationToken::new();
    let mut deltas = |_| {};
    let asked = model.ask(request, &mut deltas, &cancel);
    tokio::time::timeout(most, asked).await.unwrap_or_else(|_| {
        Err(ModelFailure {
            kind: FailureKind::Timeout,
            detail: Worded::of(move |language| language.models().no_answer_within(most.as_secs())),
            provider: model.provider().to_owned(),
            provider_title: None,
            partial: None,
        })
    })
}

/// Which model is for what.
fn routing(config: &Config) -> Routing {
    let main = configured(config);
    let named = [
        (ModelRole::Fast, &config.role.fast),
        (ModelRole::Coder, &config.role.coder),
        (ModelRole::General, &config.role.general),
        (ModelRole::Vision, &config.role.vision),
    ];
    let roles = named
        .into_iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(role, text)| (role, main.beside(text)));
    let stand_ins = config
        .reach
        .fallback
        .split(',')
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(|text| main.beside(text));
    Routing {
        roles: roles.collect(),
        stand_ins: stand_ins.collect(),
        main,
        sampling: RoleSampling::default(),
    }
}

/// What the configuration says of the model.
pub fn configured(config: &Config) -> ModelChoice {
    let word = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    ModelChoice {
        provider: word(&config.main.provider),
        base_url: word(&config.main.model_url),
        model: word(&config.main.model),
    }
}
