//! Tokens of a sign-in and what goes with them, as one text in the caller's store.
//!
//! The library's own credentials hold no secret of the client, without which some servers renew nothing. So both are
//! kept together, with the rights that a call lacked since.

use crate::limits::RIGHTS_MAX;
use async_trait::async_trait;
use rmcp::transport::auth::{
    AuthError, AuthorizationMetadata, CredentialRefreshGuard, CredentialStore, StoredCredentials,
};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where a server's tokens are kept.
#[async_trait]
pub trait TokenStore: Send + Sync + std::fmt::Debug {
    /// # Errors
    /// Why the tokens can't be read, in a sentence.
    async fn load(&self) -> Result<Option<SecretString>, String>;
    /// # Errors
    /// Why the tokens can't be kept.
    async fn save(&self, tokens: SecretString) -> Result<(), String>;
    /// # Errors
    /// Why the tokens can't be deleted.
    async fn clear(&self) -> Result<(), String>;
    /// Whoever changes what is kept holds this from the look at it to the last word. It is one for a server, so that
    /// no renewal is undone by a change beside it.
    fn guard(&self) -> Arc<tokio::sync::Mutex<()>>;
}

/// Who signs in: the name that it gives itself, and where a client shows its secret. A server may name one authority and
/// send the secret to another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Authority {
    /// None of an old server that signs its users in itself.
    pub issuer: Option<String>,
    pub token_endpoint: String,
}

impl Authority {
    /// Who signs in by that metadata.
    pub fn of(metadata: &AuthorizationMetadata) -> Self {
        Self {
            issuer: metadata.issuer.clone(),
            token_endpoint: metadata.token_endpoint.clone(),
        }
    }
}

/// What is kept of a sign-in.
#[derive(Serialize, Deserialize)]
pub struct StoredSignIn {
    pub credentials: StoredCredentials,
    /// Where the tokens are from; earlier texts don't tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token_endpoint: Option<String>,
    /// The client's secret, where it has one: it goes with every renewal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub client_secret: Option<String>,
    /// The server's own words that led the sign-in. Where its authority is may be told nowhere else.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub challenge: Option<String>,
    /// Rights that a call lacked: the next sign-in asks for them, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacked: Vec<String>,
}

impl StoredSignIn {
    /// What can't be read is as good as gone: the user signs in again. Earlier texts are the credentials alone.
    fn read(text: &str) -> Option<Self> {
        let earlier = |credentials| Self {
            credentials,
            token_endpoint: None,
            client_secret: None,
            challenge: None,
            lacked: Vec::new(),
        };
        let kept = serde_json::from_str::<Self>(text);
        kept.or_else(|_| serde_json::from_str(text).map(earlier)).ok()
    }

    /// Whether that authority gave it.
    pub fn is_of(&self, authority: &Authority) -> bool {
        let from = self.token_endpoint.as_ref();
        self.credentials.issuer == authority.issuer
            && from.is_none_or(|from| *from == authority.token_endpoint)
    }

    /// Who gave it, as far as is known.
    pub fn authority(&self) -> Authority {
        Authority {
            issuer: self.credentials.issuer.clone(),
            token_endpoint: self.token_endpoint.clone().unwrap_or_default(),
        }
    }

    async fn save(&self, store: &dyn TokenStore) -> Result<(), String> {
        let text = serde_json::to_string(self).map_err(|cause| cause.to_string())?;
        store.save(text.into()).await
    }
}

/// What is kept of the last sign-in.
///
/// # Errors
/// Why the store can't be read.
pub async fn kept(store: &dyn TokenStore) -> Result<Option<StoredSignIn>, String> {
    let text = store.load().await?;
    Ok(text.and_then(|text| StoredSignIn::read(text.expose_secret())))
}

/// Keeps the rights that a call lacked, if there was a sign-in. It waits for a renewal, which the library bounds.
///
/// # Errors
/// Why they are not kept.
pub async fn keep_lacked(store: &dyn TokenStore, rights: &[String]) -> Result<(), String> {
    let _one_at_a_time = store.guard().lock_owned().await;
    let Some(mut kept) = kept(store).await? else {
        return Ok(());
    };
    let before = kept.lacked.len();
    for right in rights {
        if !kept.lacked.contains(right) && kept.lacked.len() < RIGHTS_MAX {
            kept.lacked.push(right.clone());
        }
    }
    match kept.lacked.len() == before {
        true => Ok(()),
        false => kept.save(store).await,
    }
}

/// On what occasion the library saves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saves {
    /// The user was asked for everything that was lacked.
    SignIn,
    /// Nobody was asked, and the library holds the guard.
    Renewal,
}

/// The library's store of tokens, in ours. It knows those of one authority alone.
pub struct Credentials {
    pub store: Arc<dyn TokenStore>,
    pub authority: Authority,
    pub client_secret: Option<String>,
    pub challenge: Option<String>,
    pub saves: Saves,
}

impl Credentials {
    /// Rights that were lacked before a renewal and are so after it. The tokens count more: without a look at what was
    /// kept, there are none.
    async fn still_lacked(&self, granted: &[String]) -> Vec<String> {
        let kept = kept(&*self.store).await.unwrap_or_else(|cause| {
            tracing::info!(cause, "rights that were lacked are not known");
            None
        });
        let lacked = kept.map(|kept| kept.lacked).unwrap_or_default();
        lacked
            .into_iter()
            .filter(|right| !granted.contains(right))
            .collect()
    }
}

#[async_trait]
impl CredentialStore for Credentials {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let kept = kept(&*self.store).await;
        let kept = kept.map_err(AuthError::CredentialStoreError)?;
        let ours = kept.filter(|kept| kept.is_of(&self.authority));
        Ok(ours.map(|kept| kept.credentials))
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        let (_guard, lacked) = match self.saves {
            Saves::SignIn => (Some(self.store.guard().lock_owned().await), Vec::new()),
            Saves::Renewal => (None, self.still_lacked(&credentials.granted_scopes).await),
        };
        let kept = StoredSignIn {
            credentials,
            token_endpoint: Some(self.authority.token_endpoint.clone()),
            client_secret: self.client_secret.clone(),
            challenge: self.challenge.clone(),
            lacked,
        };
        let saved = kept.save(&*self.store).await;
        saved.map_err(AuthError::CredentialStoreError)
    }

    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        let guard = self.store.guard().lock_owned().await;
        Ok(Some(CredentialRefreshGuard::new(guard)))
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.store.clear().await.map_err(AuthError::CredentialStoreError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parking_lot::Mutex;
    use serde_json::json;

    #[derive(Debug, Default)]
    struct Memory {
        text: Mutex<Option<String>>,
        guard: Arc<tokio::sync::Mutex<()>>,
    }

    #[async_trait]
    impl TokenStore for Memory {
        async fn load(&self) -> Result<Option<SecretString>, String> {
            Ok(self.text.lock().clone().map(SecretString::from))
        }

        async fn save(&self, tokens: SecretString) -> Result<(), String> {
            *self.text.lock() = Some(tokens.expose_secret().to_owned());
            Ok(())
        }

        async fn clear(&self) -> Result<(), String> {
            *self.text.lock() = None;
            Ok(())
        }

        fn guard(&self) -> Arc<tokio::sync::Mutex<()>> {
            Arc::clone(&self.guard)
        }
    }

    fn rights(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    fn authority() -> Authority {
        Authority {
            issuer: Some("https://idp.example".to_owned()),
            token_endpoint: "https://idp.example/token".to_owned(),
        }
    }

    fn credentials(store: &Arc<Memory>, saves: Saves) -> Credentials {
        Credentials {
            store: Arc::clone(store) as Arc<dyn TokenStore>,
            authority: authority(),
            client_secret: Some("s3cret".to_owned()),
            challenge: Some("Bearer".to_owned()),
            saves,
        }
    }

    fn given(client: &str, granted: &[&str]) -> StoredCredentials {
        let given = StoredCredentials::new(client.to_owned(), None, rights(granted), None);
        given.with_issuer(authority().issuer)
    }

    async fn kept_in(store: &Memory) -> StoredSignIn {
        kept(store).await.expect("read").expect("kept")
    }

    #[tokio::test]
    async fn credentials_of_an_earlier_layout_are_read_and_get_what_was_lacked() {
        let store = Memory::default();
        let earlier = json!({"client_id": "shidi-1", "token_response": null, "granted_scopes": ["a"]});
        *store.text.lock() = Some(earlier.to_string());
        keep_lacked(&store, &rights(&["b", "b"])).await.expect("kept");
        keep_lacked(&store, &rights(&["b", "c"])).await.expect("kept");
        let kept = kept_in(&store).await;
        assert_eq!(kept.credentials.client_id, "shidi-1");
        assert_eq!((kept.lacked, kept.client_secret), (rights(&["b", "c"]), None));
    }

    #[tokio::test]
    async fn what_was_lacked_is_kept_for_a_sign_in_alone_and_ends_with_the_next() {
        let store = Arc::new(Memory::default());
        keep_lacked(&*store, &rights(&["b"]))
            .await
            .expect("nothing to keep");
        assert!(store.text.lock().is_none());
        let signed_in = credentials(&store, Saves::SignIn);
        signed_in.save(given("shidi-1", &["a"])).await.expect("saved");
        keep_lacked(&*store, &rights(&["b"])).await.expect("kept");
        let before = kept_in(&store).await;
        assert_eq!(before.lacked, rights(&["b"]));
        assert_eq!(before.client_secret.as_deref(), Some("s3cret"));
        assert_eq!(before.challenge.as_deref(), Some("Bearer"));
        signed_in.save(given("shidi-1", &["a"])).await.expect("saved");
        assert_eq!(kept_in(&store).await.lacked, rights(&[]));
    }

    #[tokio::test]
    async fn a_renewal_ends_only_the_lack_of_what_it_gives() {
        let store = Arc::new(Memory::default());
        let signed_in = credentials(&store, Saves::SignIn);
        signed_in.save(given("shidi-1", &["a"])).await.expect("saved");
        keep_lacked(&*store, &rights(&["b", "c"])).await.expect("kept");
        let renewed = credentials(&store, Saves::Renewal);
        renewed.save(given("shidi-1", &["a", "b"])).await.expect("saved");
        assert_eq!(kept_in(&store).await.lacked, rights(&["c"]));
    }

    #[tokio::test]
    async fn what_a_call_lacked_undoes_no_renewal() {
        let store = Arc::new(Memory::default());
        let signed_in = credentials(&store, Saves::SignIn);
        signed_in.save(given("before", &["a"])).await.expect("saved");
        let renewing = credentials(&store, Saves::Renewal);
        let guard = renewing.acquire_refresh_guard().await.expect("a guard");
        let beside = Arc::clone(&store);
        let lacking = tokio::spawn(async move { keep_lacked(&*beside, &rights(&["b"])).await });
        tokio::task::yield_now().await;
        assert!(!lacking.is_finished(), "it waits for the renewal");
        renewing.save(given("renewed", &["a"])).await.expect("saved");
        drop(guard);
        lacking.await.expect("no panic").expect("kept");
        let kept = kept_in(&store).await;
        assert_eq!(kept.credentials.client_id, "renewed");
        assert_eq!(kept.lacked, rights(&["b"]));
    }

    #[tokio::test]
    async fn an_authority_gets_nothing_that_another_gave() {
        let store = Arc::new(Memory::default());
        let mut ours = credentials(&store, Saves::SignIn);
        ours.save(given("shidi-1", &["a"])).await.expect("saved");
        assert!(ours.load().await.expect("read").is_some());
        let others = [
            Authority::default(),
            Authority {
                issuer: Some("https://other.example".to_owned()),
                ..authority()
            },
            // It takes the name of the first, and has the tokens sent to itself.
            Authority {
                token_endpoint: "https://other.example/token".to_owned(),
                ..authority()
            },
        ];
        for other in others {
            ours.authority = other;
            assert!(ours.load().await.expect("read").is_none(), "{:?}", ours.authority);
        }
    }
}
