//! What a run takes of its assistant: models, sampling, permissions. Pure.

use shidi_agent::permissions::{Grants, Pattern, Rule};
use shidi_models::RoleSampling;
use shidi_protocol::{AssistantPermissions, AssistantSpec, Mode, Sampling, Verdict};
use std::collections::BTreeMap;

/// The setting of each model that an assistant may have of its own.
const SETTINGS: [(&str, &str); 5] = [
    ("main", "model"),
    ("coder", "role.coder"),
    ("general", "role.general"),
    ("fast", "role.fast"),
    ("vision", "role.vision"),
];

/// The settings of a run: the question's own, and behind them the assistant's models. Who names a model with a question
/// wants that one.
#[must_use]
pub fn overrides(spec: &AssistantSpec, own: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut overrides = own.clone();
    let names_model = |key: &&str| own.contains_key(*key);
    if ["model", "model_url", "provider"].iter().any(names_model) {
        return overrides;
    }
    for (name, model) in &spec.models {
        if let Some((_, setting)) = SETTINGS.iter().find(|(known, _)| known == name) {
            overrides
                .entry((*setting).to_owned())
                .or_insert_with(|| model.clone());
        }
    }
    overrides
}

/// How freely its models choose their words.
#[must_use]
pub fn sampling(spec: &AssistantSpec) -> RoleSampling {
    let of = |role: &str| -> Sampling {
        let own = spec.role_sampling.get(role).copied().unwrap_or_default();
        own.or(spec.sampling)
    };
    RoleSampling {
        coder: of("coder"),
        general: of("general"),
        fast: of("fast"),
    }
}

/// What the user grants, narrowed by what the file says. What it allows holds behind the user's own rules.
#[must_use]
pub fn narrowed(permissions: &AssistantPermissions, mut grants: Grants) -> Grants {
    if let Some(most) = permissions.mode
        && trust(most) < trust(grants.mode)
    {
        grants.mode = most;
    }
    let lists = [
        (Verdict::Deny, &permissions.deny),
        (Verdict::Ask, &permissions.ask),
        (Verdict::Allow, &permissions.allow),
    ];
    for (verdict, patterns) in lists {
        let rules = patterns.iter().filter_map(|text| {
            let pattern = Pattern::parse(text).ok()?;
            Some(Rule { pattern, verdict })
        });
        grants.rules.extend(rules);
    }
    grants
}

fn trust(mode: Mode) -> u8 {
    match mode {
        Mode::Ask => 0,
        Mode::Risky => 1,
        Mode::Trust => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shidi_protocol::{Call, CallId, Class, ExecId};

    fn spec() -> AssistantSpec {
        AssistantSpec {
            models: [("main", "m"), ("fast", "f")]
                .map(|(name, model)| (name.to_owned(), model.to_owned()))
                .into(),
            ..AssistantSpec::default()
        }
    }

    #[test]
    fn its_models_stand_behind_those_that_a_question_names() {
        let none = overrides(&spec(), &BTreeMap::new());
        assert_eq!((none["model"].as_str(), none["role.fast"].as_str()), ("m", "f"));
        let own: BTreeMap<String, String> = [("role.fast".to_owned(), "mine".to_owned())].into();
        assert_eq!(overrides(&spec(), &own)["role.fast"], "mine");
        let named: BTreeMap<String, String> = [("model".to_owned(), "mine".to_owned())].into();
        assert_eq!(overrides(&spec(), &named), named);
    }

    #[test]
    fn what_a_role_does_not_say_is_what_all_roles_have() {
        let mut spec = spec();
        spec.sampling.temperature = Some(0.4);
        spec.sampling.seed = Some(3);
        let fast = Sampling {
            temperature: Some(0.0),
            ..Sampling::default()
        };
        spec.role_sampling.insert("fast".to_owned(), fast);
        let sampling = sampling(&spec);
        assert_eq!(
            (sampling.fast.temperature, sampling.fast.seed),
            (Some(0.0), Some(3))
        );
        assert_eq!(sampling.coder.temperature, Some(0.4));
    }

    #[test]
    fn a_file_takes_trust_away_and_gives_none_and_the_users_rules_come_first() {
        let permissions = AssistantPermissions {
            mode: Some(Mode::Trust),
            allow: vec!["web.fetch".to_owned()],
            ask: Vec::new(),
            deny: vec!["shell.run".to_owned()],
        };
        let pattern = Pattern::parse("web.fetch").expect("a pattern");
        let grants = Grants {
            mode: Mode::Ask,
            rules: vec![Rule {
                pattern,
                verdict: Verdict::Ask,
            }],
            approved: Vec::new(),
            ..Grants::default()
        };
        let narrowed_grants = narrowed(&permissions, grants);
        assert_eq!(narrowed_grants.mode, Mode::Ask, "it can't trust for its user");
        let call = |toolkit: &str, method: &str| Call {
            id: CallId(1),
            exec: ExecId(1),
            toolkit: toolkit.to_owned(),
            method: method.to_owned(),
            args: serde_json::Map::new(),
            line: 1,
            places: BTreeMap::new(),
        };
        let decide = |toolkit: &str, method: &str, class| {
            narrowed_grants
                .decide(&call(toolkit, method), class, false)
                .verdict
        };
        assert_eq!(decide("web", "fetch", Class::NetworkRead), Verdict::Ask);
        assert_eq!(decide("shell", "run", Class::Execute), Verdict::Deny);
        let careful = AssistantPermissions {
            mode: Some(Mode::Ask),
            ..AssistantPermissions::default()
        };
        assert_eq!(narrowed(&careful, Grants::default()).mode, Mode::Ask);
    }
}
