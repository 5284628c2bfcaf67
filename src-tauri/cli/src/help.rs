//! Examples below each command's help, and the Chinese help texts.

use crate::words::Language;
use clap::Command;

pub const OVERVIEW: &str = "Examples:
  shidi                                   open the desktop program
  shidi ask \"what is 17 % of 2340?\"
  shidi ask --file report.csv \"which month was best?\"
  echo 'print(1 + 1)' | shidi exec -
  shidi help ask

Exit codes: 0 done, 1 the task failed, 2 wrong usage or input, 3 waits for an approval or an answer,
4 no model could be reached, 5 storage error, 130 cancelled";

pub const ASK: &str = "Examples:
  shidi ask what day is it in three weeks
  shidi ask --session last and in four?
  shidi ask --file notes.md --file plan.md \"what contradicts what?\"
  shidi ask --screen window \"what does this error mean?\"
  shidi ask --folder . --approve 'files.read(path=/etc/*)' \"compare ./hosts with /etc/hosts\"
  shidi ask --model-url http://localhost:11434/v1 --model qwen3 hello
  git diff | shidi ask -
  shidi ask --json hello | jq -r 'select(.type == \"answer\").text'";

pub const RESUME: &str = "Examples:
  shidi resume                            the newest run that can go on
  shidi resume 019a9f6e2b7c7d3e8f40a1b2c3d4e5f6";

pub const APPROVE: &str = "Examples:
  shidi approve RUN 3
  shidi approve RUN 3 --always            remembers the family that the approval names";

pub const REFUSE: &str = "Examples:
  shidi refuse RUN 3 --reason \"read the copy in this folder instead\"";

pub const ANSWER: &str = "Examples:
  shidi answer RUN the second one";

pub const CANCEL: &str = "Examples:
  shidi cancel RUN";

pub const EXEC: &str = "Examples:
  shidi exec sums.py
  echo 'sum(range(10))' | shidi exec -
  shidi exec --check sums.py
  shidi exec --session last --folder . --json sums.py
  shidi exec --limit-time 5 --limit-memory 128 --allow 'files.*' sums.py";

pub const INSPECT: &str = "Examples:
  shidi inspect report.pdf
  shidi inspect notes/ https://example.com/page
  shidi --json inspect data.xlsx | jq .tokens";

pub const SESSION: &str = "Examples:
  shidi session list
  shidi session show last --segments
  shidi session search invoice
  shidi session branch last --before RUN  begins anew from what came before that run
  shidi session export last > session.jsonl
  shidi session delete ID";

pub const CONFIG: &str = "Examples:
  shidi config list
  shidi config set model qwen3-coder
  shidi config get model
  shidi config path
  shidi config rules
  shidi config revoke 'files.read(path=/srv/*)'";

pub const KEY: &str = "Examples:
  shidi key set openai                    asks for the key without showing it
  shidi key set openai < key.txt
  shidi key list
  shidi key test openai
  shidi key delete openai
  shidi key unlock                        where the system has no keychain: opens the encrypted file of keys

For one process: SHIDI_KEY_OPENAI=… shidi ask hello
For automation with the encrypted file: SHIDI_PASSPHRASE=… shidi key set openai < key.txt";

pub const MODEL: &str = "Examples:
  shidi model providers
  shidi model list deepseek
  shidi model test                        the configured model
  shidi model test anthropic --model claude-haiku-4-5
  shidi model find                        Ollama, LM Studio, llama.cpp and vLLM on this machine
  shidi model spent --days 30";

pub const TRACE: &str = "Examples:
  shidi trace list
  shidi trace show RUN
  shidi --json trace show RUN | jq .ms";

pub const DOCTOR: &str = "Examples:
  shidi doctor
  shidi doctor --json | jq 'select(.ok | not)'";

pub const TOGGLE: &str = "Examples:
  shidi toggle                            bind it to a key where programs can't grab one (Wayland)";

pub const ASK_SCREEN: &str = "Examples:
  shidi ask-screen                        bind it to a key where programs can't grab one (Wayland)";

pub const SENSE: &str = "Examples:
  shidi sense                             what is in front of you now, after the privacy gate
  shidi sense --watch --json
  shidi sense --look window --out window.jpg
  shidi sense --look 0,0,800x600 --out corner.jpg
  shidi sense --ledger                    what was seen, kept and sent
  shidi sense --pause                     no more looking, until --resume
  shidi config set privacy.apps 'keepass; bitwarden; our payroll'";

pub const QUIT: &str = "Examples:
  shidi quit";

/// Help texts in Chinese: a command or `command --option`, and its text.
const CHINESE: &[(&str, &str)] = &[
    ("", "桌面助手，用编写和运行代码的方式做事。不带命令时打开桌面程序"),
    ("ask", "提一个问题或交办一件事，答案流式输出"),
    ("resume", "继续一个等待中或被打断的任务"),
    ("approve", "批准一个等待中的调用"),
    ("refuse", "拒绝一个等待中的调用"),
    ("answer", "回答一个等待中的提问"),
    ("cancel", "停止一个任务"),
    ("exec", "在沙箱中运行 Python 程序"),
    ("inspect", "看看文件、文件夹或网址会发送什么；什么也不发送"),
    ("session", "会话：列出、查看、搜索、分支、导出、删除"),
    ("config", "设置：读取、修改、列出"),
    ("key", "模型服务的密钥，保存在系统钥匙串，没有钥匙串时在加密文件"),
    ("model", "模型：服务商、可用的模型、测试、花费"),
    ("trace", "任务的轨迹：步骤、词元、耗时"),
    (
        "doctor",
        "检查钥匙串、数据库、执行器、沙箱、模型和桌面，并给出补救办法",
    ),
    ("toggle", "显示或隐藏桌面程序的面板，需要时先启动"),
    ("ask-screen", "先看一眼屏幕，再打开面板来问；需要时先启动桌面程序"),
    ("sense", "现在你面前是什么（经过隐私闸门）；看屏幕、看记录、暂停"),
    ("sense --watch", "持续：每换一个窗口打印一次"),
    ("sense --look", "看一眼：monitor、window，或 X,Y,宽x高"),
    ("sense --out", "把看到的写成 JPEG 文件"),
    ("sense --ledger", "看过、留着、发出了什么"),
    ("sense --limit", "最多几条"),
    ("sense --pause", "暂停：什么都不再看"),
    ("sense --resume", "恢复"),
    ("quit", "结束桌面程序"),
    ("--json", "标准输出只打印 JSON，每行一个对象"),
    ("--data-dir", "全部数据所在的文件夹（也可用 SHIDI_DATA_DIR）"),
    ("--lang", "界面语言"),
    ("ask text", "问题；“-”表示从标准输入读取"),
    ("ask --session", "在哪个会话中继续：编号、last 或 new"),
    ("ask --file", "附上文件或文件夹（可重复）"),
    ("ask --again", "带上某次任务的文件、文件夹和快照"),
    (
        "ask --screen",
        "附上屏幕：monitor、window，或 X,Y,宽x高（可重复）",
    ),
    ("ask --context", "感知快照（JSON 文件）"),
    ("ask --folder", "授权的工作文件夹（可重复）"),
    ("ask --mode", "何时询问：每次、仅有风险时、本次信任"),
    (
        "ask --approve",
        "预先批准的调用，如 files.read(path=/etc/*)（可重复）",
    ),
    ("ask --max-rounds", "最多几轮"),
    ("ask --max-tokens", "最多几个词元"),
    ("ask --timeout", "最长时间（秒）"),
    ("ask --model", "模型名"),
    (
        "ask --model-url",
        "模型服务的地址；不指定 --provider 时按 OpenAI 兼容接口",
    ),
    ("ask --provider", "模型服务商；与 --model-url 同用时表示接口格式"),
    ("ask --role-model", "某个角色用的模型，如 fast=NAME（可重复）"),
    ("ask --format", "动作格式"),
];

/// The same command with its help in `language`.
#[must_use]
pub fn localised(command: Command, language: Language) -> Command {
    match language {
        Language::English => command,
        Language::Chinese => CHINESE
            .iter()
            .fold(command, |command, (name, text)| reworded(command, name, text)),
    }
}

fn reworded(command: Command, name: &str, text: &'static str) -> Command {
    match name.split_once(' ') {
        None if name.is_empty() => command.about(text),
        None => match name.strip_prefix("--") {
            Some(option) => with_help(command, option, text),
            None => command.mut_subcommand(name, |command| command.about(text)),
        },
        Some((of, option)) => command.mut_subcommand(of, |command| {
            with_help(command, option.trim_start_matches('-'), text)
        }),
    }
}

/// Options are known to clap by the name of their field.
fn with_help(command: Command, option: &str, text: &'static str) -> Command {
    command.mut_arg(option.replace('-', "_"), |argument| argument.help(text))
}
