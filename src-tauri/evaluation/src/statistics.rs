//! How sure a figure is, and whether a difference is more than chance.

/// The 97.5th percentile of the normal distribution: intervals hold 95 %.
const Z: f64 = 1.959_963_984_540_054;

/// The 95 % interval of a share after Wilson; the whole range where nothing was counted.
#[must_use]
pub fn wilson(hits: f64, count: f64) -> (f64, f64) {
    if count <= 0.0 {
        return (0.0, 1.0);
    }
    let share = hits / count;
    let square = Z * Z;
    let middle = share + square / (2.0 * count);
    let spread = Z * (share * (1.0 - share) / count + square / (4.0 * count * count)).sqrt();
    let whole = 1.0 + square / count;
    (
        ((middle - spread) / whole).max(0.0),
        ((middle + spread) / whole).min(1.0),
    )
}

/// The exact two-sided probability after McNemar for two sides that differ in some tasks. By chance one
/// side wins `first` of these tasks and the other `second`.
#[must_use]
pub fn mcnemar(first: usize, second: usize) -> f64 {
    let count = first + second;
    let fewer = first.min(second);
    // Terms of the binomial distribution by their logarithms: a factorial of a thousand is no number.
    let mut log_term = -(count as f64) * std::f64::consts::LN_2;
    let mut tail = log_term.exp();
    for k in 1..=fewer {
        log_term += ((count - k + 1) as f64).ln() - (k as f64).ln();
        tail += log_term.exp();
    }
    (2.0 * tail).min(1.0)
}

/// The 95 % interval of a mean, by drawing as many values again and again; the same for the same seed.
#[must_use]
pub fn bootstrap(values: &[f64], samples: usize, seed: u64) -> (f64, f64) {
    if values.is_empty() || samples == 0 {
        return (0.0, 0.0);
    }
    let mut random = Random(seed);
    let mut means: Vec<f64> = (0..samples)
        .map(|_| {
            let sum: f64 = (0..values.len())
                .map(|_| values[random.below(values.len())])
                .sum();
            sum / values.len() as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |share: f64| means[((share * (samples - 1) as f64).round()) as usize];
    (at(0.025), at(0.975))
}

/// The middle value; 0 where there is none.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    match values.len() {
        0 => 0.0,
        count if count % 2 == 1 => values[half],
        _ => f64::midpoint(values[half - 1], values[half]),
    }
}

/// SplitMix64: small, and its numbers are known.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % most as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn near(one: f64, other: f64) -> bool {
        (one - other).abs() < 5e-4
    }

    /// R: `binom::binom.wilson(8, 10)`, `(0, 10)`, `(45, 60)`.
    #[test]
    fn the_interval_of_a_share_is_that_of_wilson() {
        for (hits, count, low, high) in [
            (8.0, 10.0, 0.4902, 0.9433),
            (0.0, 10.0, 0.0, 0.2775),
            (45.0, 60.0, 0.6277, 0.8422),
        ] {
            let (found_low, found_high) = wilson(hits, count);
            assert!(
                near(found_low, low) && near(found_high, high),
                "{found_low} {found_high}"
            );
        }
        assert_eq!(wilson(0.0, 0.0), (0.0, 1.0));
    }

    /// R: `binom.test(1, 9)$p.value`, `(5, 20)`, `(3, 3)`.
    #[test]
    fn a_difference_has_its_exact_probability() {
        for (first, second, p) in [
            (1, 8, 0.039_062_5),
            (5, 15, 0.041_389),
            (3, 0, 0.25),
            (0, 0, 1.0),
            (4, 4, 1.0),
        ] {
            let found = mcnemar(first, second);
            assert!((found - p).abs() < 1e-6, "{first} {second}: {found}");
        }
        assert!(mcnemar(400, 1_200) < 1e-50);
    }

    #[test]
    fn drawn_intervals_hold_the_mean_and_are_the_same_for_the_same_seed() {
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let (low, high) = bootstrap(&values, 2_000, 7);
        // The mean is 49.5, and its standard error 2.887.
        assert!(
            (low - 43.8).abs() < 0.8 && (high - 55.2).abs() < 0.8,
            "{low} {high}"
        );
        assert_eq!(bootstrap(&values, 2_000, 7), (low, high));
        assert_eq!(bootstrap(&[2.0], 50, 1), (2.0, 2.0));
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0]), 2.5);
    }

    proptest! {
        #[test]
        fn intervals_hold_their_share_and_probabilities_are_some(hits in 0_u32..200, more in 0_u32..200) {
            let count = f64::from(hits + more);
            let (low, high) = wilson(f64::from(hits), count);
            prop_assert!(0.0 <= low && low <= high && high <= 1.0);
            if count > 0.0 {
                let share = f64::from(hits) / count;
                prop_assert!(low <= share + 1e-12 && share <= high + 1e-12);
            }
            let p = mcnemar(hits as usize, more as usize);
            prop_assert!(p > 0.0 && p <= 1.0);
            prop_assert!((p - mcnemar(more as usize, hits as usize)).abs() < 1e-9);
        }
    }
}
