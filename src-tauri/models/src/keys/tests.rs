//! The rules about keys, on a keychain in memory.

//! Where keys come from, and how much of them is shown.

use super::*;
use keyring::{CredentialStore, Error};
use shidi_locales::Language;

fn mock() -> Result<Arc<CredentialStore>, Error> {
    let store: Arc<CredentialStore> = keyring::mock::Store::new()?;
    Ok(store)
}

fn absent() -> Result<Arc<CredentialStore>, Error> {
    Err(Error::NoDefaultStore)
}

#[tokio::test]
async fn a_key_is_kept_shown_by_its_tail_and_deleted() {
    let ring = KeyRing::of(mock);
    assert_eq!(ring.get("deepseek").await.expect("an answer").map(|_| ()), None);
    ring.set("DeepSeek", &SecretString::from(" sk-0123456789abcd\n"))
        .await
        .expect("kept");
    let key = ring.get("deepseek").await.expect("an answer").expect("a key");
    assert_eq!(key.expose_secret(), "sk-0123456789abcd");
    let status = ring.status("deepseek").await.expect("a status");
    assert_eq!(
        (status.kept.as_str(), status.tail.as_deref()),
        ("keychain", Some("abcd"))
    );
    assert!(ring.delete("deepseek").await.expect("an answer"));
    assert!(!ring.delete("deepseek").await.expect("an answer"));
    assert_eq!(ring.status("deepseek").await.expect("a status").kept, "none");
}

#[tokio::test]
async fn a_system_without_keychain_says_so_with_a_remedy() {
    let error = KeyRing::of(absent)
        .get("deepseek")
        .await
        .map(|_| ())
        .expect_err("no keychain");
    assert!(matches!(error, KeyError::Absent { .. }), "{error:?}");
    assert!(
        error
            .to_string()
            .starts_with("This system has no keychain service"),
        "{error}"
    );
    assert!(error.remedy(Language::En).contains("SHIDI_KEY_"), "{error}");
}

#[tokio::test]
async fn names_that_are_none_are_refused_before_the_keychain_is_asked() {
    let ring = KeyRing::of(absent);
    for name in ["", "a b", "../x", "模型", &"x".repeat(65)] {
        let error = ring.get(name).await.map(|_| ()).expect_err("a bad name");
        assert!(matches!(error, KeyError::BadName { .. }), "{name:?}: {error:?}");
    }
}

#[test]
fn short_keys_show_nothing_and_variables_are_upper_case() {
    assert_eq!(tail(&SecretString::from("12345678901")), None);
    assert_eq!(tail(&SecretString::from("123456789012")).as_deref(), Some("9012"));
    assert_eq!(variable("my-server"), "SHIDI_KEY_MY_SERVER");
}

#[test]
fn every_error_has_a_sentence_and_a_remedy_in_both_languages() {
    let reason = || "why".to_owned();
    for error in [
        KeyError::Absent { reason: reason() },
        KeyError::Locked { reason: reason() },
        KeyError::Slow,
        KeyError::Broken { reason: reason() },
        KeyError::BadName {
            name: "a b".to_owned(),
        },
        KeyError::FileLocked { path: reason() },
        KeyError::NeedsPassphrase {
            path: reason(),
            reason: reason(),
        },
        KeyError::WrongPassphrase { path: reason() },
        KeyError::ShortPassphrase,
        KeyError::FileBroken {
            path: reason(),
            reason: reason(),
        },
        KeyError::Needless,
    ] {
        for language in Language::ALL {
            for text in [error.sentence(*language), error.remedy(*language)] {
                assert!(!text.is_empty() && !text.ends_with(['.', '。']), "{text}");
            }
        }
    }
}

#[tokio::test]
async fn without_a_keychain_keys_go_into_a_file_that_needs_a_passphrase() {
    let folder = tempfile::tempdir().expect("a folder");
    let ring = || KeyRing::of(absent).with_file(folder.path().join("keys.enc"));
    let key = SecretString::from("sk-0123456789abcd");
    let first = ring();
    assert_eq!(first.keeper().await.0, KeyKeeper::Nobody);
    let error = first.set("deepseek", &key).await.expect_err("no passphrase");
    assert!(matches!(error, KeyError::NeedsPassphrase { .. }), "{error:?}");
    first
        .unlock(SecretString::from("correct horse"))
        .await
        .expect("made");
    first.set("deepseek", &key).await.expect("kept");
    assert_eq!(first.keeper().await.0, KeyKeeper::File);
    let status = first.status("deepseek").await.expect("a status");
    assert_eq!(
        (status.kept.as_str(), status.tail.as_deref()),
        ("file", Some("abcd"))
    );

    let second = ring();
    assert_eq!(second.keeper().await.0, KeyKeeper::LockedFile);
    let error = second
        .get("deepseek")
        .await
        .map(|_| ())
        .expect_err("a locked file");
    assert!(matches!(error, KeyError::FileLocked { .. }), "{error:?}");
    let wrong = second.unlock(SecretString::from("wrong horse!")).await;
    assert!(
        matches!(wrong, Err(KeyError::WrongPassphrase { .. })),
        "{wrong:?}"
    );
    second
        .unlock(SecretString::from("correct horse"))
        .await
        .expect("opened");
    assert_eq!(second.list().await.expect("a list").len(), 1);
    assert!(second.delete("deepseek").await.expect("deleted"));
    assert!(second.get("deepseek").await.expect("an answer").is_none());
}

#[tokio::test]
async fn where_the_keychain_works_no_file_is_made() {
    let folder = tempfile::tempdir().expect("a folder");
    let ring = KeyRing::of(mock).with_file(folder.path().join("keys.enc"));
    let refused = ring.unlock(SecretString::from("correct horse")).await;
    assert_eq!(refused, Err(KeyError::Needless));
    ring.set("deepseek", &SecretString::from("sk-0123456789abcd"))
        .await
        .expect("kept");
    assert_eq!(ring.status("deepseek").await.expect("a status").kept, "keychain");
    assert!(!folder.path().join("keys.enc").exists());
}
