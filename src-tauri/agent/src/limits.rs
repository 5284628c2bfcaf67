//! Every bound of the mind, with its unit and its reason.

/// Rounds of the coding loop before the executor gives up, unless the user set another number.
/// A task that needs more is better split by the person who asked.
pub const ROUNDS_MAX: u32 = 12;

/// Corrections of malformed answers in a row (F4.5): a third would teach the model nothing.
pub const CORRECTIONS_MAX: u32 = 2;

/// Characters of a malformed answer that its correction quotes, so that the model recognises the answer.
pub const QUOTED_CHARACTERS: usize = 200;

/// Characters of the last output that a model sees when it fills the middle of a program.
pub const DRAFT_OUTPUT_CHARACTERS: usize = 2_000;

/// Characters of a family of calls that a person reads before saying "always" to it.
pub const FAMILY_CHARACTERS_MAX: usize = 200;

/// Items of the list of steps, and characters of one (F8.2). Then rounds with open items after which the list is called
/// to mind.
pub const TODO_ITEMS_MAX: usize = 20;
pub const TODO_CHARACTERS_MAX: usize = 200;
pub const TODO_ROUNDS_UNTOUCHED: u32 = 3;

/// Times that a program may fail in the same way before the model is told so. Then times before the task is given up.
pub const SAME_FAILURES_REMINDED: usize = 2;
pub const SAME_FAILURES_MAX: usize = 4;

/// Times that a program may come to the same outcome: before the model is told, and before the task ends. The
/// last is the number of outcomes kept for the comparison.
pub const SAME_OUTCOMES_REMINDED: usize = 2;
pub const SAME_OUTCOMES_MAX: usize = 3;
pub const OUTCOMES_KEPT: usize = 200;

/// Times that self-evaluation may send a task back to its source (F3.5).
pub const RETRIGGERS_MAX: u32 = 1;

/// Answers of one run that the fast model is asked to judge. The second judgement of a mended answer is the last.
pub const CHECKS_MAX: u32 = 2;

/// Bounds of the records that memory brings into a run by itself: their number, and characters of one. The earlier
/// questions about the page at hand are bounded as well. Together some 600 tokens.
pub const RECALLED_MAX: usize = 4;
pub const RECALLED_CHARACTERS_MAX: usize = 300;
pub const RECALLED_EARLIER_MAX: usize = 2;

/// Share of a question's words that a record must hold (at least two words). Then share of the best record's score.
/// Measured on `tests/memory/corpus/dev` (`make bench-memory`): 72 % of the records that go in are evidence, 0.6
/// records a question on average. 35 of 41 questions that memory can't answer bring nothing, and so do 417 of 420 about
/// something else. With 0.3 and one common word the figures were 65 %, 27 of 41 and 375 of 420. Evidence then reached
/// 160 questions in place of 176. In a memory of 20 records evidence reached 238 questions in place of 205.
pub const RECALLED_COVERAGE_MIN: f64 = 0.25;
pub const RECALLED_SHARE_OF_BEST: f64 = 0.7;

/// Bounds of the passages of knowledge bases that go along with a question by themselves. Their number, their tokens with
/// their frames, and the share of the window that they fill at most. A piece of a document takes some 220 tokens in
/// English, up to 830 in Chinese.
pub const PASSAGES_MAX: usize = 3;
pub const PASSAGES_TOKENS_MAX: u32 = 1_200;
pub const PASSAGES_PERCENT_MAX: u32 = 10;

/// Share of a question's words that a passage must hold with its headings. It is above that of records, since a passage
/// is a stranger's text and marks the task. Measured by a script with the index's weights, over the guide in both
/// languages. Of 44 questions about it 35 bring a passage. Of 300 about other things (everyday suites, `tests/memory/corpus/dev`) 10 do.
/// At 0.5 the figures were 37 and 23, at 0.4 they were 40 and 41.
pub const PASSAGE_COVERAGE_MIN: f64 = 0.6;

/// Bounds of a question to the fast model, which must be cheap beside the step: pieces, and characters of each. Then
/// tokens of the answer, and characters of the answer that are used.
pub const SIDE_QUESTION_PIECES: usize = 8;
pub const SIDE_QUESTION_CHARACTERS: usize = 500;
pub const SIDE_QUESTION_TOKENS_MAX: u32 = 400;
pub const UNDERSTOOD_CHARACTERS_MAX: usize = 1_000;

/// Characters of what is in front that the fast model reads for a question, which has 1.5 s. Then tokens
/// of its answer, and characters of a question that fits into the input's line.
pub const SUGGESTION_SEEN_CHARACTERS: usize = 4_000;
pub const SUGGESTION_TOKENS_MAX: u32 = 120;
pub const SUGGESTION_CHARACTERS_MAX: usize = 80;

/// Tokens of a proposal, and characters of each part that it is made from.
pub const PROPOSAL_TOKENS_MAX: u32 = 1_200;
pub const PROPOSAL_PART_CHARACTERS: usize = 3_000;

/// Bounds of a look-up in a long result, some 7,000 tokens. The fast model reads the beginning and the passages. The
/// main model never sees them. Then characters of the words for a second look, and look-ups of one run. A loop over a
/// thousand questions searches by words alone.
pub const LOOK_UP_HEAD_CHARACTERS: usize = 1_000;
pub const LOOK_UP_CHARACTERS: usize = 40_000;
pub const LOOK_UP_WORDS_CHARACTERS: usize = 200;
pub const LOOK_UPS_MAX: u32 = 24;

/// Bounds of a program's questions to a model: questions of one run, and characters of all that a question holds. Then
/// tokens of the answers.
pub const MODEL_CALLS_MAX: u32 = 40;
pub const MODEL_CALL_CHARACTERS: usize = 48_000;
pub const THINK_TOKENS_MAX: u32 = 2_000;
pub const EXTRACT_TOKENS_MAX: u32 = 4_000;
pub const VALIDATE_TOKENS_MAX: u32 = 800;
/// Faults of an answer that the model is told at once, and entries of each list of a judgement.
pub const SCHEMA_FAULTS_TOLD: usize = 5;
pub const JUDGED_MAX: usize = 12;

/// Characters of a question above which the question is taken to name its subject.
pub const POINTING_CHARACTERS_MAX: usize = 240;

/// Tokens that one answer of the model may have.
/// A program of 400 lines is about 5,000 tokens; beyond that an answer is better written in rounds.
pub const OUTPUT_TOKENS_MAX: u32 = 8_192;

/// Tokens of a prompt when the model's window is unknown: the smallest window among the presets' models.
pub const WINDOW_TOKENS_DEFAULT: u32 = 64_000;

/// Tokens of a program's output that stand in the transcript. Of a longer output the head stands there, with a handle
/// for the rest (F4.7). Together with one look-up and its program a long result stays within 4,000 tokens.
pub const OUTPUT_SHOWN_TOKENS_MAX: u32 = 2_000;
pub const OUTPUT_HEAD_TOKENS: u32 = 400;

/// Tokens of a toolkit's description: within what an output shows whole, with room for what a program prints beside it.
pub const DESCRIBED_TOKENS_MAX: u32 = 1_800;

/// Tokens of the user's workflows up to which a small model's prompt always has them in full.
pub const SHORT_WORKFLOWS_TOKENS_MAX: u32 = 600;

/// Tokens of all toolkits in a prompt. Above this bound the prompt holds an index of at most half as many tokens. Then
/// methods of a toolkit in the index, and characters of its description (F7.2). The built-in toolkits take some 1,500.
pub const TOOLKITS_TOKENS_MAX: u32 = 6_000;
pub const INDEX_METHODS_MAX: usize = 8;
pub const INDEX_DOC_CHARACTERS: usize = 120;

/// Tools that one search returns, and words of a search that count.
pub const TOOLS_FOUND_MAX: usize = 10;
pub const SEARCH_WORDS_MAX: usize = 200;

/// Bounds for telling the shape of a long output: bytes of JSON, lines of a table, names, characters of each.
pub const SHAPE_BYTES_MAX: usize = 4 << 20;
pub const SHAPE_LINES: usize = 40;
pub const SHAPE_NAMES: usize = 16;
pub const SHAPE_NAME_CHARACTERS: usize = 40;

/// Live variables named in a prompt, newest first, and characters of each preview.
pub const VARIABLES_SHOWN: usize = 24;
pub const VARIABLE_PREVIEW_CHARACTERS: usize = 120;

/// Share of the window at which a transcript is compacted, and share that its newest steps keep (F4.6).
pub const COMPACTION_PERCENT: u32 = 80;
pub const NEWEST_PERCENT: u32 = 30;

/// Newest messages of the user that stay word for word, whatever is compacted (F4.6).
pub const MESSAGES_KEPT: usize = 3;

/// Share of the window that a compaction must free: for less, the next one would be due at once.
pub const FREED_PERCENT_MIN: u32 = 10;

/// Tokens of a summary: a share of the window, within bounds. More would crowd out the work, fewer say nothing.
pub const SUMMARY_PERCENT_MAX: u32 = 8;
pub const SUMMARY_TOKENS_MIN: u32 = 300;
pub const SUMMARY_TOKENS_MAX: u32 = 3_000;

/// Share of the window that the request for a summary may fill. The fast model's window may be smaller than the main
/// model's.
pub const SUMMARY_INPUT_PERCENT: u32 = 50;

/// Times that a summary request which was too long is halved and sent again.
pub const SUMMARY_OVERFLOWS_MAX: u32 = 2;

/// Failed summaries in a row after which the rules alone make them for the rest of the run.
pub const SUMMARIES_FAILED_MAX: u32 = 2;

/// Times in a row that a prompt too long for a model is shortened and sent again. Then the share of the prompt that
/// stays.
pub const OVERFLOWS_MAX: u32 = 2;
pub const OVERFLOW_PERCENT: u32 = 70;

/// Messages whose outputs stay whole, characters of an older output that stay (F4.6), and of the note with its
/// handle.
pub const MESSAGES_UNCUT: usize = 6;
pub const CUT_CHARACTERS: usize = 200;
pub const CUT_NOTE_CHARACTERS: usize = 120;

/// Share of the window, and tokens, that shortening old outputs must free to be worth a provider's cache.
pub const CUT_PERCENT_MIN: u32 = 5;
pub const CUT_TOKENS_MIN: u32 = 500;

/// Tokens of earlier questions that are worth an outline, and the share of them that it may have. A cached token costs a
/// tenth. So below some 2,000 the loss of a provider's cache weighs more than what is saved.
pub const OUTLINED_TOKENS_MIN: u32 = 2_000;
pub const OUTLINE_PERCENT_MAX: u32 = 25;

/// Questions of an outline that have a line, the newest, and characters of a question or an answer in it.
pub const OUTLINE_QUESTIONS_MAX: usize = 20;
pub const OUTLINE_CHARACTERS: usize = 90;

/// Characters of a text whose words tell its subject.
pub const SUBJECT_CHARACTERS: usize = 4_000;

/// Words, or Chinese characters, below which a question is taken to go on with what was said. Then characters that make
/// it Chinese.
pub const SUBJECT_WORDS_MIN: usize = 5;
pub const SUBJECT_CHINESE_CHARACTERS_MIN: usize = 8;
pub const SUBJECT_CHINESE_MIN: usize = 4;

/// Words of one field that a new subject needs. With one, 6 of 70 related questions of the tuning half lose their history;
/// with two, none.
pub const SUBJECT_FIELD_WORDS_MIN: usize = 2;

/// Characters of one piece as the summarising model reads it, by the kind of piece.
pub const DIGEST_SAID_CHARACTERS: usize = 8_000;
pub const DIGEST_PROGRAM_CHARACTERS: usize = 1_500;
pub const DIGEST_OUTPUT_CHARACTERS: usize = 600;

/// Characters of a line, and lines, of a summary that is made by rules.
pub const DIGEST_LINE_CHARACTERS: usize = 160;
pub const DIGEST_LINES_MAX: usize = 60;

/// Bounds of one card: rows and columns of a table, characters of one cell and of all. Then points and series of a
/// chart, and files or links. A panel of that size can still be read; the whole stays in the program's variables.
pub const CARD_ROWS_MAX: usize = 2_000;
pub const CARD_COLUMNS_MAX: usize = 40;
pub const CARD_CELL_CHARACTERS: usize = 500;
pub const CARD_CHARACTERS_MAX: usize = 400_000;
pub const CARD_POINTS_MAX: usize = 400;
pub const CARD_SERIES_MAX: usize = 6;
pub const CARD_ITEMS_MAX: usize = 50;

/// Fields of a card that asks: nobody fills in more beside a conversation.
pub const CARD_FIELDS_MAX: usize = 20;

/// Lines of a text that is compared with another, and cells of the comparison's table (two bytes each). Beyond
/// either bound the difference is one piece.
pub const CARD_DIFF_LINES_MAX: usize = 20_000;
pub const CARD_DIFF_CELLS_MAX: usize = 4_000_000;

/// Characters of a card's titles and names, bytes of an address, and characters that a model reads of a card.
pub const CARD_TEXT_CHARACTERS: usize = 120;
pub const CARD_URL_BYTES_MAX: usize = 2_000;
pub const CARD_TOLD_CHARACTERS: usize = 400;

/// Attachments and handles that a summary names beside its words, and bytes of a handle.
pub const APPENDED_MAX: usize = 20;
pub const HANDLE_BYTES_MAX: usize = 64;

/// Share of the window that everything but the transcript may fill; above that the dispensable modules are left out.
pub const FRAME_PERCENT_MAX: u32 = 50;

/// Share of the window that an answer may fill where the window is small.
pub const OUTPUT_PERCENT_MAX: u32 = 25;

/// Calls of one run, all programs together: a loop that calls more is a mistake.
pub const CALLS_MAX: u32 = 10_000;

/// Hosts that the commands of one run may ask about: more are no decisions of a person any more.
pub const CALLS_ASIDE_MAX: u32 = 100;

/// Characters of a question; a longer text belongs into a file.
pub const QUESTION_CHARACTERS_MAX: usize = 200_000;

/// Characters of a session's title.
pub const TITLE_CHARACTERS: usize = 48;

/// Bytes of outside text that are searched for the arguments of one approval: a second's reading of the newest.
pub const ORIGIN_BYTES_MAX: usize = 4 << 20;

/// Pieces of one argument that are looked for.
pub const ORIGIN_FRAGMENTS_MAX: usize = 64;

/// Digits that make a word a number worth a search: an account, a telephone, an order.
pub const ORIGIN_DIGITS_MIN: usize = 4;

/// Latin letters (or half as many Chinese ones) below which a text stands in a source by accident.
pub const ORIGIN_WEIGHT_MIN: usize = 6;

/// Characters of a lesson or of a vote's reason that are used. Then characters of each part of an experience in a
/// question: a few hundred tokens.
pub const LESSON_CHARACTERS_MAX: usize = 400;
pub const TAUGHT_PART_CHARACTERS: usize = 3_000;

/// Characters of an experience's goal, lesson and program in a prompt: together some 500 tokens.
pub const TAUGHT_GOAL_CHARACTERS: usize = 200;
pub const TAUGHT_LESSON_CHARACTERS: usize = 500;
pub const TAUGHT_CODE_CHARACTERS: usize = 1_500;

/// Common mistakes of one prompt, tokens of one, and of all: with their frame 120 at most. They go along with questions
/// whose task nobody has done before, so they must cost next to nothing.
pub const MISTAKES_MAX: usize = 4;
pub const MISTAKE_TOKENS_MAX: u32 = 50;
pub const MISTAKES_TOKENS_MAX: u32 = 90;

/// Bounds of the question about a finished task: characters in all and of one message. Then known facts, and tokens of
/// the answer. Some 4,000 tokens, once per task.
pub const LEARNING_CHARACTERS: usize = 12_000;
pub const LEARNING_SAID_CHARACTERS: usize = 3_000;
pub const LEARNING_KNOWN_MAX: usize = 12;
pub const LEARNING_TOKENS_MAX: u32 = 900;

/// Bounds of the learned answer: a summary of some sentences, keywords for searching, a few things and statements.
pub const LEARNED_SUMMARY_CHARACTERS: usize = 600;
pub const LEARNED_KEYS_MAX: usize = 12;
pub const LEARNED_KEY_CHARACTERS: usize = 40;
pub const LEARNED_ENTITIES_MAX: usize = 6;
pub const LEARNED_STATEMENTS_MAX: usize = 6;
pub const LEARNED_TEXT_CHARACTERS: usize = 400;

/// Tokens of all that a prompt says of skills, and characters of one description, as the specification bounds it.
pub const SKILLS_TOKENS_MAX: u32 = 1_200;
pub const SKILL_DESCRIPTION_CHARACTERS_MAX: usize = 1_024;

/// Tokens of loaded skills that a compaction leaves as they are. They hold one skill as long as the specification
/// advises, or several short ones.
pub const SKILLS_KEPT_TOKENS: u32 = 6_000;

/// Bytes of the words in which the source of a parameter is looked for. The programs that may have made up the
/// parameter count alike.
pub const PARAMETER_SOURCE_BYTES_MAX: usize = 400_000;

/// Calls in a run that lack the same parameter, from which on the user is asked without the model.
pub const OPEN_PARAMETER_TIMES: usize = 2;

/// Earlier calls of an ability whose values count as filled, the newest.
pub const FILLED_CALLS_MAX: usize = 64;

/// Bytes of the programs that stand before an output whose words may be a source.
pub const PARAMETER_PROGRAM_BYTES_MAX: usize = 60_000;

/// A toolkit's text is shortened to a line that saves so many tokens, after so many tasks of a kind. The share of them that
/// used it lies below the third bound, in 95 of 100 cases. Where a task uses it, the line costs one more call.
pub const SHORTENED_TOKENS_MIN: u32 = 40;
pub const SHORTENED_TASKS_MIN: u32 = 30;
pub const SHORTENED_USE_MAX: f64 = 0.05;

/// A part that is as little used and has no line: one task in so many goes without it. All go without it once
/// failures without it are more by less than this share. That holds in 95 of 100 cases, and takes at least 35 such tasks.
pub const TRIED_ONE_IN: u64 = 5;
pub const LEFT_OUT_FAILED_MORE_MAX: f64 = 0.1;
