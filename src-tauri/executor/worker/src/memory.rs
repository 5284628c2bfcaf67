//! The worker's allocator: the interpreter's own, which enforces the memory limit, with a high-water mark added.
//!
//! It never decides what is too much; that is the interpreter's limit, and behind it the process limit.

use monty_alloc::LimitedAllocator;
use monty_types::{BASELINE_MEMORY, LIVE_MEMORY, memory_limit_with_headroom};
use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

static PEAK_BYTES: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Marking = Marking(LimitedAllocator);

struct Marking(LimitedAllocator);

/// Sets the hard limit that stands a little above the interpreter's own.
pub fn limit(bytes: usize) {
    // Refused only when the allocator above is not the global one, which it is.
    if let Err(why) = monty_alloc::set_hard_limit(memory_limit_with_headroom(Some(bytes), false)) {
        eprintln!("{why}");
    }
}

/// Starts a new high-water mark.
pub fn reset_peak() {
    PEAK_BYTES.store(LIVE_MEMORY.load(Relaxed), Relaxed);
}

/// The high-water mark in bytes, without what the worker itself takes.
pub fn peak_bytes() -> u64 {
    let own = BASELINE_MEMORY.load(Relaxed);
    let peak = PEAK_BYTES.load(Relaxed);
    u64::try_from(if own == usize::MAX {
        0
    } else {
        peak.saturating_sub(own)
    })
    .unwrap_or(u64::MAX)
}

/// The worker has one thread, so a load and a store do for a maximum.
fn mark() {
    let live = LIVE_MEMORY.load(Relaxed);
    if live > PEAK_BYTES.load(Relaxed) {
        PEAK_BYTES.store(live, Relaxed);
    }
}

// SAFETY: every method forwards its arguments to an allocator that upholds the contract, and returns its answer.
unsafe impl GlobalAlloc for Marking {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract is passed on unchanged.
        let pointer = unsafe { self.0.alloc(layout) };
        mark();
        pointer
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract is passed on unchanged.
        let pointer = unsafe { self.0.alloc_zeroed(layout) };
        mark();
        pointer
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's contract is passed on unchanged.
        let pointer = unsafe { self.0.realloc(pointer, layout, new_size) };
        mark();
        pointer
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's contract is passed on unchanged.
        unsafe { self.0.dealloc(pointer, layout) }
    }
}
