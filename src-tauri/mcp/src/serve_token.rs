//! The token of Shidi as an MCP server over HTTP. The token is made when it is first wanted, and kept in the
//! keychain alone.

use crate::McpServers;
use secrecy::{ExposeSecret, SecretString};
use shidi_protocol::{ErrorCode, KeyKeeper, TokenWish, UserError, reply};
use shidi_space::errors::error;
use shidi_space::key_errors;

/// Its name in the keychain. No server of others has it: their names hold no second hyphen.
const KEYCHAIN_NAME: &str = "mcp-serve-token";

/// Bytes of chance: nobody guesses them.
const TOKEN_BYTES: usize = 32;

/// The token that is wished for.
///
/// # Errors
/// With the remedy: Shidi serves nobody, or no token is kept and none is to be made. Or the keychain can't be used,
/// or the system has no chance to give.
pub(crate) async fn token(servers: &McpServers, wish: TokenWish) -> Result<reply::McpServeToken, UserError> {
    let say = servers.space.language().mcp();
    if !servers.space.config().mcp.serve {
        return Err(error(ErrorCode::Input, say.serves_nobody(), say.begin_to_serve()));
    }
    let models = servers.space.models();
    let explained = |cause| key_errors::explain(&servers.space, &cause);
    if wish != TokenWish::Renewed {
        let kept = models.keys().get(KEYCHAIN_NAME).await;
        // Where nothing keeps keys yet, keeping one says what to do.
        let nobody = kept.is_err() && models.keys().keeper().await.0 == KeyKeeper::Nobody;
        let kept = if nobody { None } else { kept.map_err(explained)? };
        if let Some(kept) = kept {
            return Ok(reply::McpServeToken {
                token: kept.expose_secret().to_owned(),
            });
        }
    }
    if wish == TokenWish::Kept {
        return Err(error(
            ErrorCode::NotFound,
            say.no_serve_token(),
            say.make_serve_token(),
        ));
    }
    let mut bytes = [0_u8; TOKEN_BYTES];
    if let Err(cause) = getrandom::fill(&mut bytes) {
        return Err(error(
            ErrorCode::System,
            say.no_randomness(cause),
            say.try_after_restart(),
        ));
    }
    let token = hex::encode(bytes);
    let kept = SecretString::from(token.as_str());
    models.keys().set(KEYCHAIN_NAME, &kept).await.map_err(explained)?;
    Ok(reply::McpServeToken { token })
}
