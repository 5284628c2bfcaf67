//! Keys of providers. They are checked before they are stored, and kept in the keychain, or else in an encrypted file.

use shidi_models::ModelChoice;
use shidi_protocol::{ErrorCode, UserError, reply};
use shidi_space::Space;
use shidi_space::errors::error;
use shidi_space::key_errors::explain;

/// Checks the key with the provider unless told not to, then stores it.
pub async fn set(
    space: &Space,
    provider: &str,
    key: String,
    unchecked: bool,
) -> Result<reply::Done, UserError> {
    let key = key.trim().to_owned();
    if key.is_empty() {
        return Err(error(
            ErrorCode::Input,
            space.language().providers().key_empty(),
            space.language().providers().paste_key(),
        ));
    }
    if !unchecked {
        let tested = space
            .models()
            .check_key(&choice(space, provider), Some(key.clone().into()))
            .await;
        tested.map_err(|failure| shidi_agent::model_error(space.language().code(), &failure))?;
    }
    space
        .models()
        .keys()
        .set(provider, &key.into())
        .await
        .map_err(|cause| explain(space, &cause))?;
    Ok(reply::Done)
}

pub async fn list(space: &Space) -> Result<reply::Keys, UserError> {
    let keys = space
        .models()
        .keys()
        .list()
        .await
        .map_err(|cause| explain(space, &cause))?;
    Ok(reply::Keys { keys })
}

/// Asks the provider whether it takes the kept key.
pub async fn test(space: &Space, provider: &str) -> Result<reply::Done, UserError> {
    let tested = space.models().check_key(&choice(space, provider), None).await;
    tested.map_err(|failure| shidi_agent::model_error(space.language().code(), &failure))?;
    Ok(reply::Done)
}

pub async fn delete(space: &Space, provider: &str) -> Result<reply::Done, UserError> {
    space
        .models()
        .keys()
        .delete(provider)
        .await
        .map_err(|cause| explain(space, &cause))?;
    Ok(reply::Done)
}

/// Opens the encrypted file of keys, or makes it.
pub async fn unlock(space: &Space, passphrase: String) -> Result<reply::Done, UserError> {
    space
        .models()
        .keys()
        .unlock(passphrase.into())
        .await
        .map_err(|cause| explain(space, &cause))?;
    Ok(reply::Done)
}

/// The configured address belongs to the configured provider; another provider is asked at its own.
pub fn choice(space: &Space, provider: &str) -> ModelChoice {
    let config = space.config();
    let configured = config.main.provider.as_str();
    let own = provider.is_empty() || configured == provider || configured.is_empty();
    let word = |text: &str| Some(text.to_owned()).filter(|text| own && !text.is_empty());
    let named = if provider.is_empty() { configured } else { provider };
    ModelChoice {
        provider: Some(named.to_owned()).filter(|name| !name.is_empty()),
        base_url: word(&config.main.model_url),
        model: word(&config.main.model).filter(|_| configured == named),
    }
}
