//! How a server is reached, as lists and sentences show it: without keys, wherever they stand.
//!
//! What is shown is never what is kept: a key that has no other place stays in its address.

use shidi_mcp_client::hide_keys;
use shidi_senses::redacted;

/// Characters of a command line or address in a list.
const REACHED_CHARACTERS: usize = 200;

/// A server's address, or its command.
pub fn reached(url: Option<&str>, command: &[String]) -> String {
    let whole = match url {
        Some(url) => shown(url),
        // The words of a command may hold a key, too, such as the address of a database.
        None => redacted(&words(command).join(" ")),
    };
    whole.chars().take(REACHED_CHARACTERS).collect()
}

/// The words of a command. A bridge to a server elsewhere is given its address there.
fn words(command: &[String]) -> Vec<String> {
    let is_address = |word: &str| word.contains("http://") || word.contains("https://");
    let words = command.iter().map(|word| match is_address(word) {
        true => shown(word),
        false => word.clone(),
    });
    words.collect()
}

/// An address.
pub fn shown(url: &str) -> String {
    hide_keys(url, |part| redacted(part) != part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_of_an_address_or_a_command_is_shown_wherever_it_stands() {
        let key = "sk-abcdefghijklmnopqrstuvwx";
        for (url, expected) in [
            (
                format!("https://a.example/mcp/{key}/sse"),
                "https://a.example/mcp/•••/sse",
            ),
            (
                "https://a.example/api/mcp?code=abc123&lang=en".to_owned(),
                "https://a.example/api/mcp?code=•••&lang=en",
            ),
            (
                format!("https://a.example/mcp?exaApiKey={key}&x=1"),
                "https://a.example/mcp?exaApiKey=•••&x=1",
            ),
            (
                "https://a.example/v1/mcp?page=2".to_owned(),
                "https://a.example/v1/mcp?page=2",
            ),
        ] {
            assert_eq!(reached(Some(&url), &[]), expected);
        }
        let command = ["uvx", "notes", "--key", key].map(str::to_owned);
        assert_eq!(reached(None, &command), "uvx notes --key [redacted:key]");
        let far = "https://a.example/s/Zm9vYmFyQmF6MTIzNDU2Nzg5/sse";
        let bridge = ["npx", "mcp-remote", far];
        assert_eq!(
            reached(None, &bridge.map(str::to_owned)),
            "npx mcp-remote https://a.example/s/•••/sse"
        );
    }
}
