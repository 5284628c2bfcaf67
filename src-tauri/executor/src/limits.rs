//! The bounds of one program's run.

/// Milliseconds of wall clock, an hour: long enough for any work with people and pages in between (F5.1).
const WALL_MS: u64 = 3_600_000;
/// Milliseconds of computing, a minute: a program that needs more is written wrongly for this interpreter.
const CPU_MS: u64 = 60_000;
/// Bytes of memory: a table of a million cells fits with room to work.
const MEMORY_BYTES: u64 = 256 << 20;
/// Bytes of output: more than anybody reads, or a model's window holds.
const OUTPUT_BYTES: u64 = 1 << 20;
/// Calls of one program, clock readings included: a loop over a long list stays below.
const CALLS: u32 = 10_000;

/// Bounds of one run. Each ends the program with an error that names the bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Milliseconds from the first line to the last, calls and sleeps included.
    pub wall_ms: u64,
    /// Milliseconds of the interpreter's processor time; calls and sleeps are left out.
    pub cpu_ms: u64,
    /// Bytes of memory of the program and the session's variables; at most the limit with which the session was
    /// spawned.
    pub memory_bytes: u64,
    /// Bytes of printed text; the rest is dropped.
    pub output_bytes: u64,
    pub calls: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            wall_ms: WALL_MS,
            cpu_ms: CPU_MS,
            memory_bytes: MEMORY_BYTES,
            output_bytes: OUTPUT_BYTES,
            calls: CALLS,
        }
    }
}
