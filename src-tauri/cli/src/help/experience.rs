//! Help of `shidi experience`.

pub const EXPERIENCE: &str = "Examples:
  shidi experience list --state candidate
  shidi experience show 019a
  shidi experience preview 019a           past runs that would have had it in their prompt
  shidi experience edit 019a --lesson 'Read CSV files with utf-8-sig'
  shidi experience approve 019a
  shidi experience add --goal 'monthly sales from sales.csv' --lesson 'Group by month first' --code sales.py
  shidi experience take last              a candidate of the newest run
  shidi experience export > experiences.jsonl

Only what is approved is ever used. Votes of models approve nothing unless experience.votes_suffice is on, and never what
comes from a task that had read outside content.";

pub(super) const CHINESE: &[(&str, &str)] = &[
    (
        "experience",
        "审核任务里学到的经验：列出、查看、通过、拒绝、修改、手写、投票、预览、停用、删除、导出、导入",
    ),
    ("experience list", "等你审核的在前，其余新的在前"),
    (
        "experience list --state",
        "状态：candidate、approved、rejected 或 expired（可重复）",
    ),
    ("experience list --text", "只要包含这段文字的"),
    ("experience list --limit", "最多几条"),
    ("experience show", "看一条的全部，包括教出它和用过它的任务"),
    ("experience show experience", "经验的编号，写头几位或末几位就行"),
    ("experience approve", "通过：以后合适时会放进提示词"),
    (
        "experience approve experience",
        "经验的编号，写头几位或末几位就行",
    ),
    ("experience reject", "拒绝：从不使用"),
    ("experience reject experience", "经验的编号，写头几位或末几位就行"),
    ("experience edit", "修改内容"),
    ("experience edit experience", "经验的编号，写头几位或末几位就行"),
    ("experience edit --goal", "它在什么任务里有用"),
    ("experience edit --lesson", "该怎么做，或不该怎么做"),
    ("experience edit --code", "程序文件；- 读标准输入"),
    ("experience edit --scope", "范围：user、site:网址 或 session:编号"),
    ("experience add", "手写一条，写了就算通过"),
    ("experience add --goal", "它在什么任务里有用"),
    ("experience add --lesson", "该怎么做，或不该怎么做"),
    ("experience add --code", "程序文件；- 读标准输入"),
    ("experience add --scope", "范围：user、site:网址 或 session:编号"),
    ("experience take", "把一次做完的任务变成候选经验"),
    ("experience take run", "任务的编号，last 是最近一次"),
    ("experience vote", "请模型投票"),
    ("experience vote experience", "经验的编号，写头几位或末几位就行"),
    ("experience preview", "过去哪些任务会用到它"),
    (
        "experience preview experience",
        "经验的编号，写头几位或末几位就行",
    ),
    ("experience expire", "停用"),
    ("experience expire experience", "经验的编号，写头几位或末几位就行"),
    ("experience delete", "删除"),
    ("experience delete experience", "经验的编号，写头几位或末几位就行"),
    ("experience export", "全部写成 JSON Lines，到标准输出或新文件"),
    ("experience export file", "新文件的路径"),
    (
        "experience import",
        "从 JSON Lines 文件导入：自己的完整导出照原样，别的作为候选",
    ),
    ("experience import file", "experience export 写出的文件"),
    (
        "experience import --reviewed",
        "相信一个不是自己导出的文件：它说通过的不经审核就进提示，影响模型写什么、运行什么。只用于自己写的或从头读过的",
    ),
];
