//! The planner's sentences, in both languages. Every answer that is not computed says that no model understood
//! the question.

use super::Tongue;

/// Pieces that mark the planner's own earlier answers, so that a recall does not quote them back.
pub(super) fn own_marks() -> &'static [&'static str] {
    &[
        "我没有理解它们",
        "没有找到相关内容",
        "没有语言模型",
        "已记住：",
        "I have not interpreted",
        "hold nothing about this",
        "out a language model",
        "Remembered: ",
        "shidi key set",
        "书房抽屉`",
        "护照在哪`",
        "in the desk`",
        "my passport`",
    ]
}

pub(super) fn found_in_notes(tongue: Tongue) -> &'static str {
    tongue.pick(
        "我在你的笔记和以前的会话里找到了这些（只是原文摘录，我没有理解它们）：",
        "I found this in your notes and earlier sessions; I have not interpreted it:",
    )
}

fn missing_lead(tongue: Tongue) -> &'static str {
    tongue.pick(
        "你的笔记和以前的会话里没有找到相关内容。",
        "Your notes and earlier sessions hold nothing about this.",
    )
}

pub(super) fn nothing_in_notes(tongue: Tongue) -> String {
    format!("{}{}", missing_lead(tongue), tongue.pick("", " ")) + &without_model(tongue)
}

pub(super) fn found_in_files(tongue: Tongue) -> &'static str {
    tongue.pick(
        "我在你的文件里找到了这些行（只是摘录，我没有理解它们）：",
        "I found this in your files; I have not interpreted it:",
    )
}

pub(super) fn nothing_in_files(tongue: Tongue, names: &str, words: &[String]) -> String {
    let words = words.join(" ");
    match tongue {
        Tongue::Chinese => format!("{names} 里没有一行含有这些词：{words}。"),
        Tongue::English => format!("No line of {names} holds any of these words: {words}."),
    }
}

pub(super) fn beginnings_of_files(tongue: Tongue) -> &'static str {
    tongue.pick(
        "这是文件的开头（我没有理解它的内容）：",
        "This is how the files begin; I have not interpreted them:",
    )
}

pub(super) fn no_readable_file(tongue: Tongue, has_image: bool) -> String {
    let what = if has_image {
        tongue.pick(
            "没有模型我看不懂图片。",
            "Without a model I can't look at images.",
        )
    } else {
        tongue.pick(
            "附件里没有我能读的文本。",
            "The attached files hold no text that I can read.",
        )
    };
    format!("{what}{}{}", tongue.pick("", " "), set_a_model(tongue))
}

pub(super) fn cannot_interpret(tongue: Tongue) -> String {
    let what = tongue.pick(
        "这需要理解内容，没有语言模型我做不到。我可以找出含有某些词的行（“找一下 …”），也可以运行 Python 程序。",
        "This needs understanding, which I can't do without a language model. I can find lines that hold certain words (\"find …\") and run Python programs.",
    );
    format!("{what}{}{}", tongue.pick("", " "), set_a_model(tongue))
}

/// The honest answer to every other question.
pub(super) fn cannot(tongue: Tongue) -> String {
    let what = tongue.pick(
        "这个问题没有语言模型我答不了。",
        "I can't do this without a language model.",
    );
    format!("{what}\n\n{}\n\n{}", abilities(tongue), set_a_model(tongue))
}

/// The sentence for a note or a recall where there is no memory.
pub(super) fn without_memory(tongue: Tongue) -> &'static str {
    tongue.pick(
        "这是无痕会话：不记任何东西，也不查记住的东西和以前的会话。换普通会话再说一遍就可以。",
        "This session is incognito: nothing is kept, and what is remembered or was said before is not looked up. Say it in an ordinary session.",
    )
}

pub(super) fn greeting(tongue: Tongue) -> String {
    let hello = tongue.pick("你好，我是师弟。现在没有连接语言模型，由离线应答来回答：它靠规则和搜索，不是语言模型。", "Hello, I am Shidi. No language model is connected: the offline planner answers. It follows rules and is no language model.");
    format!("{hello}\n\n{}\n\n{}", abilities(tongue), set_a_model(tongue))
}

pub(super) fn thanks(tongue: Tongue) -> &'static str {
    tongue.pick("不客气。", "You're welcome.")
}

/// The sentence about the end of a program that the user typed.
pub(super) fn output(tongue: Tongue, output: &str, failed: bool) -> String {
    let output = output.trim_end();
    let empty = output.is_empty();
    let lead = match (failed, empty) {
        (true, _) => tongue.pick("程序失败了：", "The program failed:"),
        (false, true) => {
            return tongue
                .pick("程序运行完了，没有输出。", "The program ran and printed nothing.")
                .to_owned();
        }
        (false, false) => tongue.pick("程序的输出：", "The program printed:"),
    };
    let fence = if output.contains("```") { "~~~~" } else { "```" };
    format!("{lead}\n\n{fence}text\n{}\n{fence}", harmless(output))
}

/// Text without any line that is read as an instruction: a fence or tag at a line's start gets an invisible
/// character before it.
fn harmless(text: &str) -> String {
    let line = |line: &str| {
        let start = line.trim_start();
        let is_special = start.starts_with("```")
            || start.starts_with("~~~")
            || start.starts_with('[')
            || start.starts_with('<');
        if is_special {
            format!("\u{200c}{line}")
        } else {
            line.to_owned()
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

fn without_model(tongue: Tongue) -> String {
    let what = tongue.pick(
        "没有语言模型，我答不了别的问题。",
        "Without a language model I can't answer it otherwise.",
    );
    format!("{what}{}{}", tongue.pick("", " "), set_a_model(tongue))
}

fn abilities(tongue: Tongue) -> &'static str {
    tongue.pick(
        "我能做的：\n\
         - 算式和百分比：`240 的 15%`、`(3+4)×5²`\n\
         - 日期：`45 天后是几号`、`3月5日到12月31日有多少天`、`现在几点`\n\
         - 单位换算：`3 斤等于多少克`、`30 摄氏度是多少华氏度`\n\
         - 附件里找原文：附上文件，问`付款期限是多少`\n\
         - 记住和想起：`记住 护照在书房抽屉`、`我的护照在哪`\n\
         - 运行你写的 Python：`print(sum(range(10)))`",
        "What I can do:\n\
         - arithmetic and percentages: `15% of 240`, `(3+4)×5²`\n\
         - dates: `what day is it in 45 days`, `days between 2026-01-03 and today`, `what time is it`\n\
         - units: `5 miles in km`, `30 °C in °F`\n\
         - passages of attached files: attach one and ask `what does it say about payment`\n\
         - remember and recall: `remember that my passport is in the desk`, `where is my passport`\n\
         - run Python that you type: `print(sum(range(10)))`",
    )
}

fn set_a_model(tongue: Tongue) -> &'static str {
    tongue.pick(
        "要接上语言模型：在面板里点输入框下面的模型名；在命令行用 `shidi key set deepseek` 存密钥，再 `shidi config set provider deepseek`。本机的 Ollama、LM Studio 不用密钥。",
        "To connect a model: in the panel, click the name of the model under the input; at a terminal, `shidi key set deepseek` keeps a key, then `shidi config set provider deepseek`. Ollama and LM Studio on this machine need no key.",
    )
}
