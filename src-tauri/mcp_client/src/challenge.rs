//! What a server at an address wants before it answers: a sign-in, or more rights than the last one gave.

use crate::error::McpError;
use crate::limits::{RIGHT_BYTES_MAX, RIGHTS_MAX};
use rmcp::transport::auth::AuthError;
use rmcp::transport::streamable_http_client::{AuthRequiredError, InsufficientScopeError};
use std::error::Error;

/// The wish of the server, if a request failed because of one.
pub fn wanted(cause: &(dyn Error + 'static)) -> Option<McpError> {
    let mut next = Some(cause);
    while let Some(cause) = next {
        let has_no_token = matches!(
            cause.downcast_ref::<AuthError>(),
            Some(AuthError::AuthorizationRequired)
        );
        if has_no_token || cause.is::<AuthRequiredError>() {
            return Some(McpError::SignIn);
        }
        if let Some(refused) = cause.downcast_ref::<InsufficientScopeError>() {
            let scope = refused.required_scope.as_deref();
            return Some(of_refusal(&refused.www_authenticate_header, scope));
        }
        next = cause.source();
    }
    None
}

/// A refusal that names rights asks for them; any other asks for a sign-in.
fn of_refusal(challenge: &str, scope: Option<&str>) -> McpError {
    let named = scope.filter(|_| challenge.contains("insufficient_scope"));
    match named.map(rights) {
        Some(rights) if !rights.is_empty() => McpError::Rights(rights),
        Some(_) | None => McpError::SignIn,
    }
}

/// The names of rights in a list of a server's, as far as they are such names.
fn rights(scope: &str) -> Vec<String> {
    let is_fit = |name: &&str| {
        let is_sign = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
        name.len() <= RIGHT_BYTES_MAX && name.bytes().all(is_sign)
    };
    let named = scope.split_whitespace().filter(is_fit);
    named.take(RIGHTS_MAX).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rmcp::transport::streamable_http_client::StreamableHttpError;

    fn refused(challenge: &str, scope: Option<&str>) -> Option<McpError> {
        let refused = InsufficientScopeError::new(challenge.to_owned(), scope.map(str::to_owned));
        wanted(&StreamableHttpError::<reqwest::Error>::InsufficientScope(refused))
    }

    #[test]
    fn a_refusal_is_for_the_rights_that_it_names_or_for_a_sign_in() {
        let challenge = "Bearer error=\"insufficient_scope\", scope=\"a:read b\"";
        let rights = vec!["a:read".to_owned(), "b".to_owned()];
        assert_eq!(
            refused(challenge, Some("a:read b")),
            Some(McpError::Rights(rights))
        );
        assert_eq!(refused(challenge, None), Some(McpError::SignIn));
        assert_eq!(refused("Bearer realm=\"x\"", Some("a")), Some(McpError::SignIn));
    }

    #[test]
    fn names_that_are_no_rights_are_left_out_and_there_are_not_too_many() {
        let challenge = "Bearer error=\"insufficient_scope\"";
        let long = "x".repeat(RIGHT_BYTES_MAX + 1);
        let odd = format!("ä {long} a\\b");
        assert_eq!(refused(challenge, Some(&odd)), Some(McpError::SignIn));
        let many = ["a"; RIGHTS_MAX + 3].join(" ");
        let Some(McpError::Rights(rights)) = refused(challenge, Some(&many)) else {
            panic!("rights");
        };
        assert_eq!(rights.len(), RIGHTS_MAX);
    }

    #[test]
    fn no_token_and_a_challenge_ask_for_a_sign_in_and_other_trouble_for_nothing() {
        let challenged = AuthRequiredError::new("Bearer".to_owned());
        let challenged = StreamableHttpError::<reqwest::Error>::AuthRequired(challenged);
        assert_eq!(wanted(&challenged), Some(McpError::SignIn));
        let no_token = StreamableHttpError::<reqwest::Error>::Auth(AuthError::AuthorizationRequired);
        assert_eq!(wanted(&no_token), Some(McpError::SignIn));
        assert_eq!(
            wanted(&StreamableHttpError::<reqwest::Error>::UnexpectedEndOfStream),
            None
        );
    }
}
