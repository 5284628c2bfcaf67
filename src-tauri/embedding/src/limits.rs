//! Bounds of embeddings, with unit and reason.

use std::time::Duration;

/// How long a question waits for its vector: a distant provider answers in half a second. After a failure no question
/// waits for a minute.
pub const VECTOR_QUESTION_WAIT: Duration = Duration::from_millis(1_500);
pub const VECTOR_QUESTIONS_PAUSED_FOR: Duration = Duration::from_secs(60);

/// How long a hundred texts wait for theirs where somebody waits for them: local models take some seconds.
pub const VECTORS_OF_TEXTS_WAIT: Duration = Duration::from_secs(8);

/// Characters of a text that its vector is made of: models take 512 tokens and more.
pub const VECTOR_TEXT_CHARACTERS: usize = 1_000;

/// Texts that are read and given vectors together; requests hold fewer.
pub const VECTORS_TOGETHER: u32 = 100;

/// Pause between two looks for new texts, which cost nothing. Then the time after which all texts are looked through
/// again, as one may have changed. Then the time for which a model that failed is left alone.
pub const VECTORS_LOOKED_FOR_EVERY: Duration = Duration::from_secs(10);
pub const VECTORS_LOOKED_FOR_AFTER: Duration = Duration::from_secs(900);
pub const VECTORS_RETRIED_AFTER: Duration = Duration::from_secs(120);
