//! Failures in the user's words: what broke and what to do about it, in the language of the interface.

use crate::prompt_templates::PromptError;
use crate::run_context::RunContext;
use shidi_protocol::{ErrorCode, FailureKind, ModelFailure, UserError};

/// A prompt that can't be built.
pub fn of_prompt(context: &RunContext, error: &PromptError) -> UserError {
    let (message, hint) = context.in_language(
        ("提示词拼不出来", "改好这个提示词模块，或把文件移走，就会用内置的"),
        (
            "Could not build the prompt",
            "Mend that prompt module, or move its file away to use the built-in one",
        ),
    );
    UserError::new(ErrorCode::Input, format!("{message}: {error}")).hint(hint)
}

/// A model whose answers can't be read, several times in a row.
pub fn of_format(context: &RunContext) -> UserError {
    let (message, hint) = context.in_language(
        ("模型连续几次没有给出可用的回答", "再试一次，或换一个模型"),
        (
            "The model gave no usable answer several times in a row",
            "Try again, or choose another model",
        ),
    );
    UserError::new(ErrorCode::Task, message).hint(hint)
}

/// A record that can't be written any more.
pub fn of_storage(context: &RunContext, message: &str) -> UserError {
    let hint = context.in_language(
        "已确认的内容都还在。腾出磁盘空间或恢复写权限，然后继续这次任务",
        "Everything acknowledged is safe. Free some disk space or restore write access, then resume the run",
    );
    UserError::new(ErrorCode::Storage, message).hint(hint)
}

/// A replay after a restart that did not follow the record.
pub fn of_replay(context: &RunContext, detail: &str) -> UserError {
    let (message, hint) = context.in_language(
        (
            "程序重放时和记录不一致，已停在最后一个安全点",
            "前面的结果都保留着，可以重新提问",
        ),
        (
            "The program went another way than recorded when it was replayed; it stopped at the last safe point",
            "Everything before it is kept: ask again to go on from there",
        ),
    );
    let message = if detail.is_empty() {
        message.to_owned()
    } else {
        format!("{message} ({detail})")
    };
    UserError::new(ErrorCode::Task, message).hint(hint)
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
