//! `web.search`: the user's own provider is asked, and its results become a numbered list.
//!
//! The user chose the provider, so it may lie near. The provider sends nobody on: a redirect would carry the
//! key along.

use crate::Web;
use crate::fetch::judged::Judged;
use crate::fetch::through;
use crate::limits::{
    FETCH_CONNECT_TIMEOUT, SEARCH_BYTES_MAX, SEARCH_RESULTS_MAX, SEARCH_TEXT_CHARACTERS, SEARCH_TIMEOUT,
    SEARCH_TITLE_CHARACTERS,
};
use reqwest::{Client, RequestBuilder, Url, redirect};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};
use shidi_locales::Language;
use shidi_models::KeyError;
use shidi_space::Space;
use shidi_space::config::settings::SearchProvider;

/// Why there are no results.
#[derive(Debug)]
pub(crate) enum NoSearch {
    /// No provider is chosen, or it has no address.
    NotSet,
    NoKey(&'static str),
    Keys(KeyError),
    /// What the provider answered, or that it did not.
    Failed(String),
}

impl NoSearch {
    /// What went wrong and what to do, in one sentence.
    pub(crate) fn sentence(&self, language: Language) -> String {
        let say = language.web();
        match self {
            Self::NotSet => say.search_not_set().to_owned(),
            Self::NoKey(name) => say.search_no_key(name),
            Self::Keys(cause) => cause.sentence(language),
            Self::Failed(why) => say.search_failed(why),
        }
    }
}

/// One result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub title: String,
    pub url: String,
    pub text: String,
}

/// Whether a key of that name belongs to a search provider.
#[must_use]
pub fn is_key(name: &str) -> bool {
    [
        SearchProvider::Brave,
        SearchProvider::Tavily,
        SearchProvider::Bing,
    ]
    .iter()
    .any(|provider| provider.name() == name)
}

/// Where the provider answers: the address that the user set, else its own.
pub(crate) fn endpoint(space: &Space) -> Option<(SearchProvider, Url)> {
    let config = space.config();
    let set = &config.search;
    let own = match set.provider {
        SearchProvider::None | SearchProvider::Searxng => "",
        SearchProvider::Brave => "https://api.search.brave.com/res/v1/web/search",
        SearchProvider::Tavily => "https://api.tavily.com/search",
        SearchProvider::Bing => "https://api.bing.microsoft.com/v7.0/search",
    };
    let text = if set.url.0.is_empty() {
        own
    } else {
        set.url.0.as_str()
    };
    let url = Url::parse(text)
        .ok()
        .filter(|_| set.provider != SearchProvider::None)?;
    Some((set.provider, url))
}

/// Asks the provider that is set.
pub(crate) async fn search(web: &Web, query: &str, most: usize) -> Result<Vec<Found>, NoSearch> {
    let (provider, url) = endpoint(&web.space).ok_or(NoSearch::NotSet)?;
    let key = key_of(&web.space, provider).await?;
    let proxy = web.space.config().reach.proxy.clone();
    let failed = |cause: reqwest::Error| NoSearch::Failed(innermost(&cause));
    let builder = Client::builder()
        .user_agent(concat!("Shidi/", env!("CARGO_PKG_VERSION")))
        .connect_timeout(FETCH_CONNECT_TIMEOUT)
        .timeout(SEARCH_TIMEOUT)
        .redirect(redirect::Policy::none());
    let host = Judged::of(&url, &web.around).await;
    let builder = through(&proxy, builder, host.place).map_err(failed)?;
    let client = builder.build().map_err(failed)?;
    let most = most.clamp(1, SEARCH_RESULTS_MAX);
    let asked = request(&client, provider, url, query, most, key.as_ref());
    let mut answer = asked.send().await.map_err(failed)?;
    if !answer.status().is_success() {
        return Err(NoSearch::Failed(format!("HTTP {}", answer.status().as_u16())));
    }
    let mut bytes = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(failed)? {
        if bytes.len() + piece.len() > SEARCH_BYTES_MAX {
            return Err(NoSearch::Failed(format!(
                "more than {} MB",
                SEARCH_BYTES_MAX >> 20
            )));
        }
        bytes.extend_from_slice(&piece);
    }
    let answer: Value =
        serde_json::from_slice(&bytes).map_err(|cause| NoSearch::Failed(cause.to_string()))?;
    Ok(results(provider, &answer, most))
}

/// The key of a provider that needs one.
async fn key_of(space: &Space, provider: SearchProvider) -> Result<Option<SecretString>, NoSearch> {
    if !is_key(provider.name()) {
        return Ok(None);
    }
    let models = space.models();
    match models.keys().get(provider.name()).await {
        Ok(Some(key)) => Ok(Some(key)),
        Ok(None) => Err(NoSearch::NoKey(provider.name())),
        Err(cause) => Err(NoSearch::Keys(cause)),
    }
}

fn request(
    client: &Client,
    provider: SearchProvider,
    mut url: Url,
    query: &str,
    most: usize,
    key: Option<&SecretString>,
) -> RequestBuilder {
    let key = key.map_or("", |key| key.expose_secret());
    let count = most.to_string();
    match provider {
        SearchProvider::None | SearchProvider::Searxng => {
            if !url.path().ends_with("/search") {
                let path = format!("{}/search", url.path().trim_end_matches('/'));
                url.set_path(&path);
            }
            client.get(url).query(&[("q", query), ("format", "json")])
        }
        SearchProvider::Brave => client
            .get(url)
            .query(&[("q", query), ("count", &count)])
            .header("X-Subscription-Token", key),
        SearchProvider::Tavily => client
            .post(url)
            .bearer_auth(key)
            .json(&json!({"query": query, "max_results": most})),
        SearchProvider::Bing => client
            .get(url)
            .query(&[("q", query), ("count", &count)])
            .header("Ocp-Apim-Subscription-Key", key),
    }
}

/// The results in an answer, with the words that each provider has for their parts.
fn results(provider: SearchProvider, answer: &Value, most: usize) -> Vec<Found> {
    let (list, title, text) = match provider {
        SearchProvider::None | SearchProvider::Searxng | SearchProvider::Tavily => {
            ("/results", "title", "content")
        }
        SearchProvider::Brave => ("/web/results", "title", "description"),
        SearchProvider::Bing => ("/webPages/value", "name", "snippet"),
    };
    let listed = answer.pointer(list).and_then(Value::as_array);
    let word = |item: &Value, name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
    let found = listed.into_iter().flatten().filter_map(|item| {
        let url = Url::parse(&word(item, "url")?).ok()?;
        let is_web = matches!(url.scheme(), "http" | "https") && url.has_host();
        is_web.then(|| Found {
            title: plain(&word(item, title).unwrap_or_default(), SEARCH_TITLE_CHARACTERS),
            url: url.to_string(),
            text: plain(&word(item, text).unwrap_or_default(), SEARCH_TEXT_CHARACTERS),
        })
    });
    found.take(most).collect()
}

/// A text without the marks of HTML that providers put around words that were searched for.
fn plain(text: &str, characters_max: usize) -> String {
    const SIGNS: [(&str, &str); 6] = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#x27;", "'"),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
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
        .fold(text.to_owned(), |text, mark| text.replace(mark, ""));
    let written = SIGNS
        .iter()
        .fold(unmarked, |text, (name, sign)| text.replace(name, sign));
    let words: Vec<&str> = written.split_whitespace().collect();
    words.join(" ").chars().take(characters_max).collect()
}

/// The reason that says something. The address may hold the query, and is left out.
fn innermost(cause: &reqwest::Error) -> String {
    if cause.is_timeout() {
        return format!("more than {} s", SEARCH_TIMEOUT.as_secs());
    }
    let mut innermost: &dyn std::error::Error = cause;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
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
            assert_eq!(results(provider, &answer, 5), expected, "{provider:?}");
        }
        assert_eq!(results(SearchProvider::Brave, &json!("x"), 5), []);
    }

    #[test]
    fn a_request_holds_what_its_provider_asks_for() {
        shidi_models::install_tls();
        let client = Client::new();
        let key = SecretString::from("k-1");
        let built = |provider, url: &str| {
            let url = Url::parse(url).unwrap();
            request(&client, provider, url, "a b", 3, Some(&key))
                .build()
                .unwrap()
        };
        let searxng = built(SearchProvider::Searxng, "http://localhost:8888");
        assert_eq!(
            searxng.url().as_str(),
            "http://localhost:8888/search?q=a+b&format=json"
        );
        assert!(searxng.headers().is_empty(), "no key goes there");
        let brave = built(
            SearchProvider::Brave,
            "https://api.search.brave.com/res/v1/web/search",
        );
        assert_eq!(brave.headers()["X-Subscription-Token"], "k-1");
        assert!(brave.url().as_str().ends_with("?q=a+b&count=3"));
        let bing = built(SearchProvider::Bing, "https://bing.example/v7.0/search");
        assert_eq!(bing.headers()["Ocp-Apim-Subscription-Key"], "k-1");
        let tavily = built(SearchProvider::Tavily, "https://api.tavily.com/search");
        assert_eq!(tavily.headers()["authorization"], "Bearer k-1");
        assert_eq!(tavily.method(), "POST");
    }
}
