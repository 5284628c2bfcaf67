//! Generators of long results with facts to find. Every record is of the same shape; those that are asked for differ from
//! the others by the combination of names alone, each of which stands in many other records too.

use crate::words::{Vocabulary, vocabulary};
use shidi_agent::estimate_tokens;
use std::collections::HashSet;
use std::fmt::Write as _;

/// Draws of names for one record.
const DRAWS: usize = 100_000;

/// Facts of one result that are asked for.
const FACTS: usize = 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    English,
    Chinese,
}

pub struct Fact {
    pub question: String,
    /// Stands once in the text.
    pub answer: String,
}

pub struct Made {
    pub text: String,
    pub facts: Vec<Fact>,
}

pub struct Shape {
    pub name: &'static str,
    pub make: fn(&mut Dice, Language, u32) -> Made,
}

pub const SHAPES: &[Shape] = &[
    Shape {
        name: "JSON",
        make: json,
    },
    Shape {
        name: "log",
        make: log,
    },
    Shape {
        name: "table",
        make: table,
    },
    Shape {
        name: "code",
        make: code,
    },
    Shape {
        name: "prose",
        make: prose,
    },
];

/// Numbers that look random and are the same in every run.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5DEE_CE66_D1CE_4E5B)
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or_default() % bound
    }

    fn of(&mut self, words: &[&'static str]) -> &'static str {
        words[self.below(words.len())]
    }

    fn number(&mut self, digits: usize) -> String {
        let mut number = (1 + self.below(9)).to_string();
        while number.len() < digits {
            number.push_str(&self.below(10).to_string());
        }
        number
    }
}

/// One record's names: who, where, which company, which product. No two records have all of them in common.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    person: String,
    city: &'static str,
    company: &'static str,
    product: &'static str,
}

struct Keys {
    vocabulary: Vocabulary,
    used: HashSet<(String, &'static str, &'static str, &'static str)>,
}

impl Keys {
    fn new(language: Language) -> Self {
        Self {
            vocabulary: vocabulary(language),
            used: HashSet::new(),
        }
    }

    /// A key of which neither person with city nor company with product and city came before.
    fn next(&mut self, dice: &mut Dice) -> Key {
        let words = &self.vocabulary;
        let drawn = std::iter::repeat_with(|| Key {
            person: words.people[dice.below(words.people.len())].clone(),
            city: dice.of(&words.cities),
            company: dice.of(&words.companies),
            product: dice.of(&words.products),
        });
        let names = |key: &Key| {
            let company = (String::new(), key.city, key.company, key.product);
            [(key.person.clone(), key.city, "", ""), company]
        };
        let is_new = |key: &Key| names(key).iter().all(|names| !self.used.contains(names));
        // With too few names for so many records this is the end, not a search without one.
        let key = drawn.take(DRAWS).find(is_new).unwrap();
        self.used.extend(names(&key));
        key
    }
}

/// Makes records until the text is long enough, then asks for some of them.
fn made(
    dice: &mut Dice,
    language: Language,
    tokens: u32,
    mut record: impl FnMut(&mut Dice, &Key, &str) -> String,
    question: impl Fn(&mut Dice, &Key) -> String,
) -> (Vec<String>, Vec<Fact>) {
    let mut keys = Keys::new(language);
    let (mut records, mut known, mut weight) = (Vec::new(), Vec::new(), 0);
    let mut codes = HashSet::new();
    // Some signs between records weigh nothing where they are joined.
    while weight < tokens / 10 * 12 {
        let key = keys.next(dice);
        let code = loop {
            let code = dice.number(8);
            if codes.insert(code.clone()) {
                break code;
            }
        };
        let text = record(dice, &key, &code);
        weight += estimate_tokens(&text);
        records.push(text);
        known.push((key, code));
    }
    let step = known.len() / FACTS;
    let facts = (0..FACTS).map(|number| {
        let (key, code) = &known[number * step + dice.below(step)];
        Fact {
            question: question(dice, key),
            answer: code.clone(),
        }
    });
    let facts = facts.collect();
    (records, facts)
}

fn person_question(dice: &mut Dice, language: Language, key: &Key) -> String {
    let Key { person, city, .. } = key;
    match (language, dice.below(3)) {
        (Language::English, 0) => format!("What is the phone number of {person} in {city}?"),
        (Language::English, 1) => format!("phone {person} {city}"),
        (Language::English, _) => format!("Which telephone does {person} from the office in {city} have?"),
        (Language::Chinese, 0) => format!("{city}的{person}的电话是多少？"),
        (Language::Chinese, 1) => format!("{person} {city} 电话"),
        (Language::Chinese, _) => format!("请找出在{city}工作的{person}的联系电话"),
    }
}

fn json(dice: &mut Dice, language: Language, tokens: u32) -> Made {
    let fillers = vocabulary(language).fillers;
    let fields = match language {
        Language::English => [
            "employee", "name", "city", "contact", "phone", "remark", "company",
        ],
        Language::Chinese => ["员工", "姓名", "城市", "联系方式", "电话", "备注", "公司"],
    };
    let [employee, name, city, contact, phone, remark, company] = fields;
    let record = |dice: &mut Dice, key: &Key, code: &str| {
        serde_json::json!({
            employee: {name: key.person, city: key.city, company: key.company},
            contact: {phone: code, "mail": format!("{}@example.org", dice.number(6)), "fax": dice.number(9)},
            "contract": {"from": format!("2024-0{}-1{}", 1 + dice.below(9), dice.below(9)), "weeks": dice.below(12)},
            remark: dice.of(&fillers),
        })
        .to_string()
    };
    let (records, facts) = made(dice, language, tokens, record, |dice, key| {
        person_question(dice, language, key)
    });
    let list = format!("[{}]", records.join(","));
    let is_pretty = dice.below(2) == 0;
    let value: serde_json::Value = serde_json::from_str(&list).unwrap_or_default();
    let text = if is_pretty {
        serde_json::to_string_pretty(&value).unwrap_or_default()
    } else {
        list
    };
    Made { text, facts }
}

fn log(dice: &mut Dice, language: Language, tokens: u32) -> Made {
    let mut second = 0;
    let record = |dice: &mut Dice, key: &Key, code: &str| {
        second += 1 + dice.below(40);
        let time = format!(
            "2026-03-04 {:02}:{:02}:{:02}",
            second / 3600 % 24,
            second / 60 % 60,
            second % 60
        );
        let worker = dice.below(16);
        let mut text = String::new();
        for _ in 0..dice.below(4) {
            let (id, ms) = (dice.number(6), dice.below(900));
            writeln!(text, "{time} INFO worker-{worker} request {id} done in {ms} ms").unwrap_or_default();
        }
        let Key {
            city,
            company,
            product,
            ..
        } = key;
        let retries = 1 + dice.below(9);
        let failed = match language {
            Language::English => format!(
                "{time} ERROR worker-{worker} shipment of {company} {product} to {city} failed\n    caused by TimeoutError \
                 after {retries} retries\n    ticket INC-{code}\n"
            ),
            Language::Chinese => format!(
                "{time} ERROR worker-{worker} {company}公司的{product}发往{city}失败\n    原因 超时，已重试 {retries} 次\n    \
                 工单 INC-{code}\n"
            ),
        };
        text.push_str(&failed);
        text
    };
    let question = |dice: &mut Dice, key: &Key| {
        let Key {
            city,
            company,
            product,
            ..
        } = key;
        match (language, dice.below(2)) {
            (Language::English, 0) => {
                format!("Which ticket was opened when the {company} {product} shipment to {city} failed?")
            }
            (Language::English, _) => format!("ticket of the failed shipment {company} {product} {city}"),
            (Language::Chinese, 0) => format!("{company}公司发往{city}的{product}失败后开的是哪个工单？"),
            (Language::Chinese, _) => format!("{company} {product} {city} 失败 工单"),
        }
    };
    let (records, facts) = made(dice, language, tokens, record, question);
    Made {
        text: records.concat(),
        facts,
    }
}

fn table(dice: &mut Dice, language: Language, tokens: u32) -> Made {
    let separator = ["\t", ",", " | "][dice.below(3)];
    let fillers = vocabulary(language).fillers;
    let mut row_number = 0;
    let record = |dice: &mut Dice, key: &Key, code: &str| {
        row_number += 1;
        let Key {
            person,
            city,
            company,
            product,
        } = key;
        let amount = dice.number(5);
        let state = dice.of(match language {
            Language::English => &["open", "paid", "late"],
            Language::Chinese => &["未付", "已付", "逾期"],
        });
        let remark = dice.of(&fillers).replace(',', ";");
        let cells = [
            row_number.to_string(),
            person.clone(),
            (*city).to_owned(),
            (*company).to_owned(),
            (*product).to_owned(),
        ];
        format!(
            "{}{separator}{amount}{separator}{state}{separator}{code}{separator}{remark}",
            cells.join(separator)
        )
    };
    let question = |dice: &mut Dice, key: &Key| {
        let Key {
            city,
            company,
            product,
            person,
        } = key;
        match (language, dice.below(2)) {
            (Language::English, 0) => {
                format!("What is the tracking number of the {product} that {company} sent to {city}?")
            }
            (Language::English, _) => format!("tracking number of the order of {person} in {city}"),
            (Language::Chinese, 0) => format!("{company}发往{city}的{product}的运单号是多少？"),
            (Language::Chinese, _) => format!("{city}的{person}那一单的运单号"),
        }
    };
    let (records, facts) = made(dice, language, tokens, record, question);
    let header = match language {
        Language::English => [
            "number", "buyer", "city", "company", "product", "amount", "state", "tracking", "remark",
        ],
        Language::Chinese => [
            "序号",
            "买家",
            "城市",
            "公司",
            "产品",
            "金额",
            "状态",
            "运单号",
            "备注",
        ],
    };
    Made {
        text: format!("{}\n{}\n", header.join(separator), records.join("\n")),
        facts,
    }
}

fn code(dice: &mut Dice, language: Language, tokens: u32) -> Made {
    const CITIES: [&str; 12] = [
        "oslo", "lyon", "porto", "graz", "turin", "ghent", "malmo", "bergen", "zurich", "leeds", "cork",
        "lodz",
    ];
    const STEPS: [&str; 4] = [
        "self.log.debug('next step')",
        "rows = [row for row in rows if row.valid]",
        "self.check(rows, strict=False)",
        "total = sum(row.amount for row in rows)",
    ];
    let english = vocabulary(Language::English);
    let in_english = |key: &Key| {
        let words = vocabulary(language);
        let at = |list: &[&str], word: &str| list.iter().position(|other| *other == word).unwrap_or_default();
        let city = CITIES[at(&words.cities, key.city)];
        let company = english.companies[at(&words.companies, key.company)];
        let product = english.products[at(&words.products, key.product)];
        (city, company, product)
    };
    let record = |dice: &mut Dice, key: &Key, code: &str| {
        let (city, company, product) = in_english(key);
        let remark = match language {
            Language::English => format!("Sends the {product} orders of {company} to {city}."),
            Language::Chinese => format!("把{}的{}订单发到{}。", key.company, key.product, key.city),
        };
        let mut text = format!(
            "class {company}{}Client(BaseClient):\n    \"\"\"{remark}\"\"\"\n\n",
            capital(product)
        );
        writeln!(
            text,
            "    def upload_to_{city}(self, rows, maxRetries={}):",
            dice.below(9)
        )
        .unwrap_or_default();
        for _ in 0..6 + dice.below(14) {
            writeln!(text, "        {}", dice.of(&STEPS)).unwrap_or_default();
        }
        writeln!(
            text,
            "        accessCode = \"{code}\"\n        return self.send(rows, accessCode)\n\n"
        )
        .unwrap_or_default();
        text
    };
    let question = |dice: &mut Dice, key: &Key| {
        let (city, company, product) = in_english(key);
        let client = format!("{company}{}Client", capital(product));
        match (language, dice.below(2)) {
            (Language::English, 0) => format!("Which access code does {client}.upload_to_{city} use?"),
            (Language::English, _) => format!("access code of the {company} {product} client for {city}"),
            (Language::Chinese, 0) => format!("{client} 的 upload_to_{city} 用的 accessCode 是多少？"),
            (Language::Chinese, _) => format!(
                "{}的{}订单发到{}时用的 accessCode",
                key.company, key.product, key.city
            ),
        }
    };
    let (records, facts) = made(dice, language, tokens, record, question);
    Made {
        text: records.concat(),
        facts,
    }
}

fn capital(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    format!("{}{rest}", first.to_uppercase())
}

fn prose(dice: &mut Dice, language: Language, tokens: u32) -> Made {
    let fillers = vocabulary(language).fillers;
    let record = |dice: &mut Dice, key: &Key, code: &str| {
        let Key {
            city,
            company,
            product,
            person,
        } = key;
        let (before, after) = (dice.of(&fillers), dice.of(&fillers));
        let day = 1 + dice.below(28);
        match language {
            Language::English => format!(
                "{before} On {day} March the board of {company} agreed with {person} to move the {product} works to {city}. {after} \
                 The budget for it is kept in the books under file {code}. {}",
                dice.of(&fillers)
            ),
            Language::Chinese => format!(
                "{before}三月{day}日，{company}公司董事会与{person}商定，把{product}车间迁往{city}。{after}为此编列的预算记在案卷 \
                 {code} 号。{}",
                dice.of(&fillers)
            ),
        }
    };
    let question = |dice: &mut Dice, key: &Key| {
        let Key {
            city,
            company,
            product,
            person,
        } = key;
        match (language, dice.below(2)) {
            (Language::English, 0) => format!(
                "Under which file is the budget kept for moving the {product} works of {company} to {city}?"
            ),
            (Language::English, _) => format!("file of the budget that was agreed with {person} for {city}"),
            (Language::Chinese, 0) => format!("{company}公司把{product}车间迁往{city}的预算记在哪个案卷？"),
            (Language::Chinese, _) => format!("与{person}商定迁往{city}的那笔预算的案卷号"),
        }
    };
    let (records, facts) = made(dice, language, tokens, record, question);
    // Some reports have short paragraphs, some are one long line.
    let between = ["\n\n", "\n", " "][dice.below(3)];
    Made {
        text: records.join(between),
        facts,
    }
}
