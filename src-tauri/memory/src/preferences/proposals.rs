//! Proposals of preferences, worked out anew from the uses that are kept and the answers that were given.

use super::habit::{Habit, habit};
use super::order::{self, Order, order};
use crate::explain;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use sha2::{Digest, Sha256};
use shidi_protocol::{
    ChosenValue, ErrorCode, MemoryRecord, Moment, Preference, PreferenceProposal, UserError,
};
use shidi_space::Space;
use shidi_space::errors::error;
use shidi_store::{FormAnswer, FormWrite, KeptFormUse, StoreError, Write};
use std::collections::BTreeMap;

/// Characters of a proposal's id: enough to tell a few hundred apart.
const ID_CHARACTERS: usize = 16;

/// The forms of one or of all sites, by site and name.
type Forms<Of> = BTreeMap<(String, String), Of>;

/// The proposal of that id, or of the beginning of one.
///
/// # Errors
/// There is none, or several fit, or storage trouble.
pub fn proposal(space: &Space, id: &str) -> Result<PreferenceProposal, UserError> {
    let mut fitting = proposals(space, None)?;
    fitting.retain(|one| !id.is_empty() && one.id.starts_with(id));
    if fitting.len() > 1 {
        let (text, matches) = (id.to_owned(), count(fitting.len()));
        return Err(explain(space, &StoreError::Ambiguous { text, matches }));
    }
    fitting.pop().ok_or_else(|| {
        let language = space.language();
        error(
            ErrorCode::NotFound,
            language.memory().no_such_proposal(id),
            language.memory().see_proposals(),
        )
    })
}

/// The proposals of one site or of all, the latest first.
///
/// # Errors
/// Storage trouble.
pub fn proposals(space: &Space, site: Option<&str>) -> Result<Vec<PreferenceProposal>, UserError> {
    let uses = space
        .store
        .form_uses(site)
        .map_err(|cause| explain(space, &cause))?;
    let answers = space
        .store
        .form_answers(site)
        .map_err(|cause| explain(space, &cause))?;
    let mut by_form: Forms<Vec<&KeptFormUse>> = BTreeMap::new();
    for one in &uses {
        by_form
            .entry((one.site.clone(), one.form.clone()))
            .or_default()
            .push(one);
    }
    let kept = super::kept(space, site)?;
    // What is kept was answered, too, by whatever way it came to be as it is.
    let answers_of = |site: &str, form: &str| -> Vec<&[ChosenValue]> {
        let given = answers
            .iter()
            .filter(|answer| answer.site == site && answer.form == form)
            .map(|answer| answer.values.as_slice());
        let kept = kept
            .iter()
            .filter(|(kept, _)| kept.site == site && kept.form == form)
            .map(|(kept, _)| kept.values.as_slice());
        given.chain(kept).collect()
    };
    let mut found: Vec<PreferenceProposal> = by_form
        .into_iter()
        .filter_map(|((site, form), uses)| {
            let habit = habit(&uses, &answers_of(&site, &form))?;
            Some(proposed(site, form, habit))
        })
        .collect();
    found.extend(orders(&uses, &answers, &kept));
    found.sort_by_key(|proposal| std::cmp::Reverse(proposal.last));
    Ok(found)
}

/// The order of each site in which its forms are used again and again.
fn orders(
    uses: &[KeptFormUse],
    answers: &[FormAnswer],
    kept: &[(Preference, MemoryRecord)],
) -> Vec<PreferenceProposal> {
    let mut by_site: BTreeMap<&str, Vec<&KeptFormUse>> = BTreeMap::new();
    for one in uses {
        by_site.entry(&one.site).or_default().push(one);
    }
    let found = by_site.into_iter().filter_map(|(site, uses)| {
        let given = answers.iter().filter(|answer| answer.site == site);
        let given = given.filter_map(|answer| order::steps(&answer.values));
        let kept = kept.iter().filter(|(kept, _)| kept.site == site);
        let kept = kept.filter_map(|(kept, _)| order::steps(&kept.values));
        let answered: Vec<Vec<String>> = given.chain(kept).collect();
        Some(in_order(site, order(&uses, day, &answered)?))
    });
    found.collect()
}

/// The day of the user's calendar.
fn day(time: Moment) -> Date {
    time.timestamp().to_zoned(TimeZone::system()).date()
}

fn in_order(site: &str, order: Order) -> PreferenceProposal {
    let values = vec![order::chosen(&order.steps)];
    PreferenceProposal {
        id: id(&[site, &order::key(&order.steps)], &values),
        times: count(order.days),
        of: count(order.of),
        last: order.last,
        values,
        button: String::new(),
        site: site.to_owned(),
        form: String::new(),
    }
}

fn proposed(site: String, form: String, habit: Habit) -> PreferenceProposal {
    PreferenceProposal {
        id: id(&[&site, &form, &habit.button], &habit.values),
        times: count(habit.times),
        of: count(habit.of),
        last: habit.last,
        values: habit.values,
        button: habit.button,
        site,
        form,
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The write that notes the answer to a proposal.
pub fn answer(proposal: PreferenceProposal) -> Write {
    let form = match order::steps(&proposal.values) {
        Some(steps) => order::key(&steps),
        None => proposal.form,
    };
    Write::Form(FormWrite::Answer(FormAnswer {
        site: proposal.site,
        form,
        values: proposal.values,
    }))
}

/// Another one as soon as anything of it changes.
fn id(place: &[&str], values: &[ChosenValue]) -> String {
    let mut digest = Sha256::new();
    for text in place {
        digest.update(text);
        digest.update([0]);
    }
    for value in values {
        digest.update(&value.name);
        digest.update([0]);
        digest.update(value.value.to_string());
        digest.update([0]);
    }
    hex::encode(digest.finalize())[..ID_CHARACTERS].to_owned()
}
