//! The plan that a server is started with, from the machine and the file: context, threads, memory. Else the reason why
//! the file doesn't fit.
//!
//! Pure: the machine is measured elsewhere.

use crate::header::Header;
use crate::limits::{CACHE_MIB_MAX, CONTEXT_UNTOLD, CONTEXTS, OVERHEAD_BYTES, SPARED_BYTES, THREADS_MAX};

/// The smallest context that is tried.
pub const CONTEXT_LEAST: u32 = CONTEXTS[CONTEXTS.len() - 1];

/// What there is to compute with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Bytes that could be used now; `None` where the system doesn't tell.
    pub memory_free: Option<u64>,
    /// Cores, each counted once.
    pub cores: u32,
}

/// What the user set; 0 leaves the choice to the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wishes {
    pub context: u32,
    pub threads: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// In tokens.
    pub context: u32,
    pub threads: u32,
    /// Mebibytes in which the server keeps earlier prompts.
    pub cache_mib: u64,
    /// Bytes that it takes, about.
    pub needs: u64,
}

/// The file does not fit into the memory that is free.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLarge {
    pub needs: u64,
    pub free: u64,
    /// The context, where the user's own is what is too large.
    pub by_context: Option<u32>,
}

/// Plans for a file.
///
/// # Errors
/// What it needs and what there is.
pub fn plan(header: &Header, machine: Machine, wishes: Wishes) -> Result<Plan, TooLarge> {
    let threads = match wishes.threads {
        0 => machine.cores.clamp(1, THREADS_MAX),
        wished => wished,
    };
    let planned = |context: u32, spare: u64| Plan {
        context,
        threads,
        cache_mib: ((spare / 4) >> 20).min(CACHE_MIB_MAX),
        needs: needs(header, context),
    };
    let Some(free) = machine.memory_free else {
        let context = if wishes.context > 0 {
            wishes.context
        } else {
            within(header, CONTEXT_UNTOLD)
        };
        return Ok(planned(context, 0));
    };
    let usable = free.saturating_sub(SPARED_BYTES);
    let fits = |context: u32| usable.checked_sub(needs(header, context));
    let least = within(header, CONTEXT_LEAST);
    let chosen = match wishes.context {
        0 => CONTEXTS
            .map(|context| within(header, context))
            .into_iter()
            .find(|context| fits(*context).is_some()),
        wished => Some(wished).filter(|wished| fits(*wished).is_some()),
    };
    match chosen {
        Some(context) => Ok(planned(context, fits(context).unwrap_or_default())),
        None => Err(TooLarge {
            needs: needs(header, if wishes.context > 0 { wishes.context } else { least }),
            free: usable,
            by_context: Some(wishes.context).filter(|wished| *wished > 0 && fits(least).is_some()),
        }),
    }
}

/// A model has no context beyond the one that it was trained with.
fn within(header: &Header, context: u32) -> u32 {
    header
        .trained_context
        .map_or(context, |trained| trained.min(context))
}

fn needs(header: &Header, context: u32) -> u64 {
    let tokens = header
        .token_bytes
        .unwrap_or_default()
        .saturating_mul(u64::from(context));
    header.bytes.saturating_add(tokens).saturating_add(OVERHEAD_BYTES)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIB: u64 = 1 << 30;

    /// A model of so many gigabytes whose context takes 128 kB a token.
    fn header(gibibytes: u64) -> Header {
        Header {
            bytes: gibibytes * GIB,
            token_bytes: Some(128 << 10),
            trained_context: Some(32_768),
            ..Header::default()
        }
    }

    fn machine(gibibytes: u64) -> Machine {
        Machine {
            memory_free: Some(gibibytes * GIB),
            cores: 8,
        }
    }

    #[test]
    fn the_largest_context_is_chosen_that_fits() {
        let context = |free: u64| plan(&header(3), machine(free), Wishes::default()).map(|plan| plan.context);
        assert_eq!(context(16), Ok(16_384));
        assert_eq!(context(5), Ok(8_192));
        let refused = context(4).unwrap_err();
        assert!(
            refused.needs > refused.free && refused.by_context.is_none(),
            "{refused:?}"
        );
    }

    #[test]
    fn a_context_of_the_users_own_holds_or_is_named_as_what_does_not_fit() {
        let with = |context: u32| {
            let wishes = Wishes { context, threads: 3 };
            plan(&header(3), machine(5), wishes)
        };
        let own = with(5_000).unwrap();
        assert_eq!((own.context, own.threads), (5_000, 3));
        assert_eq!(with(100_000).unwrap_err().by_context, Some(100_000));
    }

    #[test]
    fn no_context_goes_beyond_what_a_model_was_trained_with() {
        let small = Header {
            trained_context: Some(2_048),
            ..header(1)
        };
        assert_eq!(
            plan(&small, machine(16), Wishes::default()).unwrap().context,
            2_048
        );
    }

    #[test]
    fn a_computer_that_does_not_tell_its_memory_refuses_nothing() {
        let untold = Machine {
            memory_free: None,
            cores: 64,
        };
        let plan = plan(&header(900), untold, Wishes::default()).unwrap();
        assert_eq!(
            (plan.context, plan.threads, plan.cache_mib),
            (CONTEXT_UNTOLD, THREADS_MAX, 0)
        );
    }

    #[test]
    fn earlier_prompts_take_a_share_of_what_is_left_and_no_more() {
        let cache = |free: u64| {
            plan(&header(3), machine(free), Wishes::default())
                .unwrap()
                .cache_mib
        };
        assert_eq!(cache(64), CACHE_MIB_MAX);
        assert!(cache(7) < CACHE_MIB_MAX);
    }

    proptest::proptest! {
        /// Whatever a file claims, what is planned fits, and what is refused does not.
        #[test]
        fn a_plan_fits_into_the_memory_that_is_free(bytes in 0..u64::MAX, token in proptest::option::of(0..u64::MAX), trained in proptest::option::of(1..u32::MAX), free in 0..u64::MAX, context in 0..200_000_u32) {
            let header = Header { bytes, token_bytes: token, trained_context: trained, ..Header::default() };
            let machine = Machine { memory_free: Some(free), cores: 4 };
            match plan(&header, machine, Wishes { context, threads: 0 }) {
                Ok(plan) => proptest::prop_assert!(plan.needs <= free && plan.context > 0),
                Err(refused) => proptest::prop_assert!(refused.needs > refused.free),
            }
        }
    }
}
