//! Keeps memory within its limits, in the background: once a day at most, also where no program stays for long. A
//! record for a limited time is erased soon after that time is over.

use crate::limits::{MEMORY_OVER_ERASED_EVERY, MEMORY_SWEPT_EVERY};
use serde_json::json;
use shidi_protocol::{MemoryRoom, Moment};
use shidi_space::Space;
use shidi_space::clock;
use shidi_space::config::Config;
use shidi_store::{MemoryLimits, StoreError, Write};
use std::sync::Arc;

/// When memory was last brought within its limits, in the store's settings.
const SWEPT: &str = "memory.swept";

/// The limits that the user set.
pub fn limits(config: &Config) -> MemoryLimits {
    MemoryLimits {
        short_term_most: u64::from(config.memory.short_term_max),
        long_term_most: u64::from(config.memory.long_term_max),
        size_most_bytes: u64::from(config.memory.size_max_mb) << 20,
    }
}

/// Sweeps now when it is due, and again and again; ends with the space.
pub fn begin(space: &Arc<Space>) {
    let (tasks, space) = (space.tasks.clone(), Arc::downgrade(space));
    tasks.spawn(async move {
        while let Some(space) = space.upgrade() {
            let background = space.background.clone();
            let swept = background.spawn_blocking(move || sweep(&space)).await;
            match swept {
                Ok(Ok(0)) => {}
                Ok(Ok(records)) => tracing::info!(records, "memory was brought within its limits"),
                Ok(Err(cause)) => tracing::warn!(%cause, "memory is not kept within its limits"),
                Err(cause) => tracing::error!(%cause, "forgetting broke off"),
            }
            tokio::time::sleep(MEMORY_OVER_ERASED_EVERY).await;
        }
    });
}

fn sweep(space: &Space) -> Result<usize, StoreError> {
    let now = clock::now();
    if space.store.erase_over(now)? {
        tracing::info!("what was to be remembered for a time is erased");
    }
    let last = space.store.setting(SWEPT)?.and_then(|last| last.as_i64());
    let is_due = last.is_none_or(|last| now.since(Moment(last)) >= MEMORY_SWEPT_EVERY.as_millis() as u64);
    if !is_due {
        return Ok(0);
    }
    let limits = limits(&space.config());
    let records = space.store.evict(now, &limits)?;
    space.store.buffer(Write::PutSetting {
        key: SWEPT.to_owned(),
        value: json!(now.0),
    })?;
    Ok(records)
}

/// Brings memory within limits that were just changed.
pub fn follow(space: &Space, config: &Config) {
    let (store, limits) = (space.store.clone(), limits(config));
    space.tasks.spawn_blocking(move || {
        if let Err(cause) = store.evict(clock::now(), &limits) {
            tracing::warn!(%cause, "memory is not kept within its limits");
        }
    });
}

/// How much there is beside what may be.
///
/// # Errors
/// The store can't be read.
pub fn room(space: &Space) -> Result<MemoryRoom, StoreError> {
    let limits = limits(&space.config());
    let used = space.store.memory_use()?;
    Ok(MemoryRoom {
        short_term: used.short_term,
        short_term_most: limits.short_term_most,
        long_term: used.long_term,
        long_term_most: limits.long_term_most,
        bytes: used.bytes,
        bytes_most: limits.size_most_bytes,
    })
}
