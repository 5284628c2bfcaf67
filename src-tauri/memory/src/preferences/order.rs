//! Finds the order in which the user goes through the forms of a site again and again. Pure: the same uses give the same
//! answer.
//!
//! A step is a form with its button and the pattern of its page's path, and no value. Steps in one tab within half an hour
//! are a visit. What comes in the same order on several days is an order. What is repeated within one day may be one task.

use shidi_protocol::{ChosenValue, FieldKind, FormPlace, Moment};
use shidi_store::KeptFormUse;
use std::collections::BTreeSet;

/// The one field of an order, as its data calls it.
pub const STEPS: &str = "steps";

/// Stands between two steps.
const THEN: &str = " → ";

/// Before an order among the answers to proposals. No form of a page is called so: names hold no such sign.
const MARK: char = '\u{1}';

/// Milliseconds from the first step of a visit to its last.
const VISIT_MS: u64 = 30 * 60_000;

/// The latest visits that are looked at, and the steps of each.
const VISITS_LOOKED_AT: usize = 10;
const STEPS_MOST: usize = 8;

/// Days on which an order was kept: two may be chance.
const DAYS_MIN: usize = 3;

/// Characters of a step: as many as a value may have that its user changes.
const STEP_CHARACTERS: usize = 80;

/// What the user does one after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    pub steps: Vec<String>,
    /// The days on which it was so, and the visits that were looked at.
    pub days: usize,
    pub of: usize,
    /// When it was last so.
    pub last: Moment,
}

struct Visit<'a> {
    place: &'a FormPlace,
    began: Moment,
    last: Moment,
    steps: Vec<String>,
}

/// The longest order that the uses of one site show. One that was answered, alone or within a longer one, is left out.
pub fn order<Day: Ord>(
    uses: &[&KeptFormUse],
    day: impl Fn(Moment) -> Day,
    answered: &[Vec<String>],
) -> Option<Order> {
    let mut visits = visits(uses);
    visits.retain(|visit| visit.steps.len() > 1);
    let latest = visits.split_off(visits.len().saturating_sub(VISITS_LOOKED_AT));
    let longest = latest.iter().map(|visit| visit.steps.len()).max()?;
    for length in (2..=longest).rev() {
        let newest_first = latest.iter().rev();
        for steps in newest_first.flat_map(|visit| visit.steps.windows(length)) {
            let having: Vec<&Visit<'_>> = latest.iter().filter(|visit| holds(&visit.steps, steps)).collect();
            let days: BTreeSet<Day> = having.iter().map(|visit| day(visit.began)).collect();
            let is_known = answered.iter().any(|known| holds(known, steps));
            if days.len() >= DAYS_MIN && are_different(steps) && !is_known {
                return Some(Order {
                    steps: steps.to_vec(),
                    days: days.len(),
                    of: latest.len(),
                    last: having.iter().map(|visit| visit.last).max()?,
                });
            }
        }
    }
    None
}

/// The step that comes next in an order, where the last one was done just now.
pub fn next<'a>(uses: &[KeptFormUse], steps: &'a [String], now: Moment) -> Option<&'a String> {
    let uses: Vec<&KeptFormUse> = uses.iter().collect();
    let visits = visits(&uses);
    let visit = visits.iter().max_by_key(|visit| visit.last)?;
    let done = visit.steps.last().filter(|_| now.since(visit.last) <= VISIT_MS)?;
    let at = steps.iter().position(|step| step == done)?;
    steps.get(at + 1)
}

/// The steps of what is proposed or kept; `None` of what is chosen in a form.
pub fn steps(values: &[ChosenValue]) -> Option<Vec<String>> {
    let order = values.iter().find(|value| value.kind == FieldKind::Steps)?;
    let steps = order.value.as_array()?.iter();
    Some(
        steps
            .filter_map(|step| step.as_str().map(str::to_owned))
            .collect(),
    )
}

/// Steps as the value of their field.
pub fn chosen(steps: &[String]) -> ChosenValue {
    ChosenValue {
        name: STEPS.to_owned(),
        kind: FieldKind::Steps,
        value: steps.into(),
        options: steps.to_vec(),
    }
}

/// Steps in one line, in their order.
pub fn line(steps: &[String]) -> String {
    steps.join(THEN)
}

/// The name under which an order is answered.
pub fn key(steps: &[String]) -> String {
    format!("{MARK}{}", line(steps))
}

/// The visits of one site, oldest first. A use without a button may be of a form that nobody has finished.
fn visits<'a>(uses: &[&'a KeptFormUse]) -> Vec<Visit<'a>> {
    let finished = uses.iter().filter(|one| !one.button.is_empty());
    let mut placed: Vec<(&KeptFormUse, &'a FormPlace)> = finished
        .filter_map(|one| Some((*one, one.place.as_ref()?)))
        .collect();
    placed.sort_by_key(|(one, _)| one.time);
    let mut visits: Vec<Visit<'a>> = Vec::new();
    for (one, place) in placed {
        let step = step(one, place);
        let is_here = |visit: &&mut Visit<'_>| {
            visit.place.browser == place.browser
                && visit.place.tab == place.tab
                && one.time.since(visit.began) <= VISIT_MS
        };
        match visits.iter_mut().rev().find(is_here) {
            Some(visit) => {
                visit.last = one.time;
                if visit.steps.last() != Some(&step) && visit.steps.len() < STEPS_MOST {
                    visit.steps.push(step);
                }
            }
            None => visits.push(Visit {
                place,
                began: one.time,
                last: one.time,
                steps: vec![step],
            }),
        }
    }
    visits
}

/// `Filter · Apply (/issues)`.
fn step(one: &KeptFormUse, place: &FormPlace) -> String {
    let is_named = !one.form.is_empty() && one.form != one.button;
    let name = match is_named {
        true => format!("{} · {}", one.form, one.button),
        false => one.button.clone(),
    };
    let path = match place.path.as_str() {
        "" | "/" => String::new(),
        path => format!(" ({path})"),
    };
    let step = format!("{name}{path}").replace(THEN.trim(), ">");
    step.chars().take(STEP_CHARACTERS).collect()
}

fn holds(steps: &[String], wanted: &[String]) -> bool {
    steps.windows(wanted.len()).any(|some| some == wanted)
}

/// Whether no step comes twice: then each has one place in the order.
fn are_different(steps: &[String]) -> bool {
    let different: BTreeSet<&String> = steps.iter().collect();
    different.len() == steps.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MINUTE_MS: i64 = 60_000;
    const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

    fn used(form: &str, tab: i64, time: i64) -> KeptFormUse {
        KeptFormUse {
            site: "https://a.example".to_owned(),
            form: form.to_owned(),
            time: Moment(time),
            values: Vec::new(),
            button: "Go".to_owned(),
            place: Some(FormPlace {
                browser: "b".to_owned(),
                tab,
                path: format!("/{form}"),
            }),
        }
    }

    /// Visits, each on a day of its own, as letters for the forms.
    fn on_days(visits: &[&str]) -> Vec<KeptFormUse> {
        let steps = visits.iter().zip(0..).flat_map(|(visit, day)| {
            let steps = visit.chars().zip(0..);
            steps.map(move |(form, at)| used(&form.to_string(), 1, day * DAY_MS + at * MINUTE_MS))
        });
        let mut uses: Vec<KeptFormUse> = steps.collect();
        uses.reverse(); // as the store gives them
        uses
    }

    fn day(time: Moment) -> i64 {
        time.0 / DAY_MS
    }

    fn found(uses: &[KeptFormUse], answered: &[&str]) -> Option<String> {
        let answered: Vec<Vec<String>> = answered.iter().map(|steps| named(steps)).collect();
        let uses: Vec<&KeptFormUse> = uses.iter().collect();
        let order = order(&uses, day, &answered)?;
        Some(line(&order.steps))
    }

    fn named(forms: &str) -> Vec<String> {
        let name = |form: char| format!("{form} · Go (/{form})");
        forms.chars().map(name).collect()
    }

    #[test]
    fn what_comes_in_the_same_order_on_three_days_is_an_order() {
        assert_eq!(found(&on_days(&["abc", "abc"]), &[]), None);
        assert_eq!(
            found(&on_days(&["abc", "abc", "abc"]), &[]),
            Some(line(&named("abc")))
        );
        assert_eq!(
            found(&on_days(&["xab", "aby", "ab", "ba"]), &[]),
            Some(line(&named("ab")))
        );
        assert_eq!(found(&on_days(&["ab", "ba", "ab", "ba"]), &[]), None);
        assert_eq!(
            found(&on_days(&["a", "a", "a"]), &[]),
            None,
            "one step is no order"
        );
        assert_eq!(
            found(&on_days(&["aba", "aba", "aba"]), &[]),
            Some(line(&named("ab")))
        );
        let on_one_day: Vec<KeptFormUse> = (0..3)
            .flat_map(|visit| [("a", 0), ("b", 1)].map(|(form, at)| used(form, visit, at * MINUTE_MS)))
            .collect();
        assert_eq!(found(&on_one_day, &[]), None, "it may be one task");
    }

    #[test]
    fn steps_of_other_tabs_of_long_ago_or_without_a_button_are_of_no_visit() {
        let mut apart = on_days(&["ab", "ab", "ab"]);
        for one in apart.iter_mut().filter(|one| one.form == "b") {
            one.time = Moment(one.time.0 + 31 * MINUTE_MS);
        }
        assert_eq!(found(&apart, &[]), None);
        let mut tabs = on_days(&["ab", "ab", "ab"]);
        for one in tabs.iter_mut().filter(|one| one.form == "b") {
            one.place.as_mut().unwrap().tab = 2;
        }
        assert_eq!(found(&tabs, &[]), None);
        let mut open = on_days(&["ab", "ab", "ab"]);
        open[0].button.clear();
        assert_eq!(found(&open, &[]), None);
        let mut earlier = on_days(&["ab", "ab", "ab"]);
        earlier[0].place = None;
        assert_eq!(found(&earlier, &[]), None, "its tab is not known");
    }

    #[test]
    fn what_was_answered_is_not_proposed_again_nor_a_part_of_it_but_a_longer_one_is() {
        let uses = on_days(&["abc", "abc", "abc"]);
        assert_eq!(found(&uses, &["abc"]), None);
        assert_eq!(found(&uses, &["ab"]), Some(line(&named("abc"))));
        assert_eq!(found(&uses, &["abcd"]), None);
    }

    #[test]
    fn the_next_step_is_known_for_half_an_hour() {
        let uses = on_days(&["ab"]);
        let steps = named("abc");
        let after = |minutes: i64| next(&uses, &steps, Moment(minutes * MINUTE_MS));
        assert_eq!(after(2), Some(&steps[2]));
        assert_eq!(after(40), None);
        assert_eq!(next(&uses, &named("ab"), Moment(MINUTE_MS)), None, "it is done");
        assert_eq!(next(&[], &steps, Moment(0)), None);
    }

    #[test]
    fn steps_read_back_and_a_form_has_none() {
        let order = chosen(&named("ab"));
        assert_eq!(steps(std::slice::from_ref(&order)), Some(named("ab")));
        let form = ChosenValue {
            kind: FieldKind::Choices,
            ..order
        };
        assert_eq!(steps(&[form]), None);
        let long = used(&"long →".repeat(40), 1, 0);
        let place = long.place.clone().unwrap();
        let step = step(&long, &place);
        assert!(
            step.chars().count() <= STEP_CHARACTERS && !step.contains('→'),
            "{step}"
        );
    }

    proptest! {
        #[test]
        fn an_order_was_kept_on_as_many_days_as_it_says(visits in prop::collection::vec("[abc]{0,5}", 0..9)) {
            let visits: Vec<&str> = visits.iter().map(String::as_str).collect();
            let uses = on_days(&visits);
            let uses: Vec<&KeptFormUse> = uses.iter().collect();
            if let Some(found) = order(&uses, day, &[]) {
                prop_assert!(found.days >= DAYS_MIN && found.steps.len() > 1 && found.days <= found.of);
            }
        }
    }
}
