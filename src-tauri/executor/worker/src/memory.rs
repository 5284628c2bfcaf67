//! The worker's allocator: the system's, counted, with two limits.
//!
//! A program that grows beyond the first limit is ended at its next instruction and keeps its variables. A
//! program that asks for much more at once ends the worker: a failed allocation can't be reported.

use crate::watch;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Exit code that tells the supervisor of the lack of memory.
const EXIT_OUT_OF_MEMORY: i32 = 65;
/// Bytes between the two limits: room for one ordinary instruction.
const HEADROOM_BYTES: usize = 64 << 20;

static LIVE_BYTES: AtomicUsize = AtomicUsize::new(0);
static PEAK_BYTES: AtomicUsize = AtomicUsize::new(0);
static OWN_BYTES: AtomicUsize = AtomicUsize::new(0);
static LIMIT_BYTES: AtomicUsize = AtomicUsize::new(usize::MAX);
static HARD_LIMIT_BYTES: AtomicUsize = AtomicUsize::new(usize::MAX);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

struct Counting;

/// Counts the memory held now as the worker's own.
pub fn settle() {
    OWN_BYTES.store(LIVE_BYTES.load(Relaxed), Relaxed);
}

/// Sets the limit of programs' memory, and starts a new high-water mark.
pub fn limit(bytes: usize) {
    let limit = OWN_BYTES.load(Relaxed).saturating_add(bytes);
    LIMIT_BYTES.store(limit, Relaxed);
    HARD_LIMIT_BYTES.store(limit.saturating_add(HEADROOM_BYTES), Relaxed);
    PEAK_BYTES.store(LIVE_BYTES.load(Relaxed), Relaxed);
}

/// Whether programs hold more memory than they may.
pub fn is_exceeded() -> bool {
    LIVE_BYTES.load(Relaxed) > LIMIT_BYTES.load(Relaxed)
}

/// The high-water mark in bytes, without the worker's own memory.
pub fn peak_bytes() -> u64 {
    without_own(PEAK_BYTES.load(Relaxed))
}

fn without_own(bytes: usize) -> u64 {
    u64::try_from(bytes.saturating_sub(OWN_BYTES.load(Relaxed))).unwrap_or(u64::MAX)
}

fn took(bytes: usize) {
    let live = LIVE_BYTES.fetch_add(bytes, Relaxed) + bytes;
    // Only one thread allocates much, so a load and a store are enough for a maximum.
    if live > PEAK_BYTES.load(Relaxed) {
        PEAK_BYTES.store(live, Relaxed);
    }
    if live > LIMIT_BYTES.load(Relaxed) {
        // This call may allocate and come here again; it then finds the stop already ordered.
        watch::stop_now();
        if live > HARD_LIMIT_BYTES.load(Relaxed) {
            exit();
        }
    }
}

fn gave(bytes: usize) {
    LIVE_BYTES.fetch_sub(bytes, Relaxed);
}

#[cfg(unix)]
fn exit() -> ! {
    // SAFETY: ends the process at once; nothing of it is run any more.
    unsafe { libc::_exit(EXIT_OUT_OF_MEMORY) }
}

#[cfg(not(unix))]
fn exit() -> ! {
    std::process::exit(EXIT_OUT_OF_MEMORY)
}

// SAFETY: every method forwards its arguments to an allocator that upholds the contract, and returns its answer.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: the caller's contract is passed on unchanged.
        let pointer = unsafe { System.alloc(layout) };
        if pointer.is_null() {
            exit();
        }
        pointer
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: the caller's contract is passed on unchanged.
        let pointer = unsafe { System.alloc_zeroed(layout) };
        if pointer.is_null() {
            exit();
        }
        pointer
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        took(new_size.saturating_sub(layout.size()));
        // SAFETY: the caller's contract is passed on unchanged.
        let pointer = unsafe { System.realloc(pointer, layout, new_size) };
        if pointer.is_null() {
            exit();
        }
        gave(layout.size().saturating_sub(new_size));
        pointer
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        gave(layout.size());
        // SAFETY: the caller's contract is passed on unchanged.
        unsafe { System.dealloc(pointer, layout) }
    }
}
