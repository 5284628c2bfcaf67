//! `results.find` with its second step (F4.7): words find passages, the fast model chooses among them.
//!
//! The model is asked once per look-up, within a time and a number of times per run. Whatever goes wrong, the program gets
//! what the words found; what the model wrote itself it never gets.

use super::Run;
use super::beside::spent;
use crate::limits::{CANDIDATES_MAX, EXCERPTS_MAX, EXCERPTS_UNITS, LOOK_UP_TIMEOUT};
use crate::store_tools::{StoreTools, found};
use shidi_agent::{Event, limits, result_lookup};
use shidi_protocol::{Call, CallOutcome, FailureKind, ModelRequest};
use shidi_store::{Breadth, Excerpt, find_in};
use std::sync::Arc;
use std::sync::atomic::Ordering;

impl Run {
    /// The question to the fast model and what it is to choose from; `None` when words alone do.
    pub(super) fn look_up(&self, call: &Call) -> Option<LookUp> {
        if (call.toolkit.as_str(), call.method.as_str()) != ("results", "find") {
            return None;
        }
        if self.look_ups.load(Ordering::Relaxed) >= limits::LOOK_UPS_MAX {
            return None;
        }
        let question = call.text("text").trim();
        let store = &self.workspace.store;
        let result = store.result(self.session(), call.text("handle")).ok()??;
        let passages = find_in(&result.text, question, CANDIDATES_MAX, Breadth::Wide);
        // Whoever asks for what stands there word for word has found it.
        let whole = question.to_lowercase();
        if passages.first()?.text.to_lowercase().contains(&whole) {
            return None;
        }
        let texts: Vec<String> = passages.iter().map(|passage| passage.text.clone()).collect();
        let request = result_lookup::request(self.mind.lock().context(), question, &result.text, &texts)?;
        self.look_ups.fetch_add(1, Ordering::Relaxed);
        Some(LookUp {
            request,
            text: result.text,
            passages,
        })
    }

    /// Asks, and answers the call.
    pub(super) async fn finish_look_up(self: Arc<Self>, call: Call, look_up: LookUp) {
        let LookUp {
            request,
            text,
            passages,
        } = look_up;
        let request = Arc::new(request);
        let answer = self.ask_beside(&request, LOOK_UP_TIMEOUT, &self.cancel).await;
        let mut events = Vec::new();
        let outcome = match answer {
            Ok(reply) => {
                let choice = result_lookup::choice(&reply.text, passages.len());
                events.push(Event::Spent { usage: reply.usage });
                choose(&choice, &text, passages)
            }
            // The call rests where the process ends, and nobody waits for its result where the run was stopped.
            Err(failure) if failure.kind == FailureKind::Cancelled && !self.is_stopping() => return,
            Err(failure) => {
                events.extend(spent(&failure).map(|usage| Event::Spent { usage }));
                if failure.kind == FailureKind::Cancelled {
                    return self.drive_all_blocking(events).await;
                }
                tracing::warn!(?failure.kind, "a look-up goes by words alone");
                by_words(&self, &call)
            }
        };
        events.push(Event::CallReturned {
            call: call.id,
            outcome,
        });
        self.drive_all_blocking(events).await;
    }
}

/// A look-up that waits for the fast model.
pub(super) struct LookUp {
    request: ModelRequest,
    /// The whole result.
    text: String,
    passages: Vec<Excerpt>,
}

fn by_words(run: &Run, call: &Call) -> CallOutcome {
    let kept = StoreTools {
        embeddings: &run.features().embeddings,
        session: Some(run.session()),
        assistant: run.assistant(),
        tainted: true,
    };
    kept.perform(call).unwrap_or_else(|| found(Vec::new()))
}

/// The chosen passages come first. Then come the finds by the words of the choice, and the finds by the question's own
/// words. Together they are no more than a look-up by words alone brings.
fn choose(choice: &result_lookup::Choice, text: &str, passages: Vec<Excerpt>) -> CallOutcome {
    let mut ordered: Vec<Excerpt> = choice
        .passages
        .iter()
        .filter_map(|place| passages.get(*place).cloned())
        .collect();
    if !choice.words.is_empty() {
        ordered.extend(find_in(text, &choice.words, EXCERPTS_MAX, Breadth::Narrow));
    }
    ordered.extend(passages);
    let mut shown: Vec<Excerpt> = Vec::new();
    let mut left = EXCERPTS_UNITS;
    for excerpt in ordered {
        let units = units(&excerpt.text);
        if shown.len() >= EXCERPTS_MAX || units > left {
            break;
        }
        if !shown.contains(&excerpt) {
            left -= units;
            shown.push(excerpt);
        }
    }
    found(shown)
}

/// As `shidi_store` measures passages, but for the breaks between them: wide letters count four times.
fn units(text: &str) -> usize {
    text.chars()
        .map(|letter| if (letter as u32) < 0x2000 { 1 } else { 4 })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn excerpt(line: u32) -> Excerpt {
        Excerpt {
            line,
            text: format!("row {line} {}", "word ".repeat(200)),
        }
    }

    #[test]
    fn what_was_chosen_stands_first_and_the_whole_is_bounded() {
        let passages: Vec<Excerpt> = (1..=24).map(excerpt).collect();
        let choice = result_lookup::Choice {
            passages: vec![20, 3],
            words: String::new(),
        };
        let outcome = choose(&choice, "", passages);
        let lines: Vec<u64> = outcome
            .data
            .as_array()
            .unwrap()
            .iter()
            .map(|hit| hit["line"].as_u64().unwrap())
            .collect();
        assert_eq!(lines, [21, 4, 1, 2, 3], "5 of about 1,000 letters fit");
        assert!(outcome.untrusted);
    }

    #[test]
    fn words_of_the_choice_are_looked_for_in_the_whole() {
        let text = "alpha: 1\nbeta: 2\nFrist: 5. Mai\n";
        let choice = result_lookup::Choice {
            passages: Vec::new(),
            words: "Frist".to_owned(),
        };
        let outcome = choose(
            &choice,
            text,
            vec![Excerpt {
                line: 1,
                text: "alpha: 1".to_owned(),
            }],
        );
        assert!(
            outcome.data[0]["text"].as_str().unwrap().contains("5. Mai"),
            "{}",
            outcome.data
        );
    }
}
