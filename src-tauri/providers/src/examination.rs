//! What `shidi doctor` says of the keychain, the configured model and model servers on this machine.

use shidi_protocol::{Check, KeyKeeper};
use shidi_space::Space;
use shidi_space::key_errors;
use shidi_space::model_choice;

/// Who keeps the keys.
pub async fn keychain(space: &Space) -> Check {
    let language = space.language();
    let keys = space.models().keys().clone();
    let file = keys
        .file_path()
        .map(|path| path.display().to_string())
        .unwrap_or_default();
    let (keeper, cause) = keys.keeper().await;
    let trouble = cause.map(|cause| key_errors::explain(space, &cause));
    let (message, hint) = trouble.map_or_else(Default::default, |trouble| {
        (trouble.message, trouble.hint.unwrap_or_default())
    });
    match keeper {
        KeyKeeper::Keychain => Check::good("keychain", String::new()),
        KeyKeeper::File => Check::good("keychain", language.providers().keys_in_file(file, message)),
        KeyKeeper::LockedFile => Check::bad(
            "keychain",
            language.providers().keys_in_locked_file(file, message),
            language.providers().unlock_keys(),
        ),
        KeyKeeper::Nobody => Check::bad("keychain", message, &hint),
    }
}

/// Whether the configured model's provider takes the key and tells its models.
pub async fn model(space: &Space) -> Check {
    let language = space.language();
    let choice = model_choice::configured(&space.config());
    if choice.is_empty() {
        return Check::good("model", language.providers().no_model_set().to_owned());
    }
    let models = space.models();
    let listed = match models.check_key(&choice, None).await {
        Ok(()) => models.list(&choice).await,
        Err(failure) => Err(failure),
    };
    match listed {
        Ok(listed) => Check::good(
            "model",
            language.providers().models_offered(
                listed.len(),
                choice.model.unwrap_or_default(),
                choice.provider.unwrap_or_default(),
            ),
        ),
        Err(failure) => {
            let problem = shidi_agent::model_error(language.code(), &failure);
            Check::bad("model", problem.message, &problem.hint.unwrap_or_default())
        }
    }
}

/// The model servers that were found; that there is none is no fault.
pub async fn local_servers(space: &Space) -> Check {
    let found = space.models().find_servers().await;
    let shown = found
        .iter()
        .map(|server| format!("{} ({}, {})", server.title, server.url, server.models.len()));
    let shown: Vec<String> = shown.collect();
    let none = space.language().providers().no_model_server();
    let detail = if shown.is_empty() {
        none.to_owned()
    } else {
        shown.join(", ")
    };
    Check::good("local models", detail)
}
