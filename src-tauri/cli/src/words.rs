//! Everything that the command line says itself, in Chinese and English.

mod companion;
mod experience;
mod inside;
mod knowledge;
mod mcp;
mod rescue;
mod trace;
mod waiting;

use shidi_protocol::{
    Attachment, AttachmentUnit, Class, LookAt, LookOutcome, MemoryMeaning, MemoryRoom, RunStatus, SentAs,
    Unreadable, Usage,
};
use std::fmt::Display;
use std::path::Path;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    Chinese,
    English,
}

impl Language {
    /// `zh…` is Chinese, everything else English.
    #[must_use]
    pub fn named(name: &str) -> Self {
        if name.to_ascii_lowercase().starts_with("zh") {
            Self::Chinese
        } else {
            Self::English
        }
    }

    /// The language of the user's locale.
    #[must_use]
    pub fn of_environment() -> Self {
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set);
        locale.map_or(Self::English, |locale| Self::named(&locale))
    }

    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Chinese => "zh",
            Self::English => "en",
        }
    }
}

/// The sentences of one language.
#[derive(Debug, Clone, Copy)]
pub struct Words {
    pub language: Language,
}

impl Words {
    fn pick<T>(self, zh: T, en: T) -> T {
        match self.language {
            Language::Chinese => zh,
            Language::English => en,
        }
    }
}

impl Words {
    /// Why something attached can't be read.
    #[must_use]
    pub fn unreadable(self, reason: Unreadable) -> &'static str {
        shidi_runtime::unreadable(self.runtime(), reason)
    }

    /// The language, for sentences of the runtime.
    #[must_use]
    pub fn runtime(self) -> shidi_runtime::Words {
        shidi_runtime::Words::of(Some(self.language.code()))
    }

    /// `pdf · 12 pages · about 3400 tokens · sent whole`.
    #[must_use]
    pub fn attachment(self, attachment: &Attachment) -> String {
        let Attachment {
            format,
            parts,
            tokens,
            ..
        } = attachment;
        let unit = match attachment.unit {
            AttachmentUnit::Page => self.pick("页", "pages"),
            AttachmentUnit::Slide => self.pick("张幻灯片", "slides"),
            AttachmentUnit::Sheet => self.pick("张工作表", "sheets"),
            AttachmentUnit::Line => self.pick("行", "lines"),
            AttachmentUnit::Row => self.pick("行数据", "rows"),
            AttachmentUnit::File => self.pick("个文件", "files"),
        };
        let how = match attachment.how {
            SentAs::Whole => self.pick("全文发送", "sent whole"),
            SentAs::Indexed => self.pick(
                "较长：发送开头和目录，其余按需查找",
                "long: its beginning and outline are sent, the rest is looked up when needed",
            ),
            SentAs::Image => self.pick("作为图片发送", "sent as a picture"),
            SentAs::None => self.pick("不发送", "not sent"),
        };
        let misnamed = if attachment.misnamed {
            self.pick(" · 扩展名与内容不符", " · its name ends as another format's")
        } else {
            ""
        };
        let about = self.pick("约", "about");
        let unit_of_text = self.pick("词元", "tokens");
        format!("{format} · {parts} {unit} · {about} {tokens} {unit_of_text} · {how}{misnamed}")
    }
}

/// Sentences without a gap.
macro_rules! phrases {
    ($($name:ident: $zh:literal, $en:literal;)*) => {
        impl Words {
            $(#[must_use] pub fn $name(self) -> &'static str { self.pick($zh, $en) })*
        }
    };
}

phrases! {
    hint: "提示：", "hint: ";
    see_help: "用 shidi help 查看用法和例子", "shidi help shows the usage with examples";
    give_a_file: "请给出一个普通文件", "Give an ordinary file";
    give_a_folder: "请给出一个文件夹", "Give a folder";
    give_an_object: "快照文件应是一个 JSON 对象", "A snapshot is one JSON object";
    check_the_path: "请检查路径和权限", "Check the path and its permissions";
    save_as_utf_8: "请把它另存为 UTF-8", "Save it as UTF-8";
    attach_instead: "太大的内容请用 --file 附上", "Attach large content with --file";
    rename_it: "请改成用 UTF-8 命名的路径", "Rename it so that its name is UTF-8";
    no_key: "没有收到密钥", "No key was given";
    give_a_key: "在提示后粘贴密钥，或从标准输入送入：shidi key set openai < key.txt",
        "Paste the key at the prompt, or send it through stdin: shidi key set openai < key.txt";
    no_question: "没有问题可问", "There is nothing to ask";
    say_what: "写出问题，例如：shidi ask 今天星期几", "Write the question: shidi ask what day is it";
    no_session: "还没有会话", "There is no session yet";
    ask_first: "先问一个问题：shidi ask …", "Ask something first: shidi ask …";
    offline: "离线应答：靠规则和搜索，不是语言模型",
        "Offline planner: rules and search, not a language model";
    cancelling: "正在停止…（再按一次 Ctrl-C 立即退出）", "Stopping… (Ctrl-C again ends at once)";
    wants_to_run: "师弟想执行", "Shidi wants to run";
    asks: "师弟问", "Shidi asks";
    reason_prompt: "原因（可留空）：", "Reason (may be empty): ";
    answer_prompt: "回答：", "Answer: ";
    unclear: "请按 y、a 或 n", "Press y, a or n";
    still_waiting: "任务在等你", "The run waits for you";
    waits_elsewhere: "等那边完成；Ctrl+C 停止任务", "Waiting until it is done there; Ctrl+C stops the task";
    gave_up: "放弃了", "Gave up";
    failed: "任务失败", "The task failed";
    cancelled: "已取消", "Cancelled";
    nothing_runs: "桌面程序没有在运行", "The desktop program is not running";
    no_display: "这里没有图形界面，桌面程序无法启动", "There is no display here, so the desktop program can't start";
    use_ask: "在终端里请用 shidi ask", "At a terminal, use shidi ask";
    no_desktop_program: "找不到桌面程序 shidi-desktop", "The desktop program shidi-desktop was not found";
    install_desktop: "把 shidi-desktop 放到 shidi 旁边或 PATH 中",
        "Put shidi-desktop beside shidi or into a folder of PATH";
    desktop_ended: "桌面程序一启动就结束了", "The desktop program ended as soon as it was started";
    nothing_here: "（没有）", "(none)";
    sensing_paused: "感知已暂停：什么都不再看", "Sensing is paused: nothing is looked at any more";
    sensing_resumed: "感知已恢复", "Sensing goes on";
    title_withheld: "（标题不看：可能是隐私窗口）", "(title withheld: it may be a private window)";
    may_be_private: "里面可能有隐私窗口", "It may show a private window";
    why_not_seen: "看看设置：shidi config list；或附上一张截图文件",
        "See the settings with shidi config list, or attach a picture file";
    waiting: "等待中", "waiting";
    at_work: "进行中", "at work";
    kept_in_keychain: "在钥匙串中", "in the keychain";
    kept_in_environment: "来自环境变量", "from the environment";
    not_kept: "没有密钥", "no key";
    kept_in_file: "在加密文件中", "in the encrypted file";
    key_stored_in_file: "这个系统没有钥匙串，密钥已存入加密文件", "This system has no keychain: the key is in the encrypted file";
    keys_unlocked: "密钥文件已打开，到师弟退出为止", "The file of keys is open until Shidi ends";
    passphrase_prompt: "密钥文件的口令（不显示）：", "Passphrase of the file of keys (not shown): ";
    new_passphrase_prompt: "为密钥文件选一个口令，忘了就打不开（不显示）：",
        "Choose a passphrase for the file of keys; without it nobody can open the file (not shown): ";
    again_prompt: "再输一遍：", "Once more: ";
    passphrases_differ: "两次输入的口令不一样", "The two passphrases differ";
    no_passphrase: "没有收到口令", "No passphrase was given";
    give_a_passphrase: "在提示后输入口令，或用 SHIDI_PASSPHRASE", "Type it at the prompt, or set SHIDI_PASSPHRASE";
    no_key_needed: "不需要密钥", "needs no key";
    no_servers: "没有发现本机的模型服务", "No model server runs on this machine";
    start_one: "启动 Ollama、LM Studio、llama.cpp 或 vLLM 再看", "Start Ollama, LM Studio, llama.cpp or vLLM and look again";
    sees: "看图", "sees";
    calls_tools: "调工具", "tools";
    nothing_spent: "还没有用过模型", "No model was asked yet";
    estimated: "（估算）", " (estimate)";
    key_works: "密钥有效", "The key works";
    key_stored: "密钥已存入钥匙串", "The key is in the keychain";
    key_deleted: "密钥已删除", "The key was deleted";
    config_set: "已保存", "Saved";
    built_in: "内置值", "built in";
    no_changes: "没有改过文件", "No file was changed";
    change_made: "改过", "changed";
    change_new: "新建", "new";
    change_undone: "已撤销", "taken back";
    tool_built_in: "内置", "built in";
    tool_of_server: "MCP 服务器", "MCP server";
    tool_of_page: "眼前的页面", "page in front";
    tool_on: "开", "on ";
    tool_off: "关", "off";
    rule_allow: "允许", "allow";
    rule_ask: "询问", "ask";
    rule_deny: "拒绝", "deny";
    rule_set: "记住了", "Remembered";
    rule_revoked: "不再记住", "Forgotten";
    session_branched: "新会话从这里分出，编号：", "The new session that begins there:";
    session_renamed: "已改名", "Renamed";
    session_imported: "已导入，编号：", "Imported, as:";
    session_imported_foreign: "已导入。里面有外来的内容，从它继续的任务会多问几次。编号：", "Imported. It holds a stranger's words, so tasks that go on from it ask more often. As:";
    session_deleted: "会话已删除", "The session was deleted";
    memory_pinned: "已置顶", "Pinned";
    memory_unpinned: "已取消置顶", "No longer pinned";
    memory_erased: "已彻底删除", "Erased";
    site_forgotten: "这个网站已忘记", "The site is forgotten";
    pinned: "置顶", "pinned";
    import_in_parts: "请分成几个文件导入", "Import it as several files";
    delete_prompt: "删除这个会话及其全部记录？[y/N] ", "Delete this session and everything of it? [y/N] ";
    kept: "没有删除", "Nothing was deleted";
    broke_off: "（到这里断了）", "(broke off here)";
    cancel_sent: "任务已停止", "The run was stopped";
    all_well: "一切正常", "All is well";
    program_is_sound: "程序没有发现问题", "The program was checked and is sound";
}

impl Words {
    #[must_use]
    pub fn not_a_file(self, path: &Path) -> String {
        let path = path.display();
        self.pick(format!("“{path}”不是文件"), format!("'{path}' is not a file"))
    }

    #[must_use]
    pub fn not_a_folder(self, path: &Path) -> String {
        let path = path.display();
        self.pick(format!("“{path}”不是文件夹"), format!("'{path}' is not a folder"))
    }

    #[must_use]
    pub fn not_an_object(self, path: &Path) -> String {
        let path = path.display();
        self.pick(
            format!("“{path}”不是 JSON 对象"),
            format!("'{path}' is not a JSON object"),
        )
    }

    #[must_use]
    pub fn broken_json(self, path: &Path, line: usize, why: &str) -> String {
        let path = path.display();
        self.pick(
            format!("“{path}”第 {line} 行不是正确的 JSON：{why}"),
            format!("'{path}' is broken JSON in line {line}: {why}"),
        )
    }

    #[must_use]
    pub fn not_read(self, name: &str, error: &dyn Display) -> String {
        self.pick(
            format!("无法读取“{name}”：{error}"),
            format!("'{name}' can't be read: {error}"),
        )
    }

    #[must_use]
    pub fn too_large(self, name: &str, bytes: u64) -> String {
        self.pick(
            format!("“{name}”超过 {bytes} 字节"),
            format!("'{name}' is larger than {bytes} bytes"),
        )
    }

    #[must_use]
    pub fn not_utf_8(self, name: &str, line: usize) -> String {
        self.pick(
            format!("“{name}”第 {line} 行不是 UTF-8"),
            format!("'{name}' is not UTF-8 in line {line}"),
        )
    }

    #[must_use]
    pub fn name_not_utf_8(self, path: &Path) -> String {
        let path = path.display();
        self.pick(
            format!("路径“{path}”不是 UTF-8"),
            format!("The path '{path}' is not UTF-8"),
        )
    }

    #[must_use]
    pub fn unknown_setting(self, key: &str) -> String {
        self.pick(
            format!("没有名为“{key}”的设置"),
            format!("There is no setting '{key}'"),
        )
    }

    #[must_use]
    pub fn did_you_mean(self, name: &str) -> String {
        self.pick(
            format!("是不是“{name}”？shidi config list 列出全部"),
            format!("Did you mean '{name}'? shidi config list shows all"),
        )
    }

    #[must_use]
    pub fn bad_role(self, text: &str) -> String {
        self.pick(
            format!("“{text}”不是 角色=模型"),
            format!("'{text}' is not ROLE=MODEL"),
        )
    }

    #[must_use]
    pub fn roles(self) -> &'static str {
        self.pick(
            "角色有 fast、coder、general、vision、embedding，例如 --role-model fast=qwen-turbo",
            "Roles are fast, coder, general, vision and embedding, as in --role-model fast=qwen-turbo",
        )
    }

    #[must_use]
    pub fn approval_keys(self, family: &str) -> String {
        if family.is_empty() {
            return self.pick("[y] 这一次  [n] 不：".to_owned(), "[y]es once, [n]o: ".to_owned());
        }
        self.pick(
            format!("[y] 这一次  [a] 总是（{family}）  [n] 不："),
            format!("[y]es once, [a]lways ({family}), [n]o: "),
        )
    }

    /// What to press while a long call is shown part by part.
    #[must_use]
    pub fn part_keys(self, part: usize, parts: usize) -> String {
        self.pick(
            format!("第 {part}/{parts} 部分，看完才能批准。回车看下一部分，[all] 全部显示，[n] 不："),
            format!("Part {part} of {parts}, to be seen before it can be approved. Enter for the next, [all] of the rest, [n]o: "),
        )
    }

    #[must_use]
    pub fn key_prompt(self, provider: &str) -> String {
        self.pick(
            format!("{provider} 的密钥（不显示）："),
            format!("Key for {provider} (not shown): "),
        )
    }

    #[must_use]
    pub fn started_desktop_failed(self, path: &Path, error: &dyn Display) -> String {
        let path = path.display();
        self.pick(
            format!("无法启动“{path}”：{error}"),
            format!("'{path}' could not be started: {error}"),
        )
    }

    #[must_use]
    pub fn see_why(self, program: &Path) -> String {
        let program = program.display();
        self.pick(
            format!("直接运行 {program} 查看原因"),
            format!("Run {program} to see why"),
        )
    }

    #[must_use]
    pub fn lines_of_code(self, lines: usize) -> String {
        match (self.language, lines) {
            (Language::Chinese, _) => format!("Python · {lines} 行"),
            (Language::English, 1) => "Python · 1 line".to_owned(),
            (Language::English, _) => format!("Python · {lines} lines"),
        }
    }

    #[must_use]
    pub fn recalled(self, texts: &[&str]) -> String {
        let (count, texts) = (texts.len(), texts.join(" · "));
        self.pick(
            format!("想起 {count} 条：{texts}"),
            format!("Recalled {count}: {texts}"),
        )
    }

    #[must_use]
    pub fn compacted(self, before: u32, after: u32) -> String {
        self.pick(
            format!("上下文已压缩：{before} → {after} 词元"),
            format!("Context compacted: {before} → {after} tokens"),
        )
    }

    #[must_use]
    pub fn used(self, usage: &Usage, ms: u64) -> String {
        let (input, output, seconds) = (usage.input, usage.output, ms as f64 / 1_000.0);
        if usage.model_calls == 0 {
            return self.pick(format!("{seconds:.1} 秒"), format!("{seconds:.1} s"));
        }
        // The share that the provider had in its cache, which costs a fraction of the rest.
        let cached = match (u64::from(usage.cached) * 100).checked_div(u64::from(input)) {
            Some(percent) if percent > 0 => self.pick(
                format!("（缓存命中 {percent}%）"),
                format!(" ({percent} % cached)"),
            ),
            Some(_) | None => String::new(),
        };
        self.pick(
            format!("输入 {input}{cached} · 输出 {output} 词元 · {seconds:.1} 秒"),
            format!("{input} in{cached} · {output} out tokens · {seconds:.1} s"),
        )
    }

    /// How far finding by meaning has come.
    #[must_use]
    pub fn memory_meaning(self, meaning: &MemoryMeaning) -> String {
        let (model, placed, of) = (&meaning.model, meaning.placed, meaning.of);
        let trouble = meaning.trouble.as_deref().map(|cause| format!(" · {cause}"));
        let trouble = trouble.unwrap_or_default();
        self.pick(
            format!("按意思找：{model}，{placed} / {of} 条有向量{trouble}"),
            format!("by meaning: {model}, {placed} of {of} texts have vectors{trouble}"),
        )
    }

    /// How much is remembered beside what may be.
    #[must_use]
    pub fn memory_room(self, room: &MemoryRoom) -> String {
        const MEGABYTE: f64 = 1_048_576.0;
        let (size, most) = (room.bytes as f64 / MEGABYTE, room.bytes_most as f64 / MEGABYTE);
        let (short, long) = (
            format!("{} / {}", room.short_term, room.short_term_most),
            format!("{} / {}", room.long_term, room.long_term_most),
        );
        match self.language {
            Language::Chinese => {
                format!("短期 {short} 条，长期 {long} 条，文字 {size:.1} / {most:.0} MB（已用 / 上限）")
            }
            Language::English => {
                format!(
                    "short-term {short}, long-term {long} records, text {size:.1} / {most:.0} MB (used / at most)"
                )
            }
        }
    }

    #[must_use]
    pub fn until(self, time: &str) -> String {
        match self.language {
            Language::Chinese => format!("记到 {time}"),
            Language::English => format!("until {time}"),
        }
    }

    /// A statement that can't be so together with the one above it.
    pub fn contradicted(self, text: &str, time: &str, id: &str) -> String {
        let head = self.pick(
            "与此矛盾，还没说哪个对：",
            "Contradicted, and nobody said which is so: ",
        );
        format!("{head}{text}  {time}  {id}")
    }

    #[must_use]
    pub fn memory_imported(self, count: u64, own: bool) -> String {
        let imported = match (self.language, count) {
            (Language::Chinese, _) => format!("已导入 {count} 条"),
            (Language::English, 1) => "1 record was imported".to_owned(),
            (Language::English, _) => format!("{count} records were imported"),
        };
        if own {
            return imported;
        }
        let strangers = self.pick(
            "；它不是自己的完整导出，都标为外来的",
            ", as a stranger's: this is no whole export of your own",
        );
        imported + strangers
    }

    /// How many questions a session holds.
    #[must_use]
    pub fn questions(self, count: u32) -> String {
        match (self.language, count) {
            (Language::Chinese, _) => format!("{count} 问"),
            (Language::English, 1) => "1 question".to_owned(),
            (Language::English, _) => format!("{count} questions"),
        }
    }

    #[must_use]
    pub fn class(self, class: Class) -> &'static str {
        match class {
            Class::Read => self.pick("读取", "read"),
            Class::ReadOutside => self.pick("读取授权文件夹之外的内容", "read outside the granted folders"),
            Class::NetworkRead => self.pick("从网络读取", "read from the network"),
            Class::Write => self.pick("写入", "write"),
            Class::Keep => self.pick("记入记忆", "keep in memory"),
            Class::WriteOutside => self.pick(
                "写入授权文件夹之外，或隐藏文件",
                "write outside the granted folders, or to a hidden file",
            ),
            Class::Execute => self.pick("在沙箱中执行", "execute in the sandbox"),
            Class::ExecuteOpen => self.pick(
                "在沙箱外或联网执行",
                "execute outside the sandbox or with network",
            ),
            Class::Send => self.pick("发送", "send"),
            Class::Page => self.pick("更改页面", "change the page"),
            Class::Money => self.pick("涉及金钱、凭据或权限", "money, credentials or permissions"),
        }
    }

    #[must_use]
    pub fn not_written(self, name: &str, error: &dyn Display) -> String {
        self.pick(
            format!("无法写入“{name}”：{error}"),
            format!("'{name}' can't be written: {error}"),
        )
    }

    #[must_use]
    pub fn blacked_out(self, windows: u32) -> String {
        self.pick(
            format!("涂黑了 {windows} 个不看的窗口"),
            format!(
                "{windows} excluded window{} blacked out",
                if windows == 1 { "" } else { "s" }
            ),
        )
    }

    #[must_use]
    pub fn waits_in_vain(self) -> &'static str {
        self.pick(
            "无痕会话等不了以后再决定：它随这个命令一起没了",
            "An incognito session can't wait to be decided later: it is gone with this command",
        )
    }

    #[must_use]
    pub fn how_not_to_wait(self) -> &'static str {
        self.pick(
            "在终端里提问，当场决定；或用 --approve 预先批准",
            "Ask at a terminal and decide there, or approve beforehand with --approve",
        )
    }

    #[must_use]
    pub fn look_at(self, what: LookAt) -> String {
        match what {
            LookAt::Facts => self.pick("窗口信息", "facts").to_owned(),
            LookAt::Monitor => self.pick("整个屏幕", "monitor").to_owned(),
            LookAt::Window => self.pick("窗口", "window").to_owned(),
            LookAt::Region { x, y, width, height } => self.pick(
                format!("{x},{y} 处 {width}×{height}"),
                format!("{width}×{height} at {x},{y}"),
            ),
        }
    }

    #[must_use]
    pub fn look_outcome(self, outcome: LookOutcome) -> &'static str {
        match outcome {
            LookOutcome::Kept => self.pick("在内存里", "in memory"),
            LookOutcome::Gone => self.pick("没有发送，已放手", "not sent, let go"),
            LookOutcome::Sent => self.pick("已发送", "sent"),
            LookOutcome::Erased => self.pick("已发送，随会话删除", "sent, erased with its session"),
            LookOutcome::Refused => self.pick("没有看", "refused"),
        }
    }

    #[must_use]
    pub fn status(self, status: Option<RunStatus>) -> &'static str {
        match status {
            None => self.at_work(),
            Some(RunStatus::Completed) => self.pick("完成", "completed"),
            Some(RunStatus::Failed) => self.pick("失败", "failed"),
            Some(RunStatus::GaveUp) => self.pick("放弃", "gave up"),
            Some(RunStatus::Suspended) => self.waiting(),
            Some(RunStatus::Cancelled) => self.pick("取消", "cancelled"),
        }
    }
}
