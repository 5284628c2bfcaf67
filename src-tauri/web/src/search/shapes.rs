//! The shapes of the providers: where each answers, what a request holds, and how its results are read.

use super::refusal::NoSearch;
use crate::limits::{SEARCH_TEXT_CHARACTERS, SEARCH_TITLE_CHARACTERS};
use reqwest::header::{ACCEPT, HeaderValue};
use reqwest::{Client, RequestBuilder, Url};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use shidi_space::config::settings::SearchProvider;

/// The header in which each provider wants its key; Tavily takes it as any bearer's.
const BRAVE_KEY: &str = "X-Subscription-Token";
const BING_KEY: &str = "Ocp-Apim-Subscription-Key";

/// Signs of the private area by which answers of Bing's shape may mark words that were searched for.
const MARK_SIGNS: [char; 2] = ['\u{e000}', '\u{e001}'];

/// Characters of the longest name of a sign in HTML that is looked for.
const SIGN_CHARACTERS_MAX: usize = 8;

/// One result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub title: String,
    pub url: String,
    pub text: String,
}

/// Where a provider answers by itself. SearXNG is somebody's own. Bing's service ended in August 2025; what answers in
/// its shape today has the address of an operator.
pub(super) fn own_address(provider: SearchProvider) -> Option<&'static str> {
    match provider {
        SearchProvider::None | SearchProvider::Searxng | SearchProvider::Bing => None,
        SearchProvider::Brave => Some("https://api.search.brave.com/res/v1/web/search"),
        SearchProvider::Tavily => Some("https://api.tavily.com/search"),
    }
}

/// The address that is asked. One without a path, as of a gateway, gets the path at which the provider answers.
pub(super) fn whole(provider: SearchProvider, mut url: Url) -> Url {
    let path = match provider {
        SearchProvider::None | SearchProvider::Searxng if url.path().ends_with("/search") => return url,
        SearchProvider::None | SearchProvider::Searxng => {
            format!("{}/search", url.path().trim_end_matches('/'))
        }
        SearchProvider::Brave | SearchProvider::Tavily | SearchProvider::Bing if url.path() != "/" => {
            return url;
        }
        SearchProvider::Brave => "/res/v1/web/search".to_owned(),
        SearchProvider::Tavily => "/search".to_owned(),
        SearchProvider::Bing => "/v7.0/search".to_owned(),
    };
    url.set_path(&path);
    url
}

/// The request for one search.
pub(super) fn request(
    client: &Client,
    provider: SearchProvider,
    url: Url,
    query: &str,
    most: usize,
    key: Option<&SecretString>,
) -> Result<RequestBuilder, NoSearch> {
    let url = whole(provider, url);
    let count = most.to_string();
    let counted = [("q", query), ("count", count.as_str())];
    let asked = match provider {
        SearchProvider::None | SearchProvider::Searxng => {
            client.get(url).query(&[("q", query), ("format", "json")])
        }
        SearchProvider::Brave => {
            let asked = client.get(url).query(&counted);
            asked.header(BRAVE_KEY, sealed(provider, key)?)
        }
        SearchProvider::Tavily => {
            let asked = client.post(url);
            let asked = asked.bearer_auth(key.map_or("", |key| key.expose_secret()));
            asked.json(&json!({"query": query, "max_results": most}))
        }
        SearchProvider::Bing => {
            let asked = client.get(url).query(&counted);
            asked.header(BING_KEY, sealed(provider, key)?)
        }
    };
    Ok(asked.header(ACCEPT, "application/json"))
}

/// A key as a header that no log writes out.
fn sealed(provider: SearchProvider, key: Option<&SecretString>) -> Result<HeaderValue, NoSearch> {
    let key = key.map_or("", |key| key.expose_secret());
    let value = HeaderValue::from_str(key);
    let mut value = value.map_err(|_| NoSearch::KeyRefused(provider.name()))?;
    value.set_sensitive(true);
    Ok(value)
}

/// The results in an answer, with the words that each provider has for their parts. `None` for an answer that is no
/// list of results. Answers of Brave and Bing leave the whole list out where nothing was found.
pub(super) fn results(provider: SearchProvider, answer: &Value, most: usize) -> Option<Vec<Found>> {
    let (list, title, text) = match provider {
        SearchProvider::None | SearchProvider::Searxng | SearchProvider::Tavily => {
            ("/results", "title", "content")
        }
        SearchProvider::Brave => ("/web/results", "title", "description"),
        SearchProvider::Bing => ("/webPages/value", "name", "snippet"),
    };
    let may_lack = match provider {
        SearchProvider::None | SearchProvider::Searxng | SearchProvider::Tavily => false,
        SearchProvider::Brave | SearchProvider::Bing => is_answer(answer),
    };
    let listed = match answer.pointer(list).and_then(Value::as_array) {
        Some(listed) => listed.as_slice(),
        None if may_lack => &[],
        None => return None,
    };
    let found = listed.iter().filter_map(|item| one(item, title, text));
    Some(found.take(most).collect())
}

/// Whether an answer tells of no error.
fn is_answer(answer: &Value) -> bool {
    let answer = answer.as_object();
    answer.is_some_and(|parts| !parts.contains_key("error") && !parts.contains_key("errors"))
}

fn one(item: &Value, title: &str, text: &str) -> Option<Found> {
    let word = |name: &str| item.get(name).and_then(Value::as_str).unwrap_or_default();
    let url = Url::parse(word("url")).ok()?;
    let host = url
        .host_str()
        .filter(|_| matches!(url.scheme(), "http" | "https"))?;
    let title = plain(word(title), SEARCH_TITLE_CHARACTERS);
    Some(Found {
        title: if title.is_empty() { host.to_owned() } else { title },
        text: plain(word(text), SEARCH_TEXT_CHARACTERS),
        url: url.to_string(),
    })
}

/// A text without the marks that providers put around words that were searched for, and without the signs of HTML.
fn plain(text: &str, characters_max: usize) -> String {
    const MARKS: [&str; 8] = [
        "<strong>",
        "</strong>",
        "<b>",
        "</b>",
        "<em>",
        "</em>",
        "<mark>",
        "</mark>",
    ];
    let unmarked = MARKS
        .iter()
        .fold(text.replace(MARK_SIGNS, ""), |text, mark| text.replace(mark, ""));
    let text = written(&unmarked);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(characters_max).collect()
}

/// A text whose signs of HTML are written as what they mean. Each is written once: `&amp;lt;` speaks of `&lt;`.
fn written(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        out.push_str(before);
        let end = after
            .bytes()
            .take(SIGN_CHARACTERS_MAX + 1)
            .position(|byte| byte == b';');
        let sign = end.and_then(|end| Some((meant(after.get(..end)?)?, after.get(end + 1..)?)));
        let (sign, left) = sign.unwrap_or(('&', after));
        out.push(sign);
        rest = left;
    }
    out.push_str(rest);
    out
}

/// The sign of a name or a number in HTML; a control is none.
fn meant(name: &str) -> Option<char> {
    let number = |digits: &str| match digits.strip_prefix(['x', 'X']) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => digits.parse().ok(),
    };
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        "hellip" => Some('…'),
        "ndash" => Some('–'),
        "mdash" => Some('—'),
        "lsquo" => Some('‘'),
        "rsquo" => Some('’'),
        "ldquo" => Some('“'),
        "rdquo" => Some('”'),
        "middot" => Some('·'),
        numbered => {
            let code = numbered.strip_prefix('#').and_then(number)?;
            char::from_u32(code).filter(|sign| !sign.is_control())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_providers_answer_becomes_the_same_list() {
        let one = |title: &str, text: &str| json!({"url": "https://a.example/x", "name": title, "title": title, "content": text, "description": text, "snippet": text});
        let item = one("A <strong>b</strong> &amp; c", "a&lt;b  and\nmore");
        let junk = json!({"url": "javascript:alert(1)", "title": "no"});
        let expected = [Found {
            title: "A b & c".to_owned(),
            url: "https://a.example/x".to_owned(),
            text: "a<b and more".to_owned(),
        }];
        for (provider, answer) in [
            (SearchProvider::Searxng, json!({"results": [junk, item]})),
            (SearchProvider::Tavily, json!({"results": [item, 3]})),
            (SearchProvider::Brave, json!({"web": {"results": [item]}})),
            (SearchProvider::Bing, json!({"webPages": {"value": [item]}})),
        ] {
            let read = results(provider, &answer, 5).unwrap();
            assert_eq!(read, expected, "{provider:?}");
        }
    }

    #[test]
    fn nothing_found_is_an_empty_list_and_any_other_answer_is_none() {
        let empty = |provider, answer: Value| results(provider, &answer, 5);
        assert_eq!(
            empty(SearchProvider::Brave, json!({"type": "search", "query": {}})),
            Some(Vec::new())
        );
        assert_eq!(
            empty(SearchProvider::Bing, json!({"_type": "SearchResponse"})),
            Some(Vec::new())
        );
        assert_eq!(
            empty(SearchProvider::Tavily, json!({"results": []})),
            Some(Vec::new())
        );
        for other in [json!("x"), json!({"error": {"code": 1}}), json!({"errors": []})] {
            for provider in [SearchProvider::Brave, SearchProvider::Bing] {
                assert_eq!(results(provider, &other, 5), None, "{provider:?} {other}");
            }
        }
        assert_eq!(empty(SearchProvider::Searxng, json!({"query": "q"})), None);
    }

    #[test]
    fn a_result_without_a_title_has_its_host_and_signs_of_html_are_written_once() {
        let answer = json!({"web": {"results": [{"url": "https://a.example/x"}]}});
        let read = results(SearchProvider::Brave, &answer, 5).unwrap();
        assert_eq!((read[0].title.as_str(), read[0].text.as_str()), ("a.example", ""));
        for (text, expected) in [
            ("&amp;lt;b&gt;", "&lt;b>"),
            ("it&#x27;s &#39;so&#39; &hellip;", "it's 'so' …"),
            ("\u{e000}rust\u{e001} &nbsp; 1.95", "rust 1.95"),
            ("a & b; c &unknown; &#27; &", "a & b; c &unknown; &#27; &"),
        ] {
            assert_eq!(plain(text, 100), expected, "{text}");
        }
    }

    #[test]
    fn a_request_holds_what_its_provider_asks_for() {
        shidi_models::install_tls();
        let client = Client::new();
        let key = SecretString::from("k-1");
        let built = |provider, url: &str| {
            let url = Url::parse(url).unwrap();
            let asked = request(&client, provider, url, "a b", 3, Some(&key)).unwrap();
            asked.build().unwrap()
        };
        let searxng = built(SearchProvider::Searxng, "http://localhost:8888");
        assert_eq!(
            searxng.url().as_str(),
            "http://localhost:8888/search?q=a+b&format=json"
        );
        assert_eq!(searxng.headers().len(), 1, "no key goes there");
        let brave = built(SearchProvider::Brave, own_address(SearchProvider::Brave).unwrap());
        assert_eq!(brave.headers()[BRAVE_KEY], "k-1");
        assert!(!format!("{brave:?}").contains("k-1"), "{brave:?}");
        assert!(brave.url().as_str().ends_with("/web/search?q=a+b&count=3"));
        let bing = built(SearchProvider::Bing, "https://bing.example/");
        assert_eq!(bing.headers()[BING_KEY], "k-1");
        assert!(bing.url().as_str().ends_with("/v7.0/search?q=a+b&count=3"));
        let tavily = built(SearchProvider::Tavily, "https://gateway.example/tavily");
        assert_eq!(tavily.headers()["authorization"], "Bearer k-1");
        assert_eq!(tavily.method(), "POST");
        assert_eq!(tavily.url().path(), "/tavily", "a path of its own stays");
    }
}
