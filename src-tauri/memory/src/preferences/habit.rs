//! Finds what comes again in the uses of one form. Pure: the same uses give the same answer.

use shidi_protocol::{ChosenValue, Moment};
use shidi_store::KeptFormUse;

/// The latest uses that are looked at, and how many of them must agree. Three of five is a habit, two may be chance.
const LOOKED_AT: usize = 5;
const AGREEING: usize = 3;

/// What the user chooses in a form again and again.
#[derive(Debug, Clone, PartialEq)]
pub struct Habit {
    /// In the order in which they were chosen last.
    pub values: Vec<ChosenValue>,
    pub button: String,
    pub times: usize,
    pub of: usize,
    /// When it was last chosen so.
    pub last: Moment,
}

/// The habit that the uses of one form show, newest first; none where it was answered already.
pub fn habit(uses: &[&KeptFormUse], answered: &[&[ChosenValue]]) -> Option<Habit> {
    let uses = &uses[..uses.len().min(LOOKED_AT)];
    let mut common = frequent(uses);
    loop {
        let agreeing: Vec<&&KeptFormUse> = uses
            .iter()
            .filter(|one| holds_all(&one.values, &common))
            .collect();
        if common.is_empty() {
            return None;
        }
        if agreeing.len() < AGREEING {
            // The rarest goes first; of equals the one that was touched last.
            let rarest = common.iter().enumerate().rev();
            let rarest = rarest.min_by_key(|(_, value)| times(uses, value))?.0;
            common.remove(rarest);
            continue;
        }
        let newest = agreeing.first()?;
        let values: Vec<ChosenValue> = newest
            .values
            .iter()
            .filter(|one| holds(&common, one))
            .cloned()
            .collect();
        if answered.iter().any(|answered| holds_all(answered, &values)) {
            return None;
        }
        return Some(Habit {
            values,
            button: newest.button.clone(),
            times: agreeing.len(),
            of: uses.len(),
            last: newest.time,
        });
    }
}

/// The values that were chosen often enough by themselves, each field once.
fn frequent(uses: &[&KeptFormUse]) -> Vec<ChosenValue> {
    let mut frequent: Vec<ChosenValue> = Vec::new();
    for value in uses.iter().flat_map(|one| &one.values) {
        if times(uses, value) >= AGREEING && !frequent.iter().any(|known| known.name == value.name) {
            frequent.push(value.clone());
        }
    }
    frequent
}

fn times(uses: &[&KeptFormUse], value: &ChosenValue) -> usize {
    uses.iter().filter(|one| holds(&one.values, value)).count()
}

fn holds_all(values: &[ChosenValue], wanted: &[ChosenValue]) -> bool {
    wanted.iter().all(|one| holds(values, one))
}

/// Whether a field has that value among these; the options that it offered do not matter.
fn holds(values: &[ChosenValue], wanted: &ChosenValue) -> bool {
    values
        .iter()
        .any(|one| one.name == wanted.name && one.value == wanted.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;
    use shidi_protocol::FieldKind;

    fn value(name: &str, value: impl Into<Value>) -> ChosenValue {
        ChosenValue {
            name: name.to_owned(),
            kind: FieldKind::Choice,
            value: value.into(),
            options: Vec::new(),
        }
    }

    /// Uses from the newest on, each as `status sort`.
    fn uses(chosen: &[(&str, &str)]) -> Vec<KeptFormUse> {
        let one = |(at, (status, sort)): (usize, &(&str, &str))| KeptFormUse {
            site: "https://a.example".to_owned(),
            form: "Filter".to_owned(),
            time: Moment(1_000 - at as i64),
            values: [("Status", status), ("Sort", sort)]
                .into_iter()
                .filter(|(_, text)| !text.is_empty())
                .map(|(name, text)| value(name, *text))
                .collect(),
            button: "Apply".to_owned(),
            place: None,
        };
        chosen.iter().enumerate().map(one).collect()
    }

    fn found(chosen: &[(&str, &str)], answered: Option<&[ChosenValue]>) -> Option<Habit> {
        let uses = uses(chosen);
        habit(
            &uses.iter().collect::<Vec<_>>(),
            &answered.into_iter().collect::<Vec<_>>(),
        )
    }

    fn names(habit: &Habit) -> Vec<&str> {
        habit.values.iter().map(|value| value.name.as_str()).collect()
    }

    #[test]
    fn two_times_are_no_habit_and_three_are() {
        assert_eq!(found(&[("open", "new"), ("open", "new")], None), None);
        let habit = found(&[("open", "new"); 3], None).unwrap();
        assert_eq!(names(&habit), ["Status", "Sort"]);
        assert_eq!((habit.times, habit.of, habit.button.as_str()), (3, 3, "Apply"));
    }

    #[test]
    fn what_differs_each_time_is_left_out() {
        let habit = found(&[("open", "new"), ("open", "old"), ("open", "best")], None).unwrap();
        assert_eq!(names(&habit), ["Status"]);
    }

    #[test]
    fn only_the_latest_uses_count() {
        let mut chosen = vec![("closed", ""); 3];
        chosen.extend([("open", ""); 7]);
        assert_eq!(found(&chosen, None).unwrap().values[0].value, "closed");
        let mixed = [
            ("a", ""),
            ("b", ""),
            ("c", ""),
            ("open", ""),
            ("open", ""),
            ("open", ""),
        ];
        assert_eq!(found(&mixed, None), None);
    }

    #[test]
    fn values_that_never_came_together_make_no_habit_of_both() {
        let apart = [
            ("open", ""),
            ("", "new"),
            ("open", ""),
            ("", "new"),
            ("open", "new"),
        ];
        let habit = found(&apart, None).unwrap();
        assert_eq!(habit.values.len(), 1);
        assert_eq!(habit.times, 3);
    }

    #[test]
    fn what_was_answered_is_not_proposed_again_nor_a_part_of_it_but_what_is_new_is() {
        let answer = [value("Status", "open"), value("Sort", "new")];
        assert_eq!(found(&[("open", "new"); 3], Some(&answer)), None);
        assert_eq!(found(&[("open", ""); 3], Some(&answer)), None);
        assert!(found(&[("closed", "new"); 3], Some(&answer)).is_some());
    }

    proptest! {
        #[test]
        fn a_habit_was_chosen_as_a_whole_as_often_as_it_says(
            chosen in prop::collection::vec(("[abc]?", "[xy]?"), 0..9)
        ) {
            let chosen: Vec<(&str, &str)> = chosen.iter().map(|(one, other)| (one.as_str(), other.as_str())).collect();
            let uses = uses(&chosen);
            if let Some(habit) = found(&chosen, None) {
                let latest = &uses[..uses.len().min(LOOKED_AT)];
                let whole = latest.iter().filter(|one| holds_all(&one.values, &habit.values)).count();
                prop_assert_eq!(whole, habit.times);
                prop_assert!(habit.times >= AGREEING && !habit.values.is_empty());
            }
        }
    }
}
