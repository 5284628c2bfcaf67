//! Examples below each command's help, and the Chinese help texts.

use crate::words::Language;
use clap::Command;

mod companion;
mod experience;
mod knowledge;
mod mcp;

pub use companion::COMPANION;
pub use experience::EXPERIENCE;
pub use knowledge::KNOWLEDGE;
pub use mcp::MCP;

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
  shidi ask --page \"shorten the query in the editor\"
  shidi ask --incognito \"what helps against hay fever?\"
  shidi ask --folder . --approve 'files.read(path=/etc/*)' \"compare ./hosts with /etc/hosts\"
  shidi ask --model-url http://localhost:11434/v1 --model qwen3 hello
  git diff | shidi ask - \"what could break?\"
  shidi ask --json hello | jq -r 'select(.type == \"answer\").text'";

pub const TOOL: &str = "Examples:
  shidi tool list
  shidi tool off memory                   no program remembers or recalls by itself
  shidi tool off files.write --assistant reader
  shidi tool on memory.search             of a toolkit that is off, that tool alone";

pub const RESUME: &str = "Examples:
  shidi resume                            the newest run that can go on
  shidi resume 019a9f6e2b7c7d3e8f40a1b2c3d4e5f6";

pub const REPLAY: &str = "Examples:
  shidi trace list                        the runs there are
  shidi replay 019a9f6e --preview         what can be changed
  shidi replay 019a9f6e --input path=b.csv --input limit=20
Inputs are plain values that a program assigns at the beginning of a line. Every call asks for what it needs anew.";

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

pub const CHANGES: &str = "Examples:
  shidi changes                           the files that tasks changed, newest first
  shidi changes show last                 how the newest one differs from what stood there before
  shidi changes undo last                 puts it back
What stood in a file is kept for 30 days, or until its conversation is deleted.";

pub const SESSION: &str = "Examples:
  shidi session list
  shidi session show last --segments
  shidi session show last --calls         every call, and why it was allowed or not
  shidi session search invoice
  shidi session branch last --before RUN  begins anew from what came before that run
  shidi session switch last RUN           shows another version of what was asked again
  shidi session rename last moving house
  shidi session variables last --show rows
  shidi session jobs last
  shidi session export last > session.jsonl
  shidi session import session.jsonl
  shidi session delete ID
Your own exports are known again by export.key in the data folder: take it along to another computer.";

pub const MEMORY: &str = "Examples:
  shidi memory add the office is in Munich, third floor
  shidi memory search where is the office
  shidi memory search 退款 --kind knowledge --limit 5
  shidi memory list --ended               what is no longer so, too
  shidi memory edit ID the office is in Berlin
  shidi memory add --until 7d the lift is out of order
  shidi memory edit ID --until 2026-12-31    or --until for-good
  shidi memory pin ID
  shidi memory delete ID
  shidi memory visits https://example.com/prices   what was asked about that page
  shidi memory forget-site https://example.com
  shidi memory export > memory.jsonl
  shidi memory import memory.jsonl
Your own exports are known again by export.key in the data folder: take it along to another computer.
What anybody else wrote is kept as a stranger's: it is found, and not recalled by itself.";

pub const CONFIG: &str = "Examples:
  shidi config list
  shidi config set model qwen3-coder
  shidi config get model
  shidi config path
  shidi config rules
  shidi config rule deny 'files.*(path=/srv/private/*)'
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
  shidi trace list --text files.read
  shidi trace show last
  shidi trace show RUN --step 4           the prompt as it was sent
  shidi --json trace show RUN | jq .ms
  shidi trace stats --days 7              how models, programs and tools fared
  shidi trace export > traces.jsonl";

pub const DOCTOR: &str = "Examples:
  shidi doctor
  shidi doctor --rescue                   of a damaged database, keep what can be read
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

/// Help texts in Chinese: commands by their path, what follows them by the name of its option or argument.
const CHINESE: &[(&str, &str)] = &[
    ("", "桌面助手，用编写和运行代码的方式做事。不带命令时打开桌面程序"),
    ("ask", "提一个问题或交办一件事，答案流式输出"),
    ("resume", "继续一个等待中或被打断的任务"),
    ("replay", "用别的输入再运行一次已完成任务的程序"),
    ("approve", "批准一个等待中的调用"),
    ("refuse", "拒绝一个等待中的调用"),
    ("answer", "回答一个等待中的提问"),
    ("cancel", "停止一个任务"),
    ("exec", "在沙箱中运行 Python 程序"),
    ("inspect", "看看文件、文件夹或网址会发送什么；什么也不发送"),
    ("session", "会话：列出、查看、搜索、改名、分支、导出、导入、删除"),
    ("memory", "记忆：搜索、列出、记下、改写、置顶、删除、导出、导入"),
    ("config", "设置：读取、修改、列出"),
    ("key", "模型服务的密钥，保存在系统钥匙串，没有钥匙串时在加密文件"),
    ("model", "模型：服务商、可用的模型、测试、花费"),
    ("trace", "任务的轨迹：步骤、词元、耗时"),
    (
        "doctor",
        "检查钥匙串、数据库、执行器、沙箱、模型和桌面，并给出补救办法",
    ),
    (
        "doctor --rescue",
        "数据库损坏时：把读得出的搬进新数据库，损坏的文件改名保留",
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
    ("session compact", "为模型压缩对话，记录保持完整"),
    ("session compact session", "会话的编号，或 last"),
    ("quit", "结束桌面程序"),
    ("--json", "标准输出只打印 JSON，每行一个对象"),
    ("--data-dir", "全部数据所在的文件夹（也可用 SHIDI_DATA_DIR）"),
    ("--lang", "界面语言"),
    (
        "ask text",
        "问题；开头的“-”带上管道传来的内容，算资料；只有“-”就问它",
    ),
    ("ask --session", "在哪个会话中继续：编号、last 或 new"),
    ("ask --file", "附上文件或文件夹（可重复）"),
    ("ask --page", "关于眼前的网页；网站允许的话，用它提供的工具"),
    ("ask --incognito", "不留痕迹：会话只在内存里，答完就没了"),
    ("ask --again", "带上某次任务的文件、文件夹和快照"),
    (
        "ask --instead",
        "作为某次任务的另一版：在它的会话里，带上同样的东西",
    ),
    (
        "ask --screen",
        "附上屏幕：monitor、window，或 X,Y,宽x高（可重复）",
    ),
    (
        "ask --assistant",
        "问哪个助手：各有各的记忆和工具开关，不写就是平常那个",
    ),
    ("ask --context", "感知快照（JSON 文件）"),
    (
        "ask --folder",
        "授权的工作文件夹：里面的文件可以读、改，可以运行隔离起来的命令（可重复）",
    ),
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
    ("resume run", "哪次任务，默认是最近一次能继续的"),
    ("replay run", "哪次任务"),
    ("replay --preview", "只看哪些能换、会有什么不同"),
    (
        "replay --input",
        "换一个输入：name=value，值按 JSON 或文字（可重复）",
    ),
    ("approve run", "等待中的任务"),
    ("approve call", "调用的编号"),
    ("approve --always", "记住这类调用，以后不再问"),
    ("refuse run", "等待中的任务"),
    ("refuse call", "调用的编号"),
    ("refuse --reason", "为什么，或换成做什么：模型会读到"),
    ("answer run", "等待中的任务"),
    ("answer text", "回答"),
    ("cancel run", "要停止的任务"),
    ("exec file", "程序；“-”表示从标准输入读取"),
    ("exec --session", "使用并保存某个会话的变量"),
    ("exec --check", "只检查程序"),
    ("exec --limit-time", "最长时间（秒）"),
    ("exec --limit-memory", "最多内存（MB）"),
    ("exec --allow", "不问就允许的工具（可重复）"),
    (
        "exec --folder",
        "授权的工作文件夹：里面的文件可以读、改，可以运行隔离起来的命令（可重复）",
    ),
    (
        "inspect what",
        "文件、文件夹，或以 http:// 或 https:// 开头的网址",
    ),
    ("memory add", "记下一条"),
    ("memory add text", "一句完整的话"),
    (
        "memory add --kind",
        "种类：conversation、entity、working、preference、profile、summary、knowledge、experience 或 chunk",
    ),
    (
        "memory add --scope",
        "谁能想起它：user、assistant:名称、site:网址、session:编号 或 base:名称",
    ),
    ("memory add --tag", "标签（可重复）"),
    (
        "memory add --until",
        "到时候忘掉：2026-12-31（到这天结束）、2026-12-31T18:00，或从现在算起 12h、7d、4w",
    ),
    ("memory search", "最相关的，按相关度"),
    ("memory search text", "词或问题"),
    ("memory search --kind", "只要这些种类（可重复）"),
    ("memory search --scope", "只看这些范围（可重复）"),
    ("memory search --page", "眼前网页的网址"),
    ("memory search --limit", "最多几条"),
    ("memory list", "置顶的在前，然后新的在前"),
    ("memory list --kind", "只要这些种类（可重复）"),
    ("memory list --scope", "只看这些范围（可重复）"),
    ("memory list --ended", "已经不再成立的也列出"),
    ("memory list --limit", "最多几条"),
    ("memory show", "一条记忆和它的变更"),
    ("memory show memory", "记忆的编号，或它的开头、结尾"),
    ("memory edit", "换一种说法；原来的留作变更记录"),
    ("memory edit memory", "记忆的编号，或它的开头、结尾"),
    ("memory edit text", "新的说法"),
    (
        "memory edit --until",
        "记到那时为止，或 for-good（一直记着）；不写新的说法就只改这一点",
    ),
    ("memory pin", "置顶，不会被遗忘，过了时限也不会"),
    ("memory pin memory", "记忆的编号，或它的开头、结尾"),
    ("memory pin --off", "取消置顶"),
    ("memory delete", "彻底删除一条记忆和它的变更"),
    ("memory delete memory", "记忆的编号，或它的开头、结尾"),
    ("memory forget-site", "忘记一个网页或网站：相关的记忆和会话"),
    ("memory forget-site address", "网址"),
    ("memory visits", "在一个网页上问过什么，新的在前"),
    ("memory visits address", "网址"),
    ("memory visits --limit", "最多几条"),
    (
        "memory export",
        "全部写成 JSON Lines，包括变更；最后一行证明它完整",
    ),
    (
        "memory import",
        "从 JSON Lines 文件导入还没有的；不是自己的完整导出，记作外来的",
    ),
    ("memory import file", "每行一条 JSON"),
    ("memory stats", "每种有多少条"),
    ("session list", "列出会话，新的在前"),
    ("session list --limit", "最多几条"),
    ("session show", "会话里的问题和回答"),
    ("session show session", "会话的编号，或 last"),
    ("session show --segments", "全部：思考、程序和输出也列出"),
    ("session show --calls", "每个调用，和为什么允许、要问或拒绝"),
    ("session search", "出现这些词的会话"),
    ("session search text", "要找的词"),
    ("session search --limit", "最多几条"),
    ("session rename", "给会话改名"),
    ("session rename session", "会话的编号，或 last"),
    ("session rename title", "新的名字"),
    (
        "session import",
        "从这样的文件导入；不是自己的完整导出，标为外来的",
    ),
    ("session import file", "session export 写出的文件"),
    (
        "session export",
        "整个会话，写成 JSON Lines：任务、过程、调用、变量和结果",
    ),
    ("session export session", "会话的编号，或 last"),
    ("session switch", "显示问过几次的问题的另一版，和它后面的内容"),
    ("session switch session", "会话的编号，或 last"),
    ("session switch run", "要显示的那次任务"),
    ("session branch", "从这个会话分出新会话，或只带某次任务之前的内容"),
    ("session branch session", "会话的编号，或 last"),
    ("session branch --before", "只带这次任务之前的内容"),
    (
        "session variables",
        "程序留下的变量；可以看一个的全部，或删掉一个",
    ),
    ("session variables session", "会话的编号，或 last"),
    ("session variables --show", "写出这个变量的全部"),
    ("session variables --delete", "删掉这个变量"),
    ("session jobs", "后台任务和各自最后几行输出；可以停下一个"),
    ("session jobs session", "会话的编号，或 last"),
    ("session jobs --stop", "停下这个任务"),
    ("session delete", "删除会话和属于它的一切"),
    ("session delete session", "会话的编号"),
    ("session delete --yes", "在终端里也不再确认"),
    ("config get", "一项设置的值"),
    ("config get key", "设置的名字"),
    ("config set", "修改一项设置；空值恢复默认"),
    ("config set key", "设置的名字"),
    ("config set value", "新的值"),
    ("config list", "全部设置和含义"),
    ("config path", "设置存在哪里"),
    ("config rules", "记住的、关于调用的决定"),
    ("config rule", "记住一个关于某类调用的决定"),
    ("config rule verdict", "允许、每次都问，或拒绝"),
    ("config rule pattern", "哪些调用，例如 files.read(path=/srv/*)"),
    ("changes", "任务改了哪些文件：查看、撤销"),
    ("changes list", "改过的文件，新的在前"),
    ("changes list --session", "只看一个会话里的"),
    ("changes show", "文件和之前的内容有什么不同"),
    ("changes show change", "列表里的编号或它的一部分，或 last"),
    ("changes undo", "放回之前的内容；之后又改过的文件不动"),
    ("changes undo change", "列表里的编号或它的一部分，或 last"),
    ("tool", "程序能调用什么：查看、打开、关闭"),
    ("tool list", "全部工具包和工具，关掉的也列出"),
    ("tool list --assistant", "只对某个助手，默认对所有助手"),
    ("tool on", "打开一个工具或整个工具包"),
    ("tool on tool", "工具包名，或 工具包.工具"),
    ("tool on --assistant", "只对某个助手，默认对所有助手"),
    ("tool off", "关闭一个工具或整个工具包，程序就看不到它"),
    ("tool off tool", "工具包名，或 工具包.工具"),
    ("tool off --assistant", "只对某个助手，默认对所有助手"),
    ("config revoke", "撤回一个记住的决定"),
    ("config revoke pattern", "决定的样式，见 config rules"),
    ("key set", "保存密钥，从提示或标准输入读取"),
    ("key set provider", "服务商的名字，见 model providers"),
    ("key set --unchecked", "不向服务商验证就保存"),
    ("key list", "哪些服务商有密钥，存在哪里"),
    ("key test", "问服务商认不认这个密钥"),
    ("key test provider", "服务商的名字"),
    ("key delete", "删除密钥"),
    ("key delete provider", "服务商的名字"),
    (
        "key unlock",
        "系统没有钥匙串时，用口令打开存密钥的加密文件；还没有就建一个",
    ),
    ("model list", "服务商提供的模型，直接问它；默认是设置里的服务商"),
    ("model list provider", "服务商的名字，默认是设置里的"),
    ("model test", "问模型一个极小的问题，看多久、答了什么"),
    ("model test provider", "服务商的名字，默认是设置里的"),
    ("model test --model", "模型名，默认是设置里的或服务商常用的"),
    ("model test --model-url", "地址，默认是设置里的或服务商自己的"),
    ("model providers", "认识的服务商，和有没有密钥"),
    ("model find", "找这台机器上的模型服务"),
    ("model spent", "按日、模型和角色列出花费"),
    ("model spent --days", "最近几天"),
    ("trace list", "列出任务，新的在前"),
    ("trace list --limit", "最多几条"),
    ("trace list --text", "只列问题、结局、工具或模型里有这些字的任务"),
    ("trace stats", "模型、程序和工具各自的成败、用时和用量"),
    ("trace stats --days", "最近多少天"),
    ("trace show", "一次任务的步骤"),
    ("trace show run", "哪次任务"),
    (
        "trace show --step",
        "只看一步，保留的都给出：发出的提示词、程序、参数和结果",
    ),
    ("trace export", "一次或所有任务的步骤，每行一个 JSON 对象"),
    ("trace export run", "哪次任务，不写就是所有"),
];

/// The same command with its help in `language`.
#[must_use]
pub fn localised(command: Command, language: Language) -> Command {
    match language {
        Language::English => command,
        Language::Chinese => CHINESE
            .iter()
            .chain(experience::CHINESE)
            .chain(knowledge::CHINESE)
            .chain(mcp::CHINESE)
            .chain(companion::CHINESE)
            .fold(command, |command, (name, text)| reworded(command, name, text)),
    }
}

fn reworded(command: Command, name: &str, text: &'static str) -> Command {
    let (first, rest) = name.split_once(' ').unwrap_or((name, ""));
    if name.is_empty() {
        return command.about(text);
    }
    if command.find_subcommand(first).is_some() {
        return command.mut_subcommand(first, |under| reworded(under, rest, text));
    }
    // Options are known to clap by the name of their field.
    let option = name.trim_start_matches("--").replace('-', "_");
    command.mut_arg(option, |argument| argument.help(text))
}
