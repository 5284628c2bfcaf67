//! The words by which statements are recognised, in Chinese and English, in small letters. Upright strokes stand
//! between the words of a list.

/// How a sentence begins that asks to keep the rest of it; the longest first.
pub const TELLING: &str = "please remember that|please remember|remember that|remember this|remember:|remember|\
    keep in mind that|keep in mind|don't forget that|make a note that|make a note:|take a note:|note to self:|\
    for future reference|for the record|please note down|note down that|note down|\
    请你记住|请帮我记住|请记住|请记一下|请记下|帮我记住|帮我记一下|帮我记下|帮我记|给我记住|你记住|你要记住|要记住|\
    记住|记一下|记下来|记下|记得：|记得:|备注一下";

/// Sentences with these ask for something, also without a mark of question.
pub const ASKING: &str = "do you remember|did you remember|can you remember|你记住了什么|你记得什么|还记得|记不记得|是什么|是多少|\
    是谁|是哪|叫什么|在哪里|在哪儿|多少钱|怎么|什么时候|几点|为什么|what is|what's|who is|where is|how do|how to";

/// A message with these is about somebody's text, not about the user.
pub const WORKING_ON: &str = "translate|proofread|rewrite|rephrase|summarize|summarise|paraphrase|correct this|fix this|\
    the following|write a|write an|write me|draft a|reply to|roleplay|pretend|for example|e.g.|翻译|润色|改写|续写|总结|摘要|\
    下面|以下|这段|这封|这句|写一|写封|写个|起草|回复|扮演|假装|假如|如果|例如|比如";

/// Characters of a quotation that may be a name.
pub const QUOTED_NAME_CHARACTERS: usize = 12;

/// Openings that say nothing.
const OPENINGS: &str = "please |actually, |actually |correction: |by the way, |btw, |and |so |ok, |请你|请|那|好，|另外，|对了，|\
    更正：|更正一下，|其实|顺便说一下，";

/// What is no value of anything: how it goes at the moment.
pub const NO_VALUE: &str = "not |broken|wrong|missing|slow|down|too |very |so |still |always |getting|being|full|empty|the same|\
    there|ok|fine|locked|lost|what|your|不|没|坏|错|丢|什么|啥|谁|哪|空|满|怎|否|多少|几";

/// Something of the user that has one value: its name, and how English and Chinese say it.
pub const ATTRIBUTES: &[(&str, &str, &str)] = &[
    (
        "my name",
        "full name|first name|last name|name|nickname",
        "名字|姓名|全名|昵称|英文名|中文名",
    ),
    (
        "my email",
        "email address|e-mail address|email|e-mail",
        "邮箱地址|电子邮箱|邮箱|邮件地址|email",
    ),
    (
        "my phone",
        "phone number|phone|mobile number|mobile",
        "电话号码|手机号码|手机号|电话",
    ),
    ("my birthday", "birthday|date of birth", "生日|出生日期"),
    (
        "my home",
        "home address|address|hometown|home",
        "家庭住址|住址|地址|家|老家",
    ),
    (
        "my job",
        "job title|job|role|title|position|profession|occupation",
        "职业|职位|岗位|角色|职务|头衔",
    ),
    ("my work", "employer|company|workplace", "单位|雇主|公司"),
    ("my team", "team|department", "团队|部门|小组"),
    (
        "my manager",
        "manager|boss|supervisor",
        "经理|老板|上司|领导|主管|直属领导",
    ),
    ("my office", "office|desk", "办公室|工位"),
    ("my timezone", "timezone|time zone", "时区"),
    (
        "my language",
        "native language|mother tongue|first language",
        "母语",
    ),
    ("my pronouns", "pronouns", "人称代词"),
    ("my wife", "wife", "妻子|老婆|太太|爱人"),
    ("my husband", "husband", "丈夫|老公"),
    (
        "my partner",
        "partner|girlfriend|boyfriend",
        "伴侣|女朋友|男朋友|对象",
    ),
    (
        "my employee number",
        "employee id|employee number|staff number",
        "工号|员工号",
    ),
    (
        "my username",
        "username|user name|github username|github handle",
        "用户名|账号名|github 用户名",
    ),
    ("my editor", "editor|ide", "编辑器|ide"),
    ("my computer", "computer|laptop", "电脑|笔记本"),
];

/// What has figures; without any, a phone is the thing in a pocket, and how it goes.
const OF_FIGURES: &str = "my phone";

/// Ways of giving such a value without its name, and the words with which they say something else.
const OTHERWISE: &[(&str, &str, &str)] = &[
    (
        "my name",
        "call me |i am called |我叫|叫我",
        "back|later|tomorrow|when|你|if|怎么",
    ),
    (
        "my home",
        "i live in |i live at |i moved to |我住在|我家在|我搬到",
        "",
    ),
    (
        "my work",
        "i work at |i work for |i work in |我就职于|我供职于",
        "this|that|progress",
    ),
    (
        "my job",
        "i work as |i'm a |i am a |i'm an |i am an |我是一名|我是一个|我是一位|我是做",
        "bit|little|lot|fan|tad|big |huge|fool|mess|hundred|说|想|要|不|来|问|看|普通|新手|小白",
    ),
];

/// What somebody likes at the moment is in front of them.
const AT_HAND: &str = " this| that| it| your| to know| to see| to ask|这|那|你的|它";

/// How a sentence begins that says what the user always wants, and the words with which it says something else.
const PREFERRING: &[(&str, &str)] = &[
    (
        "always |每次都",
        "fails|wrong|crash|returns|shows|the same error|报错|失败|出错|崩溃|这样",
    ),
    ("never |永远不要", "mind|works|worked|ends|returns"),
    ("from now on|从现在起|从现在开始|从今以后", ""),
    ("in the future|in future", "will the|what"),
    ("以后|今后", "以后再|以后会|以后能|今后会|今后能"),
    (
        "i prefer |i'd rather |i always use |i usually use |i like |i don't like |i hate |我喜欢|我更喜欢|我不喜欢|我偏好|\
         我习惯|我一般用|我一直用|我平时用",
        AT_HAND,
    ),
];

/// Things of which one can be preferred only, with the words that name them.
pub const DIMENSIONS: &[(&str, &str)] = &[
    (
        "language of answers",
        "answer in |reply in |respond in |中文回|英文回|用中文|用英文|用英语|说中文|说英文|中文答|英文答",
    ),
    (
        "length of answers",
        "short answers|brief answers|answer briefly|keep answers|long answers|detailed answers|回答简短|回答短|回答要短|\
         简短回答|回答详细|回答简洁|简洁地回答",
    ),
    ("units", "metric|imperial|celsius|fahrenheit|公制|英制|摄氏|华氏"),
    ("indentation", "use tabs|use spaces|with tabs|with spaces|缩进"),
];

/// Names of secrets.
pub const SECRETS: &str = "password|passphrase|passcode|pin code|my pin|card number|cvv|cvc|api key|secret key|private key|\
    access token|recovery code|seed phrase|security code|social security number|ssn|密码|口令|密钥|私钥|助记词|验证码|银行卡号|\
    信用卡号|卡号|身份证号|身份证|令牌|恢复码";

/// What stands between the name of a secret and its value; the longest first.
pub const SECRET_JOINTS: &str =
    "is now|is|was|are|changed to|to|of mine is|for it is|号码是|现在是|改成了|改成|改为|换成|是|为|：|:|=";

/// How the place of a secret, or what is the matter with it, is told in place of its value.
pub const PLACES: &str = "kept |stored|saved|in |on |with |at |written|managed|hidden|under |behind |required|needed|not |\
    在|放|存|由|保存|写在|记在|找|不|必|需|错";

/// The words of a list.
pub fn words(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split('|').filter(|word| !word.is_empty())
}

pub fn contains_any(text: &str, list: &'static str) -> bool {
    words(list).any(|word| text.contains(word))
}

/// What stands behind the first word of the list with which a text begins.
pub fn behind<'a>(text: &'a str, list: &'static str) -> Option<&'a str> {
    words(list).find_map(|word| text.strip_prefix(word))
}

pub fn begins_with_any(text: &str, list: &'static str) -> bool {
    words(list).any(|word| text.starts_with(word))
}

/// A sentence in small letters without openings that say nothing.
pub fn opened(lower: &str) -> &str {
    words(OPENINGS).fold(lower, |rest, opening| rest.strip_prefix(opening).unwrap_or(rest))
}

/// What of the user a sentence in small letters gives the value of.
pub fn attribute(lower: &str) -> Option<&'static str> {
    let lower = opened(lower);
    let named = ATTRIBUTES
        .iter()
        .filter(|(name, _, _)| *name != OF_FIGURES || lower.contains(|letter: char| letter.is_ascii_digit()))
        .find(|(_, english, chinese)| in_english(lower, english) || in_chinese(lower, chinese))
        .map(|(name, _, _)| *name);
    named.or_else(|| {
        OTHERWISE
            .iter()
            .find(|(_, begins, unless)| {
                behind(lower, begins)
                    .is_some_and(|rest| !rest.trim().is_empty() && !begins_with_any(rest, unless))
            })
            .map(|(name, _, _)| *name)
    })
}

fn in_english(lower: &str, names: &'static str) -> bool {
    let value = || {
        let rest = lower.strip_prefix("my ")?;
        let rest = behind(rest, "new |current |work |own ").unwrap_or(rest);
        behind(
            behind(rest, names)?,
            " is now | has changed to | changed to | is | are |: | = ",
        )
    };
    value().is_some_and(|value| !begins_with_any(value, NO_VALUE))
}

fn in_chinese(lower: &str, names: &'static str) -> bool {
    let value = || {
        let rest = lower.strip_prefix('我')?;
        let rest = behind(rest, "们的|们|的").unwrap_or(rest);
        let rest = behind(rest, "新的|新|工作|公司")
            .filter(|rest| begins_with_any(rest, names))
            .unwrap_or(rest);
        let rest = behind(rest, names)?.trim_start_matches([' ', '现', '在', '已', '经']);
        let value = behind(rest, "改成|改为|换成|变成|是|为|：|:|叫")?;
        Some(value.trim_start_matches(['了', ' ']))
    };
    value().is_some_and(|value| !value.is_empty() && !begins_with_any(value, NO_VALUE))
}

/// Whether a sentence in small letters says what the user always wants.
pub fn prefers(lower: &str) -> bool {
    let lower = opened(lower);
    PREFERRING
        .iter()
        .any(|(begins, unless)| begins_with_any(lower, begins) && !contains_any(lower, unless))
}
