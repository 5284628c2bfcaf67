//! Which reviewed experiences go into a prompt (F6.7): a few that fit the question, the proven ones first. Local and pure.
//!
//! The fit is told by the words of the goal, weighed by how rare they are among the experiences. The question's
//! surroundings count, too. The trust is told by the outcomes of the runs that used the experience.

use super::teaching::surroundings;
use shidi_protocol::{Ask, Experience, ExperienceKind, ExperienceState, MemoryScope, SessionId};
use shidi_store::question_terms;
use std::collections::{BTreeSet, HashMap};

/// Experiences of one prompt, and warnings among them: models follow examples closely, also those that fit badly.
pub const CHOSEN_MAX: usize = 3;
const WARNINGS_MAX: usize = 2;

/// How well the words of a goal must fit the words of a question, from 0 to 1. At half, both are the same.
const FIT_MIN: f64 = 0.45;

/// What a shared kind of file or site adds, once: the words decide.
const SURROUNDINGS: f64 = 0.1;

/// The user's review counts as one success, so that what was never used yet has some trust.
const REVIEWED_WINS: u32 = 1;

/// The share of its fit that an experience keeps when no outcome speaks for it.
const UNTRUSTED_SHARE: f64 = 0.5;

/// The question that experiences are looked for with.
#[derive(Debug, Clone)]
pub struct Wanted {
    pub question: String,
    pub session: SessionId,
    /// `None` for the usual one.
    pub assistant: Option<String>,
    /// Canonical address of the page in front.
    pub page: Option<String>,
    pub around: BTreeSet<String>,
    /// Whether the run reads a stranger's words anyhow: a page is in front, or files are attached.
    pub is_marked: bool,
}

impl Wanted {
    pub fn of(ask: &Ask, session: &SessionId) -> Self {
        let address = ask.context.as_ref().and_then(|context| context["url"].as_str());
        let page = address
            .map(shidi_store::canonical)
            .filter(|page| !page.is_empty());
        Self {
            question: ask.question().to_owned(),
            session: session.clone(),
            assistant: ask.assistant.clone(),
            is_marked: page.is_some() || !ask.files.is_empty(),
            page,
            around: surroundings(ask),
        }
    }
}

/// An experience that fits.
#[derive(Debug, Clone, Copy)]
pub struct Chosen<'a> {
    pub experience: &'a Experience,
    /// From 0 to 1.
    pub fit: f64,
}

/// How far the outcomes speak for an experience, from 0 to 1. Never falls with a win, never rises with a loss.
pub fn trust(wins: u32, losses: u32) -> f64 {
    Experience::lower_bound(wins.saturating_add(REVIEWED_WINS), losses)
}

/// The fitting experiences, best first. Only approved ones are chosen.
pub fn choose<'a>(wanted: &Wanted, known: &'a [Experience]) -> Vec<Chosen<'a>> {
    let asked: BTreeSet<String> = question_terms(&wanted.question).into_iter().collect();
    let terms: Vec<BTreeSet<String>> = known
        .iter()
        .map(|experience| question_terms(&experience.goal).into_iter().collect())
        .collect();
    let mut held: HashMap<&str, usize> = HashMap::new();
    for term in terms.iter().flatten() {
        *held.entry(term.as_str()).or_default() += 1;
    }
    let weight = |term: &String| {
        let (all, holding) = (
            known.len() as f64,
            held.get(term.as_str()).copied().unwrap_or(0) as f64,
        );
        (1.0 + (all + 1.0) / (holding + 1.0)).ln()
    };
    let mut fitting: Vec<(f64, Chosen<'a>)> = Vec::new();
    for (experience, terms) in known.iter().zip(&terms) {
        let is_meant = experience.state == ExperienceState::Approved
            && experience.kind != ExperienceKind::Mistake
            && is_in_scope(&experience.scope, wanted);
        if !is_meant {
            continue;
        }
        let words = likeness(&asked, terms, weight);
        if words < FIT_MIN {
            continue;
        }
        let shares = experience
            .context
            .iter()
            .any(|key| !key.starts_with("toolkit:") && wanted.around.contains(key));
        let fit = (words + if shares { SURROUNDINGS } else { 0.0 }).min(1.0);
        let trusted = UNTRUSTED_SHARE + (1.0 - UNTRUSTED_SHARE) * trust(experience.wins, experience.losses);
        fitting.push((fit * trusted, Chosen { experience, fit }));
    }
    fitting.sort_by(|(left, one), (right, other)| {
        right
            .total_cmp(left)
            .then(other.experience.decided.cmp(&one.experience.decided))
            .then(one.experience.id.cmp(&other.experience.id))
    });
    let mut warnings = 0;
    fitting.retain(|(_, chosen)| {
        let is_warning = chosen.experience.kind == ExperienceKind::Warning;
        warnings += usize::from(is_warning);
        !is_warning || warnings <= WARNINGS_MAX
    });
    fitting.truncate(CHOSEN_MAX);
    fitting.into_iter().map(|(_, chosen)| chosen).collect()
}

/// Share of the weights that both have: the cosine of the two sets.
fn likeness(one: &BTreeSet<String>, other: &BTreeSet<String>, weight: impl Fn(&String) -> f64) -> f64 {
    let squared =
        |terms: &mut dyn Iterator<Item = &String>| terms.map(|term| weight(term).powi(2)).sum::<f64>();
    let both = squared(&mut one.intersection(other));
    let (first, second) = (squared(&mut one.iter()), squared(&mut other.iter()));
    if first == 0.0 || second == 0.0 {
        return 0.0;
    }
    both / (first * second).sqrt()
}

/// Whether an experience of that scope may go along with the question.
pub fn is_in_scope(scope: &MemoryScope, wanted: &Wanted) -> bool {
    match scope {
        MemoryScope::User => true,
        MemoryScope::Session(session) => *session == wanted.session,
        MemoryScope::Site(site) => wanted.page.as_ref().is_some_and(|page| {
            let rest = page.strip_prefix(site.trim_end_matches('/'));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }),
        MemoryScope::Assistant(name) => wanted.assistant.as_ref() == Some(name),
        MemoryScope::Base(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shidi_protocol::{ExperienceDraft, ExperienceId, Moment};

    fn approved(id: &str, goal: &str) -> Experience {
        let draft = ExperienceDraft {
            goal: goal.to_owned(),
            ..ExperienceDraft::default()
        };
        Experience::written(ExperienceId::from(id), draft, Moment(1))
    }

    fn wanted(question: &str) -> Wanted {
        let ask = Ask {
            text: question.to_owned(),
            ..Ask::default()
        };
        Wanted::of(&ask, &SessionId::from("s1"))
    }

    fn ids(wanted: &Wanted, known: &[Experience]) -> Vec<String> {
        let chosen = choose(wanted, known);
        chosen
            .iter()
            .map(|chosen| chosen.experience.id.to_string())
            .collect()
    }

    fn known() -> Vec<Experience> {
        vec![
            approved("orders", "How many orders are in sales.csv?"),
            approved("mail", "Draft a mail to the supplier about the late delivery"),
            approved("zh", "统计 sales.csv 里每个月的订单数"),
            approved("log", "日志里有多少条报错，按小时画图"),
        ]
    }

    #[test]
    fn what_fits_the_question_is_chosen_in_both_languages_and_nothing_for_another_one() {
        let known = known();
        for (question, chosen) in [
            ("how many orders does sales.csv have", vec!["orders"]),
            ("How many orders are in returns.csv?", vec!["orders"]),
            ("统计 sales.csv 每个月的订单数", vec!["zh"]),
            ("看看今天的日志有多少条报错，按小时画个图", vec!["log"]),
            ("Write a mail to the supplier: the delivery is late", vec!["mail"]),
            ("What is the capital of France?", vec![]),
            ("今天天气怎么样", vec![]),
            ("", vec![]),
        ] {
            assert_eq!(ids(&wanted(question), &known), chosen, "{question}");
        }
    }

    #[test]
    fn nothing_but_what_is_approved_is_chosen_and_only_where_it_belongs() {
        let mut known = vec![approved("a", "How many orders are in sales.csv?")];
        let mut asked = wanted("How many orders are in sales.csv?");
        for state in ExperienceState::ALL {
            known[0].state = state;
            let is_chosen = !ids(&asked, &known).is_empty();
            assert_eq!(is_chosen, state == ExperienceState::Approved, "{state:?}");
        }
        known[0].state = ExperienceState::Approved;
        for (scope, is_chosen) in [
            ("user", true),
            ("assistant:ops", false),
            ("session:s1", true),
            ("session:s2", false),
            ("site:https://shop.example/admin", true),
            ("site:https://shop.example/adm", false),
            ("base:handbook", false),
        ] {
            known[0].scope = scope.parse().unwrap();
            asked.page = Some("https://shop.example/admin/orders".to_owned());
            assert_eq!(!ids(&asked, &known).is_empty(), is_chosen, "{scope}");
        }
    }

    #[test]
    fn of_equals_the_proven_ones_come_first_and_warnings_do_not_take_every_place() {
        let goal = "How many orders are in sales.csv?";
        let mut known: Vec<Experience> = (0..6).map(|at| approved(&format!("e{at}"), goal)).collect();
        for warning in known.iter_mut().take(4) {
            warning.kind = ExperienceKind::Warning;
            warning.wins = 9;
        }
        known[4].wins = 1;
        known[5].wins = 5;
        assert_eq!(ids(&wanted(goal), &known), ["e0", "e1", "e5"]);
    }

    proptest! {
        #[test]
        fn ranking_is_monotone_a_win_never_ranks_lower_and_a_loss_never_higher(
            wins in 0_u32..1_000,
            losses in 0_u32..1_000,
        ) {
            prop_assert!(trust(wins + 1, losses) >= trust(wins, losses));
            prop_assert!(trust(wins, losses + 1) <= trust(wins, losses));
            let goal = "How many orders are in sales.csv?";
            let mut pair = vec![approved("a", goal), approved("b", goal)];
            for experience in &mut pair {
                (experience.wins, experience.losses) = (wins, losses);
            }
            pair[1].wins += 1;
            prop_assert_eq!(&ids(&wanted(goal), &pair)[0], "b");
            pair[1].wins -= 1;
            pair[0].losses += 1;
            prop_assert_eq!(&ids(&wanted(goal), &pair)[0], "b");
        }
    }
}
