//! What a client keeps for a server between two rounds of one request, sealed.
//!
//! The newer era has no sessions. A request that asks its client comes again with the answers, and with the state
//! that was given to it. A client could send any other one. So it counts only for the same request of the same client,
//! by this process, and for a while.

use crate::limits::STATE_AGE_MAX;
use crate::questions::Answers;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Bytes of the key: those of the digest.
const KEY_BYTES: usize = 32;

/// The key of this process.
pub struct Seal {
    /// `None` where the system has no chance to give: then nothing is sealed, and nothing opened.
    key: Option<[u8; KEY_BYTES]>,
}

impl Seal {
    pub fn new() -> Self {
        let mut key = [0_u8; KEY_BYTES];
        Self {
            key: getrandom::fill(&mut key).is_ok().then_some(key),
        }
    }

    /// The answers so far as a state of the request that `subject` names.
    pub fn closed(&self, subject: &str, answers: &Answers) -> Option<String> {
        let until = now().saturating_add(STATE_AGE_MAX).as_secs();
        let said = json!({"of": subject, "until": until, "answers": answers}).to_string();
        let proof = self.digest(said.as_bytes())?.finalize().into_bytes();
        Some(format!(
            "{}.{}",
            URL_SAFE_NO_PAD.encode(said),
            URL_SAFE_NO_PAD.encode(proof)
        ))
    }

    /// What was sealed for this very request. A state that was changed, is of another one, or is too old is nothing.
    pub fn opened(&self, subject: &str, state: &str) -> Option<Answers> {
        let (said, proof) = state.split_once('.')?;
        let said = URL_SAFE_NO_PAD.decode(said).ok()?;
        let proof = URL_SAFE_NO_PAD.decode(proof).ok()?;
        self.digest(&said)?.verify_slice(&proof).ok()?;
        let read: Value = serde_json::from_slice(&said).ok()?;
        let is_ours = read["of"] == subject && read["until"].as_u64()? >= now().as_secs();
        is_ours.then(|| serde_json::from_value(read["answers"].clone()).ok())?
    }

    fn digest(&self, said: &[u8]) -> Option<Hmac<Sha256>> {
        let mut digest = Hmac::<Sha256>::new_from_slice(&self.key?).ok()?;
        digest.update(said);
        Some(digest)
    }
}

/// Time since 1970; a clock before that counts as 1970.
fn now() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}

#[cfg(test)]
mod tests;
