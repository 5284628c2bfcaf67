//! The verdict of a measurement on a change. The case's user decides, and reads this verdict first.

use shidi_protocol::{CaseMeasure, CaseVerdict};

/// The verdict on what was measured: the case first, then the suites that must not become worse. One right task fewer
/// is worse, even where chance could explain the loss. Such a change is tried once more before the verdict is believed.
#[must_use]
pub fn verdict(measures: &[CaseMeasure]) -> CaseVerdict {
    let Some((case, suites)) = measures.split_first() else {
        return CaseVerdict::Unmeasured;
    };
    let is_worse = |measure: &CaseMeasure| measure.right_then < measure.right_now;
    if measures
        .iter()
        .any(|measure| measure.attempts == 0 || measure.broken > 0)
    {
        CaseVerdict::Unmeasured
    } else if is_worse(case) || suites.iter().any(is_worse) {
        CaseVerdict::Worse
    } else if case.right_then > case.right_now {
        CaseVerdict::Better
    } else {
        CaseVerdict::NotBetter
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measure(right_now: u32, right_then: u32) -> CaseMeasure {
        CaseMeasure {
            suite: String::new(),
            attempts: 3,
            right_now,
            right_then,
            only_now: Vec::new(),
            only_then: Vec::new(),
            broken: 0,
            reason: None,
            p: 1.0,
        }
    }

    #[test]
    fn better_is_what_helps_the_case_and_harms_no_suite() {
        use CaseVerdict::{Better, NotBetter, Unmeasured, Worse};
        for (measures, told) in [
            (vec![measure(0, 3)], Better),
            (vec![measure(0, 1), measure(20, 20)], Better),
            (vec![measure(0, 3), measure(20, 19)], Worse),
            (vec![measure(2, 1)], Worse),
            (vec![measure(3, 3)], NotBetter),
            (vec![], Unmeasured),
        ] {
            assert_eq!(verdict(&measures), told, "{measures:?}");
        }
        let mut broken = measure(0, 3);
        broken.broken = 1;
        assert_eq!(verdict(&[broken]), Unmeasured);
    }
}
