//! The terms of a text for an index that is not ours. The server of a team's knowledge base searches
//! such an index.

use super::words::{self, Term, TermKind};

/// The terms under which a text is found, as often as they occur.
#[must_use]
pub fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    words::cut(text, |Term { text, .. }| terms.push(text));
    terms
}

/// The terms of a question that tell something, each once; all of them when none does.
#[must_use]
pub fn asked_terms(question: &str) -> Vec<String> {
    let mut asked: Vec<String> = Vec::new();
    words::cut(question, |Term { text, kind, .. }| {
        // A pair of characters says what its characters say, and more.
        if kind != TermKind::Character && !asked.contains(&text) {
            asked.push(text);
        }
    });
    if asked.iter().any(|term| !words::is_stopword(term)) {
        asked.retain(|term| !words::is_stopword(term));
    }
    asked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for_is_among_what_is_found() {
        let text = "A room may cost 450 yuan; 发票开出后三十天内提交报销单。refreshToken 退";
        let found = terms(text);
        for question in ["what may a room cost", "报销单 三十天", "refreshToken", "退"] {
            let asked = asked_terms(question);
            assert!(
                !asked.is_empty() && asked.iter().all(|term| found.contains(term)),
                "{question}: {asked:?}"
            );
        }
        assert!(!asked_terms("what may a room cost").contains(&"a".to_owned()));
        assert_eq!(asked_terms("the the"), ["the"], "better than nothing");
        assert!(terms("").is_empty() && asked_terms("…").is_empty());
    }
}
