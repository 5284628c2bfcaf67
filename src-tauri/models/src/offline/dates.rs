//! Dates: weekdays, days between, days from now, adding weeks and months, the time now.
//!
//! Every answer names the whole date that it assumed, so that the user sees a wrong reading. Today comes from
//! the program's own call of the clock. Lunar holidays and other time zones are not known here.

mod day;
mod questions;

use super::Plan;
use super::text::{core, python_string};
use day::{Day, Occurrence};
use questions::{Question, Span};
use shidi_locales::Language;

const WEEKDAYS_ENGLISH: &str =
    r#"["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]"#;
const WEEKDAYS_CHINESE: &str = r#"["星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"]"#;

/// The plan for a question about dates. `question` is half-width and lower-case.
pub(super) fn plan(question: &str, language: Language) -> Option<Plan> {
    let core = core(question)?;
    let asked = questions::read(question.trim_end_matches(['?', '!', '.', ' ']), &core)?;
    let days: Vec<&Day> = match &asked {
        Question::Now => Vec::new(),
        Question::Which(day) | Question::Until(day, _) | Question::Since(day, _) => vec![day],
        Question::Between(from, to, _) => vec![from, to],
    };
    if days.iter().any(|day| !day.exists()) {
        return Some(Plan::Say(language.planner().no_such_date().to_owned()));
    }
    let program = match asked {
        Question::Now => now(language),
        Question::Which(day) => which(&day, language),
        Question::Until(day, span) => until(&day, span, language),
        Question::Since(day, span) => since(&day, span, language),
        Question::Between(from, to, span) => between(&from, &to, span, language),
    };
    Some(Plan::Run {
        thought: language.planner().thought_dates().to_owned(),
        program,
    })
}

fn now(language: Language) -> String {
    let text = match language {
        Language::Zh => format!(
            "{}[day.weekday()] + \"，\" + now[\"date\"] + \" \" + now[\"iso\"][11:16] + \"（\" + now[\"timezone\"] + \"）\"",
            WEEKDAYS_CHINESE
        ),
        _ => {
            "now[\"weekday\"] + \", \" + now[\"date\"] + \" \" + now[\"iso\"][11:16] + \" (\" + now[\"timezone\"] + \")\"".to_owned()
        }
    };
    let lead = python_string(language.planner().it_is());
    let day = match language {
        Language::Zh => {
            "parts = now[\"date\"].split(\"-\")\nday = datetime.date(int(parts[0]), int(parts[1]), int(parts[2]))\n"
        }
        _ => "",
    };
    let import = if day.is_empty() { "" } else { "import datetime\n" };
    format!("{import}now = (await system.time()).data\n{day}await user.say(text={lead} + {text})")
}

fn which(day: &Day, language: Language) -> String {
    let mut program = start(&[day]);
    program.push_str(&day.python("day", Occurrence::ThisYear));
    let weekdays = weekdays(language);
    let text = match language {
        Language::Zh => "str(day) + \" 是\" + weekdays[day.weekday()]".to_owned(),
        _ => "str(day) + \" is a \" + weekdays[day.weekday()]".to_owned(),
    };
    program.push_str(&format!("weekdays = {weekdays}\nawait user.say(text={text})"));
    program
}

fn until(day: &Day, span: Span, language: Language) -> String {
    let mut program = start(&[day, &Day::Today(0)]);
    program.push_str(&day.python("day", Occurrence::Next));
    program.push_str("result = (day - today).days\n");
    let (ahead, behind) = match language {
        Language::Zh => (
            format!(
                "\"距离 \" + str(day) + \" 还有 \" + {}",
                span.python("result", language)
            ),
            format!("str(day) + \" 已经过去 \" + {}", span.python("-result", language)),
        ),
        _ => (
            format!("{} + \" until \" + str(day)", span.python("result", language)),
            format!(
                "str(day) + \" was \" + {} + \" ago\"",
                span.python("-result", language)
            ),
        ),
    };
    program.push_str(&format!(
        "text = {ahead} if result >= 0 else {behind}\nawait user.say(text=text)"
    ));
    program
}

fn since(day: &Day, span: Span, language: Language) -> String {
    let mut program = start(&[day, &Day::Today(0)]);
    program.push_str(&day.python("day", Occurrence::Last));
    program.push_str("result = (today - day).days\n");
    let (behind, ahead) = match language {
        Language::Zh => (
            format!(
                "\"从 \" + str(day) + \" 到今天过了 \" + {}",
                span.python("result", language)
            ),
            format!(
                "str(day) + \" 还没到，还有 \" + {}",
                span.python("-result", language)
            ),
        ),
        _ => (
            format!("{} + \" since \" + str(day)", span.python("result", language)),
            format!(
                "str(day) + \" is still \" + {} + \" away\"",
                span.python("-result", language)
            ),
        ),
    };
    program.push_str(&format!(
        "text = {behind} if result >= 0 else {ahead}\nawait user.say(text=text)"
    ));
    program
}

fn between(from: &Day, to: &Day, span: Span, language: Language) -> String {
    let mut program = start(&[from, to]);
    program.push_str(&from.python("first", Occurrence::ThisYear));
    program.push_str(&to.python("last", Occurrence::ThisYear));
    // A day without a year is put into the year that keeps the order of the two days.
    if to.lacks_year() {
        program.push_str("if last < first:\n    last = datetime.date(last.year + 1, last.month, last.day)\n");
    } else if from.lacks_year() {
        program.push_str(
            "if last < first:\n    first = datetime.date(first.year - 1, first.month, first.day)\n",
        );
    }
    program.push_str("result = abs((last - first).days)\n");
    let result = span.python("result", language);
    let text = match (language, span) {
        (Language::Zh, Span::Days) => {
            format!(
                "str(first) + \" 到 \" + str(last) + \" 相差 \" + {result} + \"（首尾都算是 \" + str(result + 1) + \" 天）\""
            )
        }
        (Language::Zh, Span::Weeks) => {
            format!("str(first) + \" 到 \" + str(last) + \" 相差 \" + {result}")
        }
        (_, Span::Days) => {
            format!(
                "str(first) + \" to \" + str(last) + \": \" + {result} + \" (\" + str(result + 1) + \" counting both ends)\""
            )
        }
        (_, Span::Weeks) => format!("str(first) + \" to \" + str(last) + \": \" + {result}"),
    };
    program.push_str(&format!("await user.say(text={text})"));
    program
}

/// The lines that every program about these days begins with.
fn start(days: &[&Day]) -> String {
    let mut program = "import datetime\n".to_owned();
    if days.iter().any(|day| day.needs_today()) {
        program.push_str(
            "parts = (await system.time()).data[\"date\"].split(\"-\")\ntoday = datetime.date(int(parts[0]), int(parts[1]), int(parts[2]))\n",
        );
    }
    program
}

fn weekdays(language: Language) -> &'static str {
    match language {
        Language::Zh => WEEKDAYS_CHINESE,
        _ => WEEKDAYS_ENGLISH,
    }
}

impl Span {
    /// Python text that words a number of days in this span.
    fn python(self, days: &str, language: Language) -> String {
        let text = |word: &str| python_string(word);
        match (self, language) {
            (Self::Days, Language::Zh) => format!("str({days}) + {}", text(" 天")),
            (Self::Days, _) => {
                format!("str({days}) + (\" day\" if {days} == 1 else \" days\")")
            }
            (Self::Weeks, Language::Zh) => format!(
                "str(({days}) // 7) + {} + str(({days}) % 7) + {}",
                text(" 周零 "),
                text(" 天")
            ),
            (Self::Weeks, _) => format!(
                "str(({days}) // 7) + {} + str(({days}) % 7) + {}",
                text(" weeks and "),
                text(" days")
            ),
        }
    }
}
