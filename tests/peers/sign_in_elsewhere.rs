//! A server that names another authority than before: neither tokens nor secrets of the first one go there.

use super::limits;
use super::signing_server::{LENT, Seen, Shared, Tokens, echoed, serve, signed_in, signed_in_as, spec};
use secrecy::SecretString;
use serde_json::json;
use shidi_mcp_client::{KnownClient, McpError, Server, SignIn, TokenStore};
use std::sync::Arc;

/// An authority that gives its clients a secret.
fn authority() -> Seen {
    Seen {
        good_for: 3_600,
        secret: Some("s3cret"),
        ..Seen::default()
    }
}

/// A server with the tokens of a user who has signed in at that authority.
async fn signed_in_at(first: &Shared) -> (String, Shared, Arc<Tokens>) {
    let names = Some(first.lock().base.clone());
    let (url, seen) = serve(Seen { names, ..authority() }).await;
    let tokens = Arc::new(Tokens::default());
    assert_eq!(signed_in(&url, &tokens).await.0, Ok(()));
    seen.lock().valid = first.lock().valid.clone();
    let server = Server::connect(spec(&url, &tokens), limits()).await.unwrap();
    assert_eq!(echoed(&server, "hello").await, json!("hello"));
    server.close().await;
    assert!(seen.lock().received.is_empty(), "the first one alone signs in");
    (url, seen, tokens)
}

/// The server takes no token any more: whoever is asked for another one is seen.
async fn renewed_nowhere(url: &str, seen: &Shared, tokens: &Arc<Tokens>) {
    seen.lock().valid.clear();
    let refused = Server::connect(spec(url, tokens), limits()).await.err();
    assert_eq!(refused, Some(McpError::SignIn));
}

#[tokio::test]
async fn a_server_that_no_longer_tells_its_authority_gets_nothing_of_it() {
    let (_, first) = serve(authority()).await;
    let (url, seen, tokens) = signed_in_at(&first).await;
    seen.lock().is_silent = true;
    renewed_nowhere(&url, &seen, &tokens).await;
    assert!(seen.lock().received.is_empty(), "{:?}", seen.lock().received);
    assert_eq!(first.lock().given, 1);

    // Once it is told again, the sign-in holds as before.
    seen.lock().is_silent = false;
    seen.lock().valid = vec!["token-2".to_owned()];
    let later = Server::connect(spec(&url, &tokens), limits()).await.unwrap();
    assert_eq!(echoed(&later, "later").await, json!("later"));
    assert_eq!(first.lock().given, 2);
}

#[tokio::test]
async fn an_authority_that_is_told_later_gets_nothing_of_a_server_that_signed_in_itself() {
    let (_, other) = serve(authority()).await;
    let (url, seen) = serve(Seen {
        is_silent: true,
        ..authority()
    })
    .await;
    let tokens = Arc::new(Tokens::default());
    assert_eq!(signed_in(&url, &tokens).await.0, Ok(()));
    assert_eq!(seen.lock().given, 1);
    {
        let mut seen = seen.lock();
        seen.is_silent = false;
        seen.names = Some(other.lock().base.clone());
    }
    renewed_nowhere(&url, &seen, &tokens).await;
    assert!(other.lock().received.is_empty(), "{:?}", other.lock().received);
}

#[tokio::test]
async fn an_authority_that_takes_the_name_of_another_gets_nothing_of_it() {
    let (_, first) = serve(authority()).await;
    let (url, seen, tokens) = signed_in_at(&first).await;
    let (_, thief) = serve(authority()).await;
    thief.lock().lent = Some(first.lock().base.clone());
    seen.lock().names = Some(format!("{}{LENT}", thief.lock().base));
    renewed_nowhere(&url, &seen, &tokens).await;
    assert!(thief.lock().received.is_empty(), "{:?}", thief.lock().received);
}

#[tokio::test]
async fn the_users_own_client_shows_its_secret_to_its_authority_alone() {
    let closed = || Seen {
        is_closed: true,
        ..authority()
    };
    let ((_, first), (_, other)) = (serve(closed()).await, serve(closed()).await);
    let names = Some(first.lock().base.clone());
    let (url, seen) = serve(Seen {
        names,
        ..Seen::default()
    })
    .await;
    let tokens = Arc::new(Tokens::default());
    let mine = |token_endpoint: Option<String>| {
        Some(KnownClient {
            id: "mine".to_owned(),
            secret: Some(SecretString::from("s3cret")),
            token_endpoint,
        })
    };
    let store = || Arc::clone(&tokens) as Arc<dyn TokenStore>;
    let begun = SignIn::begin(&url, store(), mine(None), None).await.unwrap();
    let place = format!("{}/token", first.lock().base);
    assert_eq!(begun.token_endpoint(), Some(place.as_str()));
    let (ended, _) = signed_in_as(&url, &tokens, mine(Some(place.clone()))).await;
    assert_eq!(ended, Ok(()));

    seen.lock().names = Some(other.lock().base.clone());
    let refused = SignIn::begin(&url, store(), mine(Some(place.clone())), None)
        .await
        .err();
    let named = format!("{}/token", other.lock().base);
    assert_eq!(refused, Some(McpError::OtherAuthority { known: place, named }));
    assert!(other.lock().received.is_empty(), "{:?}", other.lock().received);
}
