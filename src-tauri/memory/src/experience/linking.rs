//! Experiences that others lead to: what a question's words found brings in one more over a link that both have. Pure.
//!
//! Links are tools, an error's class, kinds of files, hosts and sites, made when an experience is written. A tool or a
//! kind of file alone leads nowhere: half of all tasks share one.

use super::choosing::{CHOSEN_MAX, Chosen, Wanted, is_in_scope};
use super::keys::class;
use shidi_protocol::{Experience, ExperienceId, ExperienceKind, ExperienceState};
use shidi_store::ExperienceLink;
use std::collections::{BTreeMap, BTreeSet};

/// Experiences that links bring into one prompt; 0 follows none. Measured on `tests/memory/experience`, held out: R@3
/// .714 without, .804 with; 5 of 7 that they bring are wanted.
pub const LINKED_MAX: usize = 1;

/// Share of the links of what words found, weighed by rarity, that the other must have.
const NEARNESS_MIN: f64 = 0.3;

/// Share of its nearness that a linked one counts as fit: words come first.
const LINKED_SHARE: f64 = 0.5;

/// Links of one experience, and letters of one.
const LINKS_MAX: usize = 32;
const LINK_CHARACTERS_MAX: usize = 120;

/// Kinds of links that alone say too little.
const WEAK: [&str; 2] = ["tool:", "file:"];

/// What an experience has to do with.
pub fn links(experience: &Experience) -> BTreeSet<String> {
    let tools = experience.calls.iter().cloned().chain(awaited(&experience.code));
    let mut links: Vec<String> = tools.map(|tool| format!("tool:{tool}")).collect();
    let class = class(&experience.error);
    if !class.is_empty() {
        links.push(format!("error:{class}"));
    }
    let around = experience
        .context
        .iter()
        .filter(|key| !key.starts_with("toolkit:"));
    links.extend(around.cloned());
    let short = links
        .into_iter()
        .filter(|link| link.chars().count() <= LINK_CHARACTERS_MAX);
    short.take(LINKS_MAX).collect()
}

/// Tools that a program calls: `await files.read(` names one.
fn awaited(code: &str) -> impl Iterator<Item = String> {
    code.split("await ").skip(1).filter_map(|rest| {
        let (name, _) = rest.split_once('(')?;
        let (toolkit, method) = name.trim().split_once('.')?;
        let is_name = |text: &str| {
            !text.is_empty()
                && text
                    .chars()
                    .all(|sign| sign.is_ascii_alphanumeric() || sign == '_')
        };
        (is_name(toolkit) && is_name(method)).then(|| format!("{toolkit}.{method}"))
    })
}

/// The links of experiences, as far as they are known. They are those of what words found, and who else has them.
#[derive(Debug, Clone, Default)]
pub struct Links(BTreeMap<ExperienceId, BTreeSet<String>>);

impl Links {
    /// Those that the store keeps.
    pub fn kept(rows: Vec<ExperienceLink>) -> Self {
        let mut links = Self::default();
        for ExperienceLink { experience, link } in rows {
            links.0.entry(experience).or_default().insert(link);
        }
        links
    }

    /// Those of experiences as they are now.
    pub fn of(known: &[Experience]) -> Self {
        let each = known.iter().map(|one| (one.id.clone(), links(one)));
        Self(each.collect())
    }

    fn get(&self, id: &ExperienceId) -> Option<&BTreeSet<String>> {
        self.0.get(id)
    }
}

/// The experiences that `chosen` ones lead to, at most so many, and no more than a prompt has places left.
pub fn linked<'a>(
    wanted: &Wanted,
    chosen: &[Chosen<'a>],
    known: &'a [Experience],
    links: &Links,
    most: usize,
) -> Vec<Chosen<'a>> {
    let places = most.min(CHOSEN_MAX.saturating_sub(chosen.len()));
    let is_new = |one: &&Experience| {
        one.state == ExperienceState::Approved
            && one.kind != ExperienceKind::Mistake
            && is_in_scope(&one.scope, wanted)
            // A link is no reason to mark a run.
            && (!one.tainted || wanted.is_marked)
            && chosen.iter().all(|seed| seed.experience.id != one.id)
    };
    if places == 0 || chosen.is_empty() {
        return Vec::new();
    }
    let mut held: BTreeMap<&str, usize> = BTreeMap::new();
    for link in links.0.values().flatten() {
        *held.entry(link.as_str()).or_default() += 1;
    }
    let weight = |link: &String| {
        let (all, holding) = (
            known.len() as f64,
            held.get(link.as_str()).copied().unwrap_or(0) as f64,
        );
        (1.0 + (all + 1.0) / (holding + 1.0)).ln().powi(2)
    };
    let mut near: Vec<(f64, &'a Experience)> = known
        .iter()
        .filter(is_new)
        .filter_map(|one| {
            let own = links.get(&one.id)?;
            let from = chosen.iter().filter_map(|seed| {
                let nearness = nearness(links.get(&seed.experience.id)?, own, weight);
                Some(nearness * seed.fit)
            });
            let nearest = from.fold(0.0, f64::max);
            (nearest >= NEARNESS_MIN).then_some((nearest, one))
        })
        .collect();
    near.sort_by(|(left, one), (right, other)| right.total_cmp(left).then(one.id.cmp(&other.id)));
    near.truncate(places);
    let linked = |(nearness, experience): (f64, &'a Experience)| Chosen {
        experience,
        fit: nearness * LINKED_SHARE,
    };
    near.into_iter().map(linked).collect()
}

/// The share of its links that `seed` has in common with the other; none where only weak ones are shared.
fn nearness(seed: &BTreeSet<String>, other: &BTreeSet<String>, weight: impl Fn(&String) -> f64) -> f64 {
    let is_strong = |link: &String| !WEAK.iter().any(|kind| link.starts_with(kind));
    if !seed.intersection(other).any(is_strong) {
        return 0.0;
    }
    let shared: f64 = seed.intersection(other).map(&weight).sum();
    let all: f64 = seed.iter().map(&weight).sum();
    shared / all
}

#[cfg(test)]
#[path = "linking_tests.rs"]
mod tests;
