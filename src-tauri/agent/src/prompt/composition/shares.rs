//! What counts say of a share beyond chance: Wilson's bounds, and Newcombe's of the difference of two.

/// Standard deviations within which 95 of 100 lie.
const Z: f64 = 1.959_964;

/// The bounds between which a share lies, with 95 %. Of nothing, everything is possible.
pub fn bounds(part: u32, whole: u32) -> (f64, f64) {
    if whole == 0 {
        return (0.0, 1.0);
    }
    let whole = f64::from(whole);
    let share = f64::from(part) / whole;
    let middle = share + Z * Z / (2.0 * whole);
    let spread = Z * (share * (1.0 - share) / whole + Z * Z / (4.0 * whole * whole)).sqrt();
    let scale = 1.0 + Z * Z / whole;
    let (low, high) = ((middle - spread) / scale, (middle + spread) / scale);
    (low.max(0.0), high.min(1.0))
}

/// Whether one share is greater than another by more than chance. Shares are parts of wholes.
pub fn is_greater(one: (u32, u32), other: (u32, u32)) -> bool {
    if one.1 == 0 || other.1 == 0 {
        return false;
    }
    let share = |(part, whole): (u32, u32)| f64::from(part) / f64::from(whole);
    let below = share(one) - bounds(one.0, one.1).0;
    let above = bounds(other.0, other.1).1 - share(other);
    share(one) - share(other) > below.hypot(above)
}

/// Whether one share is greater than another by less than a margin, beyond chance. Of nothing, nothing is known.
pub fn is_within(one: (u32, u32), other: (u32, u32), margin: f64) -> bool {
    if one.1 == 0 || other.1 == 0 {
        return false;
    }
    let share = |(part, whole): (u32, u32)| f64::from(part) / f64::from(whole);
    let above = bounds(one.0, one.1).1 - share(one);
    let below = share(other) - bounds(other.0, other.1).0;
    share(one) - share(other) + above.hypot(below) < margin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_bounded_as_wilson_does_it() {
        for ((part, whole), (low, high)) in [
            ((0, 72), (0.0, 0.0507)),
            ((0, 73), (0.0, 0.0500)),
            ((1, 84), (0.0021, 0.0644)),
            ((30, 100), (0.2189, 0.3958)),
            ((9, 9), (0.7009, 1.0)),
            ((0, 0), (0.0, 1.0)),
        ] {
            let (below, above) = bounds(part, whole);
            let is_near = |one: f64, other: f64| (one - other).abs() < 1e-4;
            assert!(is_near(below, low) && is_near(above, high), "{below} {above}");
        }
    }

    #[test]
    fn a_share_is_greater_only_beyond_chance() {
        assert!(!is_greater((2, 10), (10, 100)));
        assert!(!is_greater((0, 0), (0, 100)) && !is_greater((5, 5), (0, 0)));
        assert!(is_greater((12, 30), (10, 100)));
        assert!(!is_greater((10, 100), (12, 30)));
    }

    #[test]
    fn a_share_is_within_a_margin_only_where_chance_does_not_lead_beyond_it() {
        assert!(!is_within((0, 34), (0, 120), 0.1), "the upper bound is 10.2 %");
        assert!(is_within((0, 35), (0, 120), 0.1));
        assert!(!is_within((3, 40), (0, 120), 0.1));
        assert!(is_within((3, 100), (5, 120), 0.1));
        assert!(!is_within((0, 0), (0, 120), 0.1) && !is_within((0, 40), (0, 0), 0.1));
    }
}
