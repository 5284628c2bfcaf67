//! Keys of providers: checked before they are stored, kept in the keychain only.

use crate::engine::Engine;
use crate::words::{Words, error};
use shidi_models::{KeyError, ModelChoice};
use shidi_protocol::{ErrorCode, Reply, UserError};

/// Checks the key with the provider unless told not to, then stores it.
pub async fn set(engine: &Engine, provider: &str, key: String, unchecked: bool) -> Result<Reply, UserError> {
    let key = key.trim().to_owned();
    if key.is_empty() {
        return Err(error(
            ErrorCode::Input,
            engine.words.pick("密钥是空的", "The key is empty"),
            engine
                .words
                .pick("粘贴服务商给你的密钥", "Paste the key that the provider gave you"),
        ));
    }
    if !unchecked {
        let tested = engine
            .models()
            .test(&choice(engine, provider), Some(key.clone().into()))
            .await;
        tested.map_err(|failure| shidi_agent::model_error(engine.words.code(), &failure))?;
    }
    engine
        .models()
        .keys()
        .set(provider, &key.into())
        .await
        .map_err(|cause| explain(engine, &cause))?;
    Ok(Reply::Done)
}

pub async fn list(engine: &Engine) -> Result<Reply, UserError> {
    let keys = engine
        .models()
        .keys()
        .list()
        .await
        .map_err(|cause| explain(engine, &cause))?;
    Ok(Reply::Keys { keys })
}

/// Asks the provider whether it takes the kept key.
pub async fn test(engine: &Engine, provider: &str) -> Result<Reply, UserError> {
    let tested = engine.models().test(&choice(engine, provider), None).await;
    tested.map_err(|failure| shidi_agent::model_error(engine.words.code(), &failure))?;
    Ok(Reply::Done)
}

pub async fn delete(engine: &Engine, provider: &str) -> Result<Reply, UserError> {
    engine
        .models()
        .keys()
        .delete(provider)
        .await
        .map_err(|cause| explain(engine, &cause))?;
    Ok(Reply::Done)
}

/// The configured address belongs to the configured provider; another provider is asked at its own.
fn choice(engine: &Engine, provider: &str) -> ModelChoice {
    let config = engine.config();
    let own = config.text("provider") == provider || config.text("provider").is_empty();
    let base_url = Some(config.text("model_url").to_owned()).filter(|url| own && !url.is_empty());
    ModelChoice {
        provider: Some(provider.to_owned()),
        base_url,
        model: None,
    }
}

fn explain(engine: &Engine, cause: &KeyError) -> UserError {
    let (message, remedy) = match engine.words {
        Words::Chinese => cause.in_chinese(),
        Words::English => (cause.to_string(), cause.remedy()),
    };
    error(ErrorCode::System, message, remedy)
}
