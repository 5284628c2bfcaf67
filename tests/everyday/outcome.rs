//! What came of a question, read from the events that were printed.

use serde_json::Value;
use shidi_tests::command::Printed;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Verdict {
    Right,
    #[default]
    Wrong,
    /// Not right, and the same program had the same outcome twice, or the rounds were used up.
    Looped,
    TimedOut,
}

impl Verdict {
    const ALL: [Self; 4] = [Self::Right, Self::Wrong, Self::Looped, Self::TimedOut];

    fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Looped => "looped",
            Self::TimedOut => "timed out",
        }
    }
}

/// What the reasons of a task that gave up hold when it was not the model that did.
const ROUND_BOUND: [&str; 2] = ["轮没做成", " rounds"];
const TIME_BOUND: [&str; 2] = ["时限", "time limit"];
const REPETITION: [&str; 2] = ["同一段程序", "same program"];

/// What came of one question, with what followed it.
#[derive(Debug, Default)]
pub struct Outcome {
    pub verdict: Verdict,
    /// The last answer, or why there was none.
    pub answer: String,
    lack: String,
    /// Programs that ran, and those of them that had run with the same outcome before.
    programs: usize,
    repeated: usize,
    at_round_bound: bool,
    late: bool,
    calls: u64,
    input: u64,
    output: u64,
    ms: u64,
}

impl Outcome {
    /// Takes what one question printed.
    pub fn take(&mut self, printed: &Printed) {
        let events = printed.json();
        let of = |kind: &'static str| events.iter().filter(move |event| event["type"] == kind);
        let word = |event: &Value, name: &str| event[name].as_str().unwrap_or_default().to_owned();
        let mut steps: Vec<(String, String)> = Vec::new();
        for output in of("output") {
            let code = of("code").rfind(|code| code["exec"] == output["exec"]);
            let program = code.map(|code| word(code, "program")).unwrap_or_default();
            let came = format!("{} {}", output["stdout"], output["error"]);
            self.repeated += usize::from(steps.contains(&(program.clone(), came.clone())));
            steps.push((program, came));
        }
        self.programs += steps.len();
        let end = of("run_ended").next_back().cloned().unwrap_or_default();
        let reason = word(&end, "reason");
        let has = |parts: &[&str]| parts.iter().any(|part| reason.contains(part));
        self.at_round_bound |= has(&ROUND_BOUND);
        self.late |= has(&TIME_BOUND);
        // That a bound was reached is nothing that the model said.
        let is_bound = has(&ROUND_BOUND) || has(&TIME_BOUND) || has(&REPETITION);
        self.answer = match of("answer").next_back() {
            Some(answer) => word(answer, "text"),
            None if is_bound => String::new(),
            None => reason,
        };
        let count = |name: &str| end["usage"][name].as_u64().unwrap_or(0);
        self.calls += count("model_calls");
        self.input += count("input");
        self.output += count("output");
        self.ms += end["ms"].as_u64().unwrap_or(0);
    }

    /// Judges by what the end lacks.
    pub fn judge(&mut self, lack: Option<String>) {
        self.verdict = match &lack {
            None => Verdict::Right,
            Some(_) if self.late => Verdict::TimedOut,
            Some(_) if self.repeated > 0 || self.at_round_bound => Verdict::Looped,
            Some(_) => Verdict::Wrong,
        };
        self.lack = lack.unwrap_or_default();
    }

    /// One line of the table.
    pub fn row(&self, name: &str) -> String {
        format!(
            "{name:<20} {:<10} {:>2} asked {:>2} ran {:>2} again {:>6} in {:>5} out {:>4} s  {}",
            self.verdict.name(),
            self.calls,
            self.programs,
            self.repeated,
            self.input,
            self.output,
            self.ms / 1_000,
            self.lack.replace('\n', " ")
        )
    }
}

/// The line below the table.
pub fn totals(outcomes: &[Outcome]) -> String {
    let counted = Verdict::ALL.map(|verdict| {
        let count = outcomes
            .iter()
            .filter(|outcome| outcome.verdict == verdict)
            .count();
        format!("{count} {}", verdict.name())
    });
    let sum = |part: fn(&Outcome) -> u64| outcomes.iter().map(part).sum::<u64>();
    format!(
        "{} of {}; {} asked, {} again, {} in, {} out, {} s",
        counted.join(", "),
        outcomes.len(),
        sum(|outcome| outcome.calls),
        sum(|outcome| outcome.repeated as u64),
        sum(|outcome| outcome.input),
        sum(|outcome| outcome.output),
        sum(|outcome| outcome.ms) / 1_000
    )
}
