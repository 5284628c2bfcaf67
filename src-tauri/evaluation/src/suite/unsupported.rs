//! Parts of promptfoo that Shidi does not know, by name, each with a remedy in its place.
//!
//! Nothing is left out in silence: a suite that is judged by half of its checks measures nothing.

use shidi_locales::Evaluation;

/// The remedy in one language.
pub type Remedy = fn(Evaluation) -> &'static str;

/// Types of assertions.
const TYPES: &[(&[&str], Remedy)] = &[
    (&["javascript", "ruby", "webhook"], |say| say.instead_python()),
    (
        &[
            "similar",
            "classifier",
            "moderation",
            "pi",
            "answer-relevance",
            "conversation-relevance",
        ],
        |say| say.instead_rubric(),
    ),
    (
        &[
            "context-faithfulness",
            "context-recall",
            "context-relevance",
            "g-eval",
            "model-graded-closedqa",
        ],
        |say| say.instead_rubric(),
    ),
    (
        &[
            "model-graded-factuality",
            "agent-rubric",
            "search-rubric",
            "trajectory:goal-success",
        ],
        |say| say.instead_rubric(),
    ),
    (&["bleu", "gleu", "meteor"], |say| say.instead_rouge()),
    (
        &[
            "is-xml",
            "contains-xml",
            "is-html",
            "contains-html",
            "is-sql",
            "contains-sql",
        ],
        |say| say.instead_regex(),
    ),
    (&["perplexity", "perplexity-score", "finish-reason"], |say| {
        say.instead_nothing()
    }),
    (
        &[
            "tool-call-f1",
            "is-valid-function-call",
            "is-valid-openai-function-call",
            "is-valid-openai-tools-call",
        ],
        |say| say.instead_trajectory(),
    ),
    (
        &["trace-span-count", "trace-span-duration", "trace-error-spans"],
        |say| say.instead_trajectory(),
    ),
    (&["select-best", "max-score"], |say| say.instead_against()),
    (&["guardrails", "llama-guard", "skill-used"], |say| {
        say.instead_nothing()
    }),
];

/// Keys of a suite.
const OF_SUITE: &[(&[&str], Remedy)] = &[
    (&["derivedMetrics", "extensions", "nunjucksFilters"], |say| {
        say.instead_python()
    }),
    (&["outputPath"], |say| say.instead_report()),
    (&["env", "commandLineOptions"], |say| say.instead_options()),
    (&["redteam"], |say| say.instead_nothing()),
];

/// Keys of a task and of its options.
const OF_TASK: &[(&[&str], Remedy)] = &[
    (
        &[
            "assertScoringFunction",
            "transform",
            "transformVars",
            "postprocess",
        ],
        |say| say.instead_python(),
    ),
    (&["storeOutputAs"], |say| say.instead_turns()),
    (&["provider", "providers"], |say| say.instead_providers()),
    (&["prompts"], |say| say.instead_suites()),
    (&["rubricPrompt"], |say| say.instead_rubric_text()),
    (&["providerOutput", "prefix", "suffix"], |say| {
        say.instead_nothing()
    }),
];

/// Keys of an assertion.
const OF_ASSERTION: &[(&[&str], Remedy)] = &[
    (&["provider"], |say| say.instead_judge()),
    (&["transform", "contextTransform"], |say| say.instead_python()),
    (&["rubricPrompt"], |say| say.instead_rubric_text()),
];

/// Settings of an evaluation.
const OF_OPTIONS: &[(&[&str], Remedy)] = &[
    (&["maxEvalTimeMs"], |say| say.instead_seconds()),
    (&["generateSuggestions"], |say| say.instead_nothing()),
];

pub fn of_type(name: &str) -> Option<Remedy> {
    within(TYPES, name)
}

pub fn of_suite(name: &str) -> Option<Remedy> {
    within(OF_SUITE, name)
}

pub fn of_task(name: &str) -> Option<Remedy> {
    within(OF_TASK, name)
}

pub fn of_assertion(name: &str) -> Option<Remedy> {
    within(OF_ASSERTION, name)
}

pub fn of_options(name: &str) -> Option<Remedy> {
    within(OF_OPTIONS, name)
}

fn within(table: &[(&[&str], Remedy)], name: &str) -> Option<Remedy> {
    let row = table.iter().find(|(names, _)| names.contains(&name));
    row.map(|(_, remedy)| *remedy)
}
