//! Expression: what is said to the user, and how a run ends. Text is passed on as it is, never summarised again.

use super::evaluation;
use crate::effect::Effect;
use crate::situation::Situation;
use crate::state::Phase;
use shidi_protocol::{
    ErrorCode, FailureKind, Finish, ModelFailure, RunEventKind, RunStatus, SegmentKind, UserError,
};

/// Says the model's own answer, and that it was cut if it was; then lets self-evaluation judge it.
pub fn answer(situation: &mut Situation, text: String, finish: Finish) -> Vec<Effect> {
    let mut effects = vec![situation.add(SegmentKind::Express, text.clone(), None)];
    if let Some(notice) = cut(situation, finish) {
        effects.push(situation.add_news("", notice));
    }
    effects.extend(evaluation::finish(situation, text));
    effects
}

fn cut(situation: &Situation, finish: Finish) -> Option<&'static str> {
    match finish {
        Finish::Stop | Finish::ToolCalls => None,
        Finish::Length => Some(by_language(
            situation,
            "回答到了输出长度上限，在这里断了。说“继续”可以接着写",
            "The answer came to the output limit and was cut here. Say \"go on\" for the rest",
        )),
        Finish::Filtered => Some(by_language(
            situation,
            "服务商的内容过滤在这里截断了回答。换个说法再问",
            "The provider's filter cut the answer here. Ask again in other words",
        )),
    }
}

/// Ends a run whose answer was judged good.
pub fn complete(situation: &mut Situation, answer: String) -> Vec<Effect> {
    let mut effects = end(situation, RunStatus::Completed, None, None);
    let ended = effects.split_off(1);
    effects.push(Effect::Show(RunEventKind::Answer { text: answer }));
    effects.extend(ended);
    effects
}

/// Ends a run that had nothing to answer.
pub fn finished(situation: &mut Situation) -> Vec<Effect> {
    end(situation, RunStatus::Completed, None, None)
}

/// Gives up for what came in the way: a bound, or the end of the task's time.
pub fn give_up(situation: &mut Situation, reasons: String) -> Vec<Effect> {
    evaluation::keep(situation, |situation| gave_up(situation, reasons))
}

/// Ends a run in which the model itself sees no way.
pub fn gave_up(situation: &mut Situation, reasons: String) -> Vec<Effect> {
    let said = situation.add(SegmentKind::Evaluation, reasons.clone(), None);
    let mut effects = end(situation, RunStatus::GaveUp, Some(reasons), None);
    effects.insert(1, said);
    effects.insert(0, Effect::Stop);
    effects
}

pub fn cancelled(situation: &mut Situation) -> Vec<Effect> {
    let mut effects = vec![Effect::Stop];
    effects.extend(end(situation, RunStatus::Cancelled, None, None));
    effects
}

/// Ends a run that can't go on.
pub fn fail(situation: &mut Situation, error: UserError) -> Vec<Effect> {
    evaluation::keep(situation, |situation| {
        let mut effects = vec![Effect::Stop];
        let message = Some(error.message.clone());
        effects.extend(end(situation, RunStatus::Failed, message, Some(error)));
        effects
    })
}

/// The record can't be written any more: nothing is promised that isn't durable, so no commit is tried.
pub fn storage_failed(situation: &mut Situation, message: &str) -> Vec<Effect> {
    let hint = by_language(
        situation,
        "已确认的内容都还在。腾出磁盘空间或恢复写权限，然后继续这次任务",
        "Everything acknowledged is safe. Free some disk space or restore write access, then resume the run",
    );
    let error = UserError::new(ErrorCode::Storage, message).hint(hint);
    situation.state.phase = Phase::Ended;
    vec![
        Effect::Stop,
        Effect::Show(ended(
            situation,
            RunStatus::Failed,
            Some(message.to_owned()),
            Some(error.clone()),
        )),
        Effect::End {
            status: RunStatus::Failed,
            reason: Some(message.to_owned()),
            error: Some(error),
        },
    ]
}

/// A replay after a restart did not go the recorded way.
pub fn diverged(situation: &mut Situation, detail: &str) -> Vec<Effect> {
    let message = by_language(
        situation,
        "程序重放时和记录不一致，已停在最后一个安全点",
        "The program went another way than recorded when it was replayed; it stopped at the last safe point",
    );
    let hint = by_language(
        situation,
        "前面的结果都保留着，可以重新提问",
        "Everything before it is kept: ask again to go on from there",
    );
    let message = if detail.is_empty() {
        message.to_owned()
    } else {
        format!("{message} ({detail})")
    };
    fail(situation, UserError::new(ErrorCode::Task, message).hint(hint))
}

/// What a failed model means to the user: what broke and what to do.
pub fn model_failed(situation: &mut Situation, failure: &ModelFailure) -> Vec<Effect> {
    if failure.kind == FailureKind::Cancelled {
        return cancelled(situation);
    }
    let error = model_error(situation.state.interface(), failure);
    fail(situation, error)
}

/// The sentence and remedy for each class of provider error, in the user's language.
#[must_use]
pub fn model_error(language: &str, failure: &ModelFailure) -> UserError {
    let (kind, provider) = (failure.kind, &failure.provider);
    let code = match kind {
        FailureKind::Key | FailureKind::NoKey => ErrorCode::Key,
        FailureKind::KeysLocked => ErrorCode::KeysLocked,
        FailureKind::ContextLength | FailureKind::Refused | FailureKind::Budget => ErrorCode::Task,
        FailureKind::Cancelled => ErrorCode::Cancelled,
        FailureKind::Unreachable
        | FailureKind::Quota
        | FailureKind::RateLimited
        | FailureKind::Overloaded
        | FailureKind::ServerError
        | FailureKind::Timeout
        | FailureKind::Cut
        | FailureKind::NoSuchModel
        | FailureKind::Malformed => ErrorCode::Model,
    };
    let (what, remedy) = if language == "zh" {
        in_chinese(kind)
    } else {
        in_english(kind)
    };
    let detail = match failure.detail_in(language) {
        "" => String::new(),
        detail if language == "zh" => format!("（{detail}）"),
        detail => format!(" ({detail})"),
    };
    let title = failure.provider_title.as_ref().unwrap_or(provider);
    UserError::new(code, format!("{title} {what}{detail}"))
        .hint(remedy.replace("PROVIDER", provider))
        .of_model(failure.trouble())
}

fn in_english(kind: FailureKind) -> (&'static str, &'static str) {
    match kind {
        FailureKind::Unreachable => (
            "can't be reached",
            "Check the address and the network: shidi config get model_url",
        ),
        FailureKind::Key => (
            "rejected the key",
            "Set a valid key: shidi key set PROVIDER. Your question is kept",
        ),
        FailureKind::NoKey => (
            "has no key",
            "Set one: shidi key set PROVIDER. Your question is kept",
        ),
        FailureKind::KeysLocked => (
            "needs its key, which lies in a locked file",
            "Give the passphrase of the file: shidi key unlock",
        ),
        FailureKind::Budget => (
            "was not asked: your limit for the day is reached",
            "Wait until tomorrow, or raise it: shidi config set budget_tokens N, or budget_usd N",
        ),
        FailureKind::Quota => (
            "refused: no credit or no right to this model",
            "Check the account, or choose another model",
        ),
        FailureKind::RateLimited => ("limits the rate of requests", "Wait a moment, then try again"),
        FailureKind::Overloaded => ("is overloaded", "Try again later, or choose another model"),
        FailureKind::ServerError => ("failed by itself", "Try again, or choose another model"),
        FailureKind::Timeout => ("stopped answering", "Try again, or choose another model"),
        FailureKind::Cut => (
            "broke off in the middle of the answer",
            "Try again: what came before is kept",
        ),
        FailureKind::ContextLength => (
            "can't take a conversation this long",
            "Start a new session, or choose a model with a larger window",
        ),
        FailureKind::NoSuchModel => (
            "has no such model",
            "Choose one of its models: shidi config set model NAME",
        ),
        FailureKind::Malformed => (
            "answered something that is not the protocol",
            "Check that the address speaks the format of this provider",
        ),
        FailureKind::Refused => (
            "refused the request",
            "Read its reason, then change the question or the model",
        ),
        FailureKind::Cancelled => ("was stopped", "Ask again when you like"),
    }
}

fn in_chinese(kind: FailureKind) -> (&'static str, &'static str) {
    match kind {
        FailureKind::Unreachable => ("连不上", "检查地址和网络：shidi config get model_url"),
        FailureKind::Key => (
            "不认这个密钥",
            "换一个有效的密钥：shidi key set PROVIDER。问题已保留",
        ),
        FailureKind::NoKey => ("还没有密钥", "设置一个：shidi key set PROVIDER。问题已保留"),
        FailureKind::KeysLocked => ("的密钥在加密文件里，文件锁着", "给出文件的口令：shidi key unlock"),
        FailureKind::Budget => (
            "没有被询问：今天的用量到了你设的上限",
            "明天再问，或调高上限：shidi config set budget_tokens N 或 budget_usd N",
        ),
        FailureKind::Quota => ("拒绝了请求：余额不足或无权使用这个模型", "检查账户，或换一个模型"),
        FailureKind::RateLimited => ("限制了请求频率", "稍等片刻再试"),
        FailureKind::Overloaded => ("太忙", "过一会儿再试，或换一个模型"),
        FailureKind::ServerError => ("自己出了错", "再试一次，或换一个模型"),
        FailureKind::Timeout => ("没有回音", "再试一次，或换一个模型"),
        FailureKind::Cut => ("答到一半断了", "再试一次，前面的内容保留"),
        FailureKind::ContextLength => ("装不下这么长的对话", "开一个新会话，或换窗口更大的模型"),
        FailureKind::NoSuchModel => ("没有这个模型", "换一个它有的模型：shidi config set model NAME"),
        FailureKind::Malformed => ("答的不是约定的格式", "检查地址说的是不是这家服务商的格式"),
        FailureKind::Refused => ("拒绝了请求", "看它给的原因，改一改问题或换一个模型"),
        FailureKind::Cancelled => ("已停下", "想问时再问"),
    }
}

fn end(
    situation: &mut Situation,
    status: RunStatus,
    reason: Option<String>,
    error: Option<UserError>,
) -> Vec<Effect> {
    situation.state.phase = Phase::Ended;
    situation.state.status = Some(status);
    situation.state.reason.clone_from(&reason);
    situation.state.error.clone_from(&error);
    vec![
        situation.commit(),
        Effect::Show(ended(situation, status, reason.clone(), error.clone())),
        Effect::End {
            status,
            reason,
            error,
        },
    ]
}

pub(super) fn ended(
    situation: &Situation,
    status: RunStatus,
    reason: Option<String>,
    error: Option<UserError>,
) -> RunEventKind {
    let ms = situation.now.since(situation.state.started);
    RunEventKind::RunEnded {
        status,
        reason,
        error,
        usage: situation.state.usage,
        ms,
    }
}

/// One of two wordings of what the program itself says, by the language of the interface.
pub(super) fn by_language<T>(situation: &Situation, chinese: T, english: T) -> T {
    if situation.state.interface() == "zh" {
        chinese
    } else {
        english
    }
}
