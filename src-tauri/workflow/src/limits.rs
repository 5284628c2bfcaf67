//! Bounds of workflows and their runs, with unit and reason.

/// Bytes of a workflow's file: a hundred steps with long prompts take some 200 kB.
pub const FILE_BYTES_MAX: usize = 1 << 20;

/// Steps of one workflow, those within others included.
pub const STEPS_MAX: usize = 500;

/// Steps that stand within one another: a drawing of more is read by nobody.
pub const NESTING_MAX: usize = 8;

/// Faults that are told of one file: whoever mends these sees the next ones.
pub const FAULTS_MAX: usize = 50;

/// Rounds of one loop.
pub const ROUNDS_MAX: u64 = 10_000;

/// Rounds of a loop that says nothing else.
pub const ROUNDS_DEFAULT: u64 = 1_000;

/// Tries after the first one.
pub const RETRIES_MAX: u32 = 20;

/// Milliseconds before a second try that says nothing else.
pub const RETRY_WAIT_MS: u64 = 1_000;

/// Milliseconds of one wait or time limit: a year.
pub const DURATION_MS_MAX: u64 = 366 * 24 * 3_600 * 1_000;

/// Milliseconds that a performer has to say how a call ended that was to stop; afterwards its outcome is unknown.
pub const STOPPING_MS: u64 = 10_000;

/// The same where it waits for the ends of runs that it has called. Eight within one another have ten seconds each.
pub const STOPPING_CALLED_MS: u64 = 100_000;

/// Steps that one run may begin, rounds of loops included: ten full loops.
pub const BEGUN_MAX: u64 = 100_000;

/// Bytes of all values that one run keeps at a time: its state is written after each event.
pub const KEPT_BYTES_MAX: usize = 16 << 20;

/// Letters of a name that a person still reads.
pub const NAME_CHARACTERS_MAX: usize = 80;

/// Steps of a condition's program.
pub const CONDITION_FUEL: u64 = 10_000;

/// Characters of a condition: a screen full.
pub const CONDITION_CHARACTERS_MAX: usize = 2_000;

/// Products in a condition. Each may repeat a text to 100 MB, which is the library's own bound.
pub const CONDITION_PRODUCTS_MAX: usize = 8;
