//! Help of `shidi knowledge`.

pub const KNOWLEDGE: &str = "Examples:
  shidi knowledge create handbook --about 'rules on travel, leave and purchases'
  shidi knowledge add handbook rules/ faq.csv https://example.com/policy
  shidi knowledge add handbook            looks again at all of that: only what changed is read
  shidi knowledge query handbook how much may a hotel cost
  shidi knowledge query handbook --field phone who repairs the printer
  shidi knowledge list handbook
  shidi knowledge delete handbook rules/old.md
  shidi knowledge create team --at https://qdrant.example:6333    kept by a server, for a team

What says of itself that it is deprecated is left out, and what several documents say in the same words is kept once.";

pub(super) const CHINESE: &[(&str, &str)] = &[
    ("knowledge", "知识库：新建、导入、提问、列出、删除"),
    ("knowledge create", "新建知识库，或改它的说明"),
    ("knowledge create base", "知识库的名字"),
    ("knowledge create --about", "用一句话说明它知道什么，模型据此选择"),
    (
        "knowledge add",
        "导入文件、文件夹和网址；不写就把导入过的再看一遍",
    ),
    (
        "knowledge create --at",
        "为一个团队保管它的 Qdrant 服务器；密钥用 shidi key set qdrant",
    ),
    ("knowledge add base", "知识库的名字"),
    (
        "knowledge add what",
        "文件、文件夹，或以 http:// 或 https:// 开头的网址",
    ),
    ("knowledge query", "最能回答问题的片段，各带引用的出处"),
    ("knowledge query base", "知识库的名字"),
    ("knowledge query text", "问题"),
    ("knowledge query --limit", "最多几段"),
    (
        "knowledge query --field",
        "只要有这一列（或键）的记录，只给出这一项",
    ),
    ("knowledge list", "所有知识库，或一个知识库里的文档"),
    ("knowledge list base", "知识库的名字"),
    ("knowledge delete", "删除一个文档，或整个知识库"),
    ("knowledge delete base", "知识库的名字"),
    ("knowledge delete document", "文件的路径或网址，见 knowledge list"),
    ("knowledge delete --yes", "在终端里也不再确认"),
    (
        "knowledge delete --only-here",
        "只在这里忘掉由服务器保管的知识库，那边的都留着",
    ),
];
