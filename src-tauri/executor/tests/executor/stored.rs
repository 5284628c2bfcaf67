//! Variables restored in another worker are unchanged, for every storable kind: value, stored form, value.

use crate::common::{run, run_with, session, value};
use proptest::prelude::*;
use serde_json::{Value, json};
use shidi_executor::{Limits, Outcome, Session};

/// Makes random values of every storable kind, and tells whether two look the same to a program.
const MAKER: &str = "
import collections, datetime, decimal, fractions, math, random, uuid, zoneinfo

def text(chance):
    return chance.choice(['', 'a', '$shidi', 'of', 'tuple', '你好 👋', 'nan', '{\"$shidi\": \"set\"}', '\\n\\0', '2026-11-22'])

def zone(chance):
    offset = datetime.timedelta(minutes=chance.randrange(-800, 800))
    return chance.choice([None, datetime.timezone.utc, datetime.timezone(offset), datetime.timezone(offset, 'X'), zoneinfo.ZoneInfo('Asia/Shanghai'), zoneinfo.ZoneInfo('America/New_York')])

def moment(chance):
    return datetime.datetime(chance.randrange(1, 9999), 11, 1, chance.randrange(24), 30, 1, chance.choice([0, 7, 999_999]), zone(chance), fold=chance.randrange(2))

def leaf(chance):
    return chance.choice([
        lambda: None, lambda: chance.random() < 0.5, lambda: text(chance),
        lambda: chance.choice([0, -1, 2**63 - 1, -2**63, 2**63, -2**63 - 1, 10**40, -(7**6000), 1 << 20_000]),
        lambda: chance.choice([0.0, -0.0, 0.1, 1e308, 5e-324, math.nan, math.inf, -math.inf, chance.random()]),
        lambda: bytes(chance.randrange(256) for _ in range(chance.randrange(4))), lambda: bytearray(b'\\xff\\0'),
        lambda: complex(chance.choice([-0.0, 1.5, math.inf]), 2), lambda: range(chance.randrange(5), 9, 2),
        lambda: moment(chance).date(), lambda: moment(chance).timetz(), lambda: moment(chance), lambda: moment(chance),
        lambda: datetime.timedelta(chance.randrange(-999, 999), 5, 3), lambda: zone(chance) or datetime.timezone.utc,
        lambda: decimal.Decimal(chance.choice(['0.10', '-0E-7', 'NaN', 'Infinity', '1E+999', '123456789012345678901234567890.5'])),
        lambda: fractions.Fraction(chance.randrange(-9, 9), 7), lambda: uuid.UUID(int=chance.getrandbits(128)),
    ])()

def key(chance):
    made = leaf(chance)
    try:
        hash(made)
        return made
    except TypeError:
        return text(chance)

def any_value(chance, depth=0):
    if depth > 3 or chance.random() < 0.4:
        return leaf(chance)
    items = [any_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    keys = [key(chance) for _ in items]
    return chance.choice([
        lambda: items, lambda: tuple(items), lambda: set(keys), lambda: frozenset(keys),
        lambda: dict(zip(keys, items)), lambda: {text(chance): item for item in items}, lambda: {'$shidi': 'tuple', 'of': items},
        lambda: collections.OrderedDict(zip(keys, items)), lambda: collections.Counter({k: 2 for k in keys}),
        lambda: collections.defaultdict(chance.choice([None, list, int]), zip(keys, items)),
        lambda: collections.deque(items, chance.choice([None, 3])),
    ])()

def same(a, b):
    if type(a) is not type(b):
        return False
    if isinstance(a, float):
        return repr(a) == repr(b)
    if isinstance(a, (list, tuple, collections.deque)):
        return len(a) == len(b) and getattr(a, 'maxlen', 0) == getattr(b, 'maxlen', 0) and all(map(same, a, b))
    if isinstance(a, dict):
        return getattr(a, 'default_factory', 0) == getattr(b, 'default_factory', 0) and same(list(a.items()), list(b.items()))
    if isinstance(a, (set, frozenset)):
        return len(a) == len(b) and all(any(same(x, y) for y in b) for x in a)
    if isinstance(a, (datetime.datetime, datetime.time)):
        return repr(a) == repr(b) and a.fold == b.fold
    if isinstance(a, (datetime.tzinfo, decimal.Decimal, complex)):
        return repr(a) == repr(b)
    return a == b
";

fn handed_on(outcome: &Outcome) -> Vec<(String, Value)> {
    let variables = outcome.variables.iter();
    variables
        .filter_map(|variable| Some((variable.name.clone(), variable.value.clone()?)))
        .collect()
}

/// Values made from a seed, and the names of values that a fresh worker restores differently.
fn changed(first: &mut Session, seed: u64) -> Value {
    let source = format!(
        "{MAKER}\nchance = random.Random({seed})\nfor at in range(30):\n    globals()[f'v{{at}}'] = any_value(chance)\ndel chance, at"
    );
    let outcome = run(first, &source);
    assert_eq!(outcome.error, None, "seed {seed}");
    let kept = handed_on(&outcome);
    assert_eq!(
        kept.len(),
        30,
        "seed {seed}: every one has a form: {:?}",
        outcome
            .variables
            .iter()
            .filter(|one| one.value.is_none())
            .collect::<Vec<_>>()
    );
    // The store keeps variables as text.
    let kept = kept.into_iter().map(|(name, value)| {
        let text = value.to_string();
        (name, serde_json::from_str(&text).expect("JSON"))
    });
    let mut second = session();
    let source = format!(
        "{MAKER}\nchance = random.Random({seed})\n[f'v{{at}}: {{made!r}} is {{globals()[f\"v{{at}}\"]!r}}'[:300] for at in range(30) for made in [any_value(chance)] if not same(made, globals()[f'v{{at}}'])]"
    );
    let (outcome, _) = run_with(&mut second, &source, &Limits::default(), kept.collect());
    assert_eq!(outcome.error, None, "seed {seed}");
    outcome.value
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn a_variable_is_in_a_fresh_worker_what_it_was(seed in any::<u64>()) {
        prop_assert_eq!(changed(&mut session(), seed), json!([]));
    }
}

#[test]
fn classes_of_the_program_and_functions_are_named_and_not_kept() {
    let outcome = run(
        &mut session(),
        "import decimal\nfrom collections import defaultdict\nclass Decimal(decimal.Decimal):\n    pass\nDecimal.__module__ = 'decimal'\n\
         own = Decimal(1)\nclass Row:\n    pass\nrow = [Row()]\nwith_function = defaultdict(lambda: 1)\nhalf = '\\ud800'\nround = []\nround.append(round)\nfine = {1, 2}",
    );
    let kept: Vec<String> = handed_on(&outcome).into_iter().map(|(name, _)| name).collect();
    assert_eq!(kept, ["fine"], "{:?}", outcome.variables);
}

#[test]
fn a_mark_that_makes_no_sense_stays_what_it_says() {
    let odd = json!([
        {"$shidi": "date", "of": "yesterday"},
        {"$shidi": "os", "of": "system"},
        {"$shidi": ["tuple"], "of": 1},
        {"$shidi": "tuple", "of": [1], "more": 2},
        {"$shidi": "deque", "of": 7},
    ]);
    let mut fresh = session();
    let (outcome, _) = run_with(
        &mut fresh,
        "odd",
        &Limits::default(),
        vec![("odd".to_owned(), odd.clone())],
    );
    assert_eq!(outcome.value, odd);
    assert_eq!(value(&mut fresh, "1 + 1"), json!(2));
}
