//! Providers, their models, local servers, and what was spent: what the model picker and `shidi model` show.

pub mod examination;
pub mod keys;
mod limits;

use crate::limits::SPENDING_DAYS_MAX;
use shidi_models::{KeyNeed, ModelChoice, presets};
use shidi_protocol::{ErrorCode, KeyKeeper, KeyStatus, LocalServer, ModelEntry, Provider, UserError, reply};
use shidi_space::Space;
use shidi_space::errors::error;
use shidi_space::storage;
use std::time::Instant;

/// Every provider that is known by name, with where its key is.
pub async fn list(space: &Space) -> Result<reply::Providers, UserError> {
    let models = space.models();
    let (keeper, _) = models.keys().keeper().await;
    let kept = models.keys().list().await;
    let key_of = |name: &str| {
        let found = kept
            .as_ref()
            .map(|keys| keys.iter().find(|key| key.provider == name));
        match found {
            Ok(Some(key)) => key.clone(),
            Ok(None) => unkept(name, "none"),
            Err(_) if keeper == KeyKeeper::Nobody => unkept(name, "none"),
            Err(_) => unkept(name, "unknown"),
        }
    };
    let providers = presets().iter().map(|preset| Provider {
        id: preset.name.to_owned(),
        name: preset.title.to_owned(),
        url: preset.base_url.to_owned(),
        local: preset.key == KeyNeed::NotNeeded,
        needs_key: preset.key == KeyNeed::Needed,
        key: key_of(preset.name),
        key_page: preset.key_page.map(str::to_owned),
        default_model: preset.default_model.map(str::to_owned),
    });
    Ok(reply::Providers {
        keeper,
        providers: providers.collect(),
    })
}

/// The models that a provider offers, as it says itself.
pub async fn models(space: &Space, provider: &str) -> Result<reply::Models, UserError> {
    let models = space.models();
    let choice = keys::choice(space, provider);
    if choice.is_empty() {
        return Err(error(
            ErrorCode::Input,
            space.language().providers().no_model(),
            space.language().providers().name_provider(),
        ));
    }
    let listed = models
        .list(&choice)
        .await
        .map_err(|failure| shidi_agent::model_error(space.language().code(), &failure))?;
    let provider = choice.provider.unwrap_or_else(|| "custom".to_owned());
    let entries = listed.into_iter().map(|model| {
        let profile = models.profile(&provider, &model.id);
        let known = models.price(&provider, &model.id);
        let price = known.map(|price| (price.input, price.output)).or(model.price);
        ModelEntry {
            vision: model.vision.or(profile.vision).unwrap_or(false),
            tools: model.tools.or(profile.tools).unwrap_or(false),
            window: model.window.or(profile.window),
            format: profile
                .format
                .map_or("fenced", shidi_models::BestFormat::name)
                .to_owned(),
            input_price: price.map(|(input, _)| input),
            output_price: price.map(|(_, output)| output),
            provider: provider.clone(),
            id: model.id,
        }
    });
    Ok(reply::Models {
        models: entries.collect(),
    })
}

/// Asks a model one tiny question. That it fails is an answer too.
pub async fn test(
    space: &Space,
    provider: &str,
    model: Option<String>,
    url: Option<String>,
) -> Result<reply::Tested, UserError> {
    let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let configured = keys::choice(space, provider);
    let choice = ModelChoice {
        provider: configured.provider,
        model: given(model).or(configured.model),
        base_url: given(url).or(configured.base_url),
    };
    let started = Instant::now();
    let tested = space.models().try_out(&choice).await;
    let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok(match tested {
        Ok(tested) => reply::Tested {
            ok: true,
            ms: tested.ms,
            detail: format!("{}: {}", tested.model, tested.said),
            error: None,
        },
        Err(failure) => reply::Tested {
            ok: false,
            ms,
            detail: String::new(),
            error: Some(shidi_agent::model_error(space.language().code(), &failure)),
        },
    })
}

/// Looks for model servers on this machine.
pub async fn find_servers(space: &Space) -> Result<reply::Servers, UserError> {
    let found = space.models().find_servers().await;
    let servers = found.into_iter().map(|server| LocalServer {
        provider: server.provider.to_owned(),
        name: server.title.to_owned(),
        url: server.url,
        models: server.models,
    });
    Ok(reply::Servers {
        servers: servers.collect(),
    })
}

/// What was spent on the last days.
pub fn spending(space: &Space, days: u32) -> Result<reply::Spending, UserError> {
    let days = usize::try_from(days.clamp(1, SPENDING_DAYS_MAX)).unwrap_or(1);
    let days = space
        .spending
        .days(days)
        .map_err(|cause| storage::explain(&cause, space.language()))?;
    Ok(reply::Spending { days })
}

fn unkept(provider: &str, kept: &str) -> KeyStatus {
    KeyStatus {
        provider: provider.to_owned(),
        kept: kept.to_owned(),
        tail: None,
    }
}
