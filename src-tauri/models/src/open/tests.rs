//! From configuration to a model: which server gets which key, and when the keychain is not read.

//! Promises of this room, as tests.

use super::*;
use keyring::{CredentialStore, Error};
use secrecy::ExposeSecret;

fn untouchable() -> Result<Arc<CredentialStore>, Error> {
    panic!("the keychain was touched")
}

fn empty() -> Result<Arc<CredentialStore>, Error> {
    let store: Arc<CredentialStore> = keyring::mock::Store::new()?;
    Ok(store)
}

fn choice(provider: &str, base_url: &str, model: &str) -> ModelChoice {
    let word = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    ModelChoice {
        provider: word(provider),
        base_url: word(base_url),
        model: word(model),
    }
}

async fn failure(models: &Models, choice: &ModelChoice) -> ModelFailure {
    models.open(choice).await.err().expect("a failure")
}

#[tokio::test]
async fn without_a_model_the_offline_planner_answers() {
    let models = Models::new(KeyRing::of(untouchable));
    for choice in [choice("", "", ""), choice("offline", "", ""), choice("", "", "")] {
        let model = models.open(&choice).await.expect("the planner");
        assert!(model.is_offline());
        assert_eq!(model.name(), "offline");
    }
}

#[tokio::test]
async fn a_server_on_this_machine_needs_no_key_and_no_keychain() {
    let models = Models::new(KeyRing::of(untouchable));
    for choice in [
        choice("ollama", "", "qwen3"),
        choice("", "http://127.0.0.1:9/v1", "m"),
        choice("custom", "http://localhost:9", "m"),
    ] {
        let model = models.open(&choice).await.expect("a model");
        assert!(!model.is_offline());
    }
}

#[tokio::test]
async fn a_missing_key_is_named_with_its_remedy() {
    let models = Models::new(KeyRing::of(empty));
    let failure = failure(&models, &choice("deepseek", "", "")).await;
    assert_eq!(
        (failure.kind, failure.provider.as_str()),
        (FailureKind::NoKey, "deepseek")
    );
}

#[tokio::test]
async fn a_kept_key_is_used_for_its_provider_at_any_address() {
    let models = Models::new(KeyRing::of(empty));
    models
        .keys()
        .set("deepseek", &SecretString::from("sk-0123456789"))
        .await
        .expect("kept");
    let (_, endpoint) = models
        .endpoint(&choice("deepseek", "", ""))
        .await
        .expect("an endpoint");
    assert_eq!(endpoint.key.expect("a key").expose_secret(), "sk-0123456789");
    assert_eq!(
        (endpoint.base_url.as_str(), endpoint.model.as_str()),
        ("https://api.deepseek.com", "deepseek-flash")
    );
    let (_, endpoint) = models
        .endpoint(&choice("", "https://api.deepseek.com/v1", "x"))
        .await
        .expect("an endpoint");
    assert_eq!(
        (endpoint.provider.as_str(), endpoint.model.as_str()),
        ("deepseek", "x")
    );
    let (_, endpoint) = models
        .endpoint(&choice("", "https://elsewhere.example/v1", "x"))
        .await
        .expect("an endpoint");
    assert_eq!(endpoint.provider, "custom");
    assert!(endpoint.key.is_none(), "a key goes nowhere else");
}

#[tokio::test]
async fn providers_that_are_unknown_are_refused_in_words() {
    let models = Models::new(KeyRing::of(untouchable));
    let unknown = failure(&models, &choice("openia", "", "")).await;
    assert!(
        unknown.detail.to_string().contains("openai") && unknown.kind == FailureKind::Refused,
        "{unknown:?}"
    );
    let nowhere = failure(&models, &choice("custom", "", "x")).await;
    assert_eq!(nowhere.kind, FailureKind::Unreachable);
}

#[test]
fn every_preset_has_an_address_and_a_model_or_a_list_of_them() {
    for preset in crate::presets() {
        // A file's server says where it listens when it does.
        let has_address = Url::parse(preset.base_url).is_ok();
        assert!(has_address || preset.name == "file", "{}", preset.name);
        assert!(
            preset.default_model.is_some() || preset.key == KeyNeed::NotNeeded,
            "{}",
            preset.name
        );
        assert_eq!(preset.name, preset.name.to_lowercase());
    }
}

#[test]
fn a_test_gives_up_a_server_that_loads_before_its_own_time_is_up() {
    let patience = of_test(Timeouts::default());
    assert!(patience.loading_ms < TEST_MS, "{patience:?}");
}
