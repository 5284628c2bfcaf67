//! What the command line says of traces.

use super::Words;
use serde_json::Value;
use shidi_protocol::{Ground, Span, StepKind, TraceSummary, TraceVersion};

impl Words {
    #[must_use]
    pub fn interrupted(self) -> &'static str {
        self.pick("中断", "interrupted")
    }

    #[must_use]
    pub fn no_steps(self) -> &'static str {
        self.pick(
            "这次任务的步骤没有保留（看 trace_days）",
            "The steps of this run are not kept (see trace_days)",
        )
    }

    /// `2 ms`, `1.2 s`.
    #[must_use]
    pub fn lasted(self, ms: u64) -> String {
        if ms < 1_000 {
            return self.pick(format!("{ms} 毫秒"), format!("{ms} ms"));
        }
        let seconds = ms as f64 / 1_000.0;
        self.pick(format!("{seconds:.1} 秒"), format!("{seconds:.1} s"))
    }

    /// What a run took: tokens, cost, calls, time, and why it ended.
    #[must_use]
    pub fn spent(self, trace: &TraceSummary) -> String {
        let mut facts = vec![self.used(&trace.usage, trace.ms)];
        if let Some(cost) = trace.usage.cost {
            facts.push(format!("${cost:.4}"));
        }
        if trace.tool_calls > 0 {
            let calls = trace.tool_calls;
            facts.push(self.pick(format!("{calls} 次调用"), format!("{calls} calls")));
        }
        facts.extend(trace.reason.as_ref().map(|reason| reason.replace('\n', " ")));
        facts.join(" · ")
    }

    /// Of a run that its session does not show.
    #[must_use]
    pub fn aside(self, version: TraceVersion) -> String {
        let TraceVersion { at, of } = version;
        match of {
            0 | 1 => self
                .pick("（接在另一版后面）", "(follows another version)")
                .to_owned(),
            of => self.pick(format!("（第 {at}/{of} 版）"), format!("(version {at}/{of})")),
        }
    }

    #[must_use]
    pub fn name_of_step(self, span: &Span) -> String {
        let named = match (span.operation.as_str(), span.name.as_str()) {
            ("area", "perception") => self.pick("感知", "Perception"),
            ("area", "cognition") => self.pick("认知", "Cognition"),
            ("area", "motor") => self.pick("行动", "Motor"),
            ("area", "expression") => self.pick("表达", "Expression"),
            ("area", "evaluation") => self.pick("自评", "Self-check"),
            ("act", "context") => self.pick("上下文", "context"),
            ("act", "compaction") => self.pick("压缩", "compaction"),
            (_, name) => name,
        };
        match span.operation.as_str() {
            "chat" | "text_completion" => format!("{} {named}", span.operation),
            _ => named.to_owned(),
        }
    }

    /// What the step was about.
    #[must_use]
    pub fn detail_of_step(self, span: &Span) -> String {
        let text = |name: &str| {
            span.attributes
                .get(name)
                .and_then(Value::as_str)
                .unwrap_or_default()
        };
        let number = |name: &str| span.attributes.get(name).and_then(Value::as_u64);
        match (
            number("shidi.round"),
            number("shidi.rounds_max"),
            text("shidi.goal"),
        ) {
            (Some(round), Some(most), goal) => {
                let place = self.pick(
                    format!("第 {round}/{most} 轮"),
                    format!("round {round} of {most}"),
                );
                format!("{place} {goal}").trim_end().to_owned()
            }
            _ if span.operation == "run_program" => {
                let exec = number("shidi.exec").unwrap_or_default();
                format!("exec {exec} {}", text("shidi.summary"))
                    .trim_end()
                    .to_owned()
            }
            _ => text("shidi.summary").to_owned(),
        }
    }

    /// Tokens, cost, and why a call was allowed.
    #[must_use]
    pub fn facts_of_step(self, span: &Span) -> Vec<String> {
        let attribute = |name: &str| span.attributes.get(name);
        let number = |name: &str| attribute(name).and_then(Value::as_u64);
        let mut facts = Vec::new();
        let tokens = (
            number("gen_ai.usage.input_tokens"),
            number("gen_ai.usage.output_tokens"),
        );
        if let (Some(input), Some(output)) = tokens
            && input + output > 0
        {
            facts.push(format!("{input} / {output} tokens"));
        }
        if let Some(left_out) = number("shidi.left_out_tokens") {
            facts.push(self.pick(
                format!("省去 {left_out} tokens"),
                format!("{left_out} tokens left out"),
            ));
        }
        if let Some(cost) = attribute("shidi.cost_usd").and_then(Value::as_f64) {
            facts.push(format!("${cost:.4}"));
        }
        let grounds = attribute("shidi.grounds").cloned().unwrap_or_default();
        let grounds: Vec<Ground> = serde_json::from_value(grounds).unwrap_or_default();
        facts.extend(grounds.last().map(|ground| ground.sentence(self.language.code())));
        if attribute("shidi.untrusted").is_some() {
            facts.push(self.pick("外来内容", "untrusted").to_owned());
        }
        facts
    }

    #[must_use]
    pub fn step_kind(self, kind: StepKind) -> &'static str {
        match kind {
            StepKind::Model => self.pick("模型", "Models"),
            StepKind::Program => self.pick("程序", "Programs"),
            StepKind::Tool => self.pick("工具", "Tools"),
        }
    }

    /// How many failed, and of what.
    #[must_use]
    pub fn failures(self, count: u64, classes: &str) -> String {
        self.pick(
            format!("失败 {count}（{classes}）"),
            format!("{count} failed ({classes})"),
        )
    }

    /// What half of the steps took at most, and 95 in a hundred.
    #[must_use]
    pub fn usual_and_longest(self, median_ms: u64, p95_ms: u64) -> String {
        let (median, p95) = (self.lasted(median_ms), self.lasted(p95_ms));
        self.pick(
            format!("一半在 {median}内，95 % 在 {p95}内"),
            format!("half in {median}, 95 % in {p95}"),
        )
    }

    #[must_use]
    pub fn tokens_in_and_out(self, input: u64, output: u64) -> String {
        self.pick(
            format!("输入 {input}，输出 {output} 词元"),
            format!("{input} in, {output} out tokens"),
        )
    }
}
