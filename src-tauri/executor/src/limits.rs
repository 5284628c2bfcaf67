//! How much one program may use.

/// An hour: long enough for any work with people and pages in between (F5.1).
const WALL_MS: u64 = 3_600_000;
/// A minute of computing; what needs more is written wrongly for this interpreter.
const CPU_MS: u64 = 60_000;
/// Holds a table of a million cells with room to work.
const MEMORY_BYTES: u64 = 256 << 20;
/// More than anybody reads, or a model's window holds.
const OUTPUT_BYTES: u64 = 1 << 20;
/// Calls of one program, clock readings included; a loop over a long list stays below.
const CALLS: u32 = 10_000;

/// Bounds of one run. Each ends the program with an error that says which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// From the first line to the last, calls and sleeps included.
    pub wall_ms: u64,
    /// Processor time of the interpreter; calls and sleeps are left out.
    pub cpu_ms: u64,
    /// Memory of the program and the session's variables; at most what the session was spawned with.
    pub memory_bytes: u64,
    /// What is printed beyond is dropped.
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
