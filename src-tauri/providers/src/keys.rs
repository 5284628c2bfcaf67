//! Keys of providers: checked before they are stored, kept in the keychain, or in an encrypted file where there is none.

use shidi_models::ModelChoice;
use shidi_protocol::{ErrorCode, Reply, UserError};
use shidi_space::Space;
use shidi_space::key_errors::explain;
use shidi_space::words::error;

/// Checks the key with the provider unless told not to, then stores it.
pub async fn set(space: &Space, provider: &str, key: String, unchecked: bool) -> Result<Reply, UserError> {
    let key = key.trim().to_owned();
    if key.is_empty() {
        return Err(error(
            ErrorCode::Input,
            space.words().pick("密钥是空的", "The key is empty"),
            space
                .words()
                .pick("粘贴服务商给你的密钥", "Paste the key that the provider gave you"),
        ));
    }
    if !unchecked {
        let tested = space
            .models()
            .check_key(&choice(space, provider), Some(key.clone().into()))
            .await;
        tested.map_err(|failure| shidi_agent::model_error(space.words().code(), &failure))?;
    }
    space
        .models()
        .keys()
        .set(provider, &key.into())
        .await
        .map_err(|cause| explain(space, &cause))?;
    Ok(Reply::Done)
}

pub async fn list(space: &Space) -> Result<Reply, UserError> {
    let keys = space
        .models()
        .keys()
        .list()
        .await
        .map_err(|cause| explain(space, &cause))?;
    Ok(Reply::Keys { keys })
}

/// Asks the provider whether it takes the kept key.
pub async fn test(space: &Space, provider: &str) -> Result<Reply, UserError> {
    let tested = space.models().check_key(&choice(space, provider), None).await;
    tested.map_err(|failure| shidi_agent::model_error(space.words().code(), &failure))?;
    Ok(Reply::Done)
}

pub async fn delete(space: &Space, provider: &str) -> Result<Reply, UserError> {
    space
        .models()
        .keys()
        .delete(provider)
        .await
        .map_err(|cause| explain(space, &cause))?;
    Ok(Reply::Done)
}

/// Opens the encrypted file of keys, or makes it.
pub async fn unlock(space: &Space, passphrase: String) -> Result<Reply, UserError> {
    space
        .models()
        .keys()
        .unlock(passphrase.into())
        .await
        .map_err(|cause| explain(space, &cause))?;
    Ok(Reply::Done)
}

/// The configured address belongs to the configured provider; another provider is asked at its own.
pub fn choice(space: &Space, provider: &str) -> ModelChoice {
    let config = space.config();
    let configured = config.text("provider");
    let own = provider.is_empty() || configured == provider || configured.is_empty();
    let word = |key: &str| Some(config.text(key).to_owned()).filter(|text| own && !text.is_empty());
    let named = if provider.is_empty() { configured } else { provider };
    ModelChoice {
        provider: Some(named.to_owned()).filter(|name| !name.is_empty()),
        base_url: word("model_url"),
        model: word("model").filter(|_| configured == named),
    }
}
