//! A server that signs its users in: discovery, our registration, PKCE, the browser's return, tokens that run out, rights
//! that are wanted later, and refusals.

use super::signing_server::{Seen, Tokens, echoed, pages, serve, signed_in, signed_in_as, spec};
use super::{limits, tool};
use axum::Router;
use secrecy::SecretString;
use serde_json::{Map, json};
use shidi_mcp_client::{KnownClient, Launch, McpError, Server, SignIn, TokenStore};
use shidi_protocol::McpState;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

#[tokio::test]
async fn a_user_signs_in_once_and_tokens_that_ran_out_are_renewed() {
    let (url, seen) = serve(Seen {
        good_for: 3_600,
        ..Seen::default()
    })
    .await;
    let tokens = Arc::new(Tokens::default());
    let refused = Server::connect(spec(&url, &tokens), limits())
        .await
        .err()
        .unwrap();
    assert_eq!(refused, McpError::SignIn);

    let (ended, shown) = signed_in(&url, &tokens).await;
    assert_eq!((ended, shown.as_str()), (Ok(()), "You are in"));
    let server = Server::connect(spec(&url, &tokens), limits()).await.unwrap();
    assert_eq!(echoed(&server, "hello").await, json!("hello"));

    // The server takes its token back: it is renewed without the user, and kept.
    seen.lock().valid.clear();
    assert_eq!(echoed(&server, "again").await, json!("again"));
    assert_eq!(seen.lock().given, 2);
    server.close().await;
    let later = Server::connect(spec(&url, &tokens), limits()).await.unwrap();
    assert_eq!(echoed(&later, "later").await, json!("later"));
    assert_eq!(seen.lock().given, 2, "what was renewed was kept");

    // And when it will not renew it either, the user has to sign in again.
    later.close().await;
    {
        let mut seen = seen.lock();
        seen.valid.clear();
        seen.given = 90;
    }
    let gone = Server::connect(spec(&url, &tokens), limits())
        .await
        .err()
        .unwrap();
    assert_eq!(gone, McpError::SignIn);
}

#[tokio::test]
async fn rights_that_a_call_lacks_are_asked_for_beside_those_that_were_given() {
    let (url, seen) = serve(Seen {
        good_for: 3_600,
        wants: "read",
        call_wants: "write",
        ..Seen::default()
    })
    .await;
    let tokens = Arc::new(Tokens::default());
    assert_eq!(signed_in(&url, &tokens).await.0, Ok(()));
    assert_eq!(seen.lock().asked[0]["scope"], "read");
    let server = Server::connect(spec(&url, &tokens), limits()).await.unwrap();
    let echo = tool(&server, "echo").await;
    let refused = server
        .call(&echo, Map::new(), &CancellationToken::new())
        .await
        .error
        .unwrap();
    assert_eq!(refused.kind, "PermissionError");
    assert!(refused.message.contains("did not give: write"), "{refused:?}");
    // The rest of the server is of use as before.
    assert_eq!(server.standing().0, McpState::Running);
    assert_eq!(server.lacked(), ["write"]);
    assert_eq!(seen.lock().asked.len(), 1, "no sign-in begins by itself");
    server.close().await;

    assert_eq!(signed_in(&url, &tokens).await.0, Ok(()));
    assert_eq!(seen.lock().asked[1]["scope"], "read write");
    let server = Server::connect(spec(&url, &tokens), limits()).await.unwrap();
    assert_eq!(echoed(&server, "written").await, json!("written"));
    assert!(server.lacked().is_empty());
}

#[tokio::test]
async fn a_call_that_succeeds_lacks_nothing_any_more() {
    let (url, seen) = serve(Seen {
        good_for: 3_600,
        wants: "read",
        call_wants: "write",
        ..Seen::default()
    })
    .await;
    let tokens = Arc::new(Tokens::default());
    assert_eq!(signed_in(&url, &tokens).await.0, Ok(()));
    let server = Server::connect(spec(&url, &tokens), limits()).await.unwrap();
    echoed(&server, "refused").await;
    assert_eq!(server.lacked(), ["write"]);
    seen.lock().rights.push_str(" write");
    assert_eq!(echoed(&server, "written").await, json!("written"));
    assert!(server.lacked().is_empty());
}

#[tokio::test]
async fn rights_that_a_call_lacked_outlive_a_renewal() {
    let (url, seen) = serve(Seen {
        good_for: 3_600,
        wants: "read",
        call_wants: "write",
        ..Seen::default()
    })
    .await;
    let tokens = Arc::new(Tokens::default());
    assert_eq!(signed_in(&url, &tokens).await.0, Ok(()));
    let server = Server::connect(spec(&url, &tokens), limits()).await.unwrap();
    echoed(&server, "refused").await;
    seen.lock().valid.clear();
    tool(&server, "echo").await;
    assert_eq!(seen.lock().given, 2, "the token was renewed");
    server.close().await;
    assert_eq!(signed_in(&url, &tokens).await.0, Ok(()));
    assert_eq!(seen.lock().asked[1]["scope"], "read write");
}

#[tokio::test]
async fn a_key_that_lacks_rights_wants_another_key_and_no_sign_in() {
    let (url, _seen) = serve(Seen {
        call_wants: "write",
        valid: vec!["mine".to_owned()],
        ..Seen::default()
    })
    .await;
    let mut keyed = spec(&url, &Arc::new(Tokens::default()));
    let key = SecretString::from("Bearer mine");
    keyed.launch = Launch::Url {
        url,
        headers: BTreeMap::from([("Authorization".to_owned(), key)]),
        tokens: None,
    };
    let server = Server::connect(keyed, limits()).await.unwrap();
    let echo = tool(&server, "echo").await;
    let refused = server
        .call(&echo, Map::new(), &CancellationToken::new())
        .await
        .error
        .unwrap();
    assert_eq!(refused.kind, "PermissionError");
    let wanted = McpError::KeyRights(vec!["write".to_owned()]).to_string();
    assert!(refused.message.contains(&wanted), "{refused:?}");
    assert!(server.lacked().is_empty(), "no sign-in helps");
}

#[tokio::test]
async fn beside_a_key_a_sign_in_is_wanted_where_the_challenge_tells_of_one() {
    let (url, _seen) = serve(Seen::default()).await;
    let tokens = Arc::new(Tokens::default());
    let mut keyed = spec(&url, &tokens);
    let key = SecretString::from("mine");
    keyed.launch = Launch::Url {
        url,
        headers: BTreeMap::from([("X-Api-Key".to_owned(), key)]),
        tokens: Some(tokens),
    };
    let refused = Server::connect(keyed, limits()).await.err();
    assert_eq!(refused, Some(McpError::SignIn));
}

#[tokio::test]
async fn a_client_with_a_secret_renews_its_tokens_in_a_later_process() {
    let (url, seen) = serve(Seen {
        good_for: 3_600,
        secret: Some("s3cret"),
        ..Seen::default()
    })
    .await;
    let tokens = Arc::new(Tokens::default());
    assert_eq!(signed_in(&url, &tokens).await.0, Ok(()));
    for given in [2, 3] {
        seen.lock().valid.clear();
        let later = Server::connect(spec(&url, &tokens), limits()).await.unwrap();
        assert_eq!(echoed(&later, "later").await, json!("later"));
        assert_eq!(seen.lock().given, given);
        later.close().await;
    }
}

#[tokio::test]
async fn what_only_the_challenge_tells_is_found_again_by_a_later_process() {
    let (url, seen) = serve(Seen {
        good_for: 3_600,
        is_elsewhere: true,
        ..Seen::default()
    })
    .await;
    let tokens = Arc::new(Tokens::default());
    assert_eq!(signed_in(&url, &tokens).await.0, Ok(()));
    seen.lock().valid.clear();
    let later = Server::connect(spec(&url, &tokens), limits()).await.unwrap();
    assert_eq!(echoed(&later, "later").await, json!("later"));
    assert_eq!(seen.lock().given, 2);
}

#[tokio::test]
async fn where_nobody_registers_the_client_is_the_one_that_the_user_has_there() {
    let (url, seen) = serve(Seen {
        good_for: 3_600,
        secret: Some("s3cret"),
        is_closed: true,
        ..Seen::default()
    })
    .await;
    let tokens = Arc::new(Tokens::default());
    let store = Arc::clone(&tokens) as Arc<dyn TokenStore>;
    let unknown = SignIn::begin(&url, store, None, None).await.err();
    assert_eq!(unknown, Some(McpError::UnknownClient));
    let client = KnownClient {
        id: "mine".to_owned(),
        secret: Some(SecretString::from("s3cret")),
        token_endpoint: None,
    };
    let (ended, _) = signed_in_as(&url, &tokens, Some(client)).await;
    assert_eq!(ended, Ok(()));
    assert_eq!(seen.lock().asked[0]["client_id"], "mine");
    let server = Server::connect(spec(&url, &tokens), limits()).await.unwrap();
    assert_eq!(echoed(&server, "hello").await, json!("hello"));
}

#[tokio::test]
async fn a_refusal_is_told_in_the_browser_and_in_its_words_here() {
    let (url, _seen) = serve(Seen {
        refuses: true,
        ..Seen::default()
    })
    .await;
    let tokens = Arc::new(Tokens::default());
    let (ended, shown) = signed_in(&url, &tokens).await;
    assert_eq!(ended, Err(McpError::SignInFailed("Not today".to_owned())));
    assert_eq!(shown, "You are not");
    assert!(tokens.text.lock().is_none());
}

#[tokio::test]
async fn nobody_else_ends_a_sign_in() {
    let (url, _seen) = serve(Seen {
        good_for: 3_600,
        ..Seen::default()
    })
    .await;
    let tokens = Arc::new(Tokens::default());
    let begun = SignIn::begin(&url, Arc::clone(&tokens) as Arc<dyn TokenStore>, None, None)
        .await
        .unwrap();
    let address = begun.address().to_owned();
    let asked = reqwest::Url::parse(&address).unwrap();
    let back = asked
        .query_pairs()
        .find(|(name, _)| name == "redirect_uri")
        .unwrap()
        .1
        .into_owned();
    let waiting = tokio::spawn(begun.finish(pages()));

    // Without a state, without a code, elsewhere, or by another name: not the browser that we sent.
    let client = reqwest::Client::new();
    let guesses = [
        format!("{back}?code=x"),
        format!("{back}?state=x"),
        format!("{back}?code=x&state=y"),
        back.replace("/callback", "/"),
    ];
    for guess in guesses {
        assert_eq!(client.get(guess).send().await.unwrap().status(), 404);
    }
    let state = asked
        .query_pairs()
        .find(|(name, _)| name == "state")
        .unwrap()
        .1
        .into_owned();
    let named = client
        .get(format!("{back}?code=x&state={state}"))
        .header("Host", "evil.example");
    assert_eq!(named.send().await.unwrap().status(), 404);
    assert!(!waiting.is_finished());

    // A code that the server never gave ends it without tokens.
    client
        .get(format!("{back}?code=x&state={state}"))
        .send()
        .await
        .unwrap();
    assert!(matches!(waiting.await.unwrap(), Err(McpError::SignInFailed(_))));
    assert!(tokens.text.lock().is_none());
}

#[tokio::test]
async fn a_server_without_a_sign_in_says_so() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, Router::new()).await });
    let refused = SignIn::begin(&url, Arc::new(Tokens::default()), None, None)
        .await
        .err()
        .unwrap();
    assert!(
        matches!(refused, McpError::NoSignIn | McpError::SignInFailed(_)),
        "{refused}"
    );
}
