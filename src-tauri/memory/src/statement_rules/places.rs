//! The place of a thing of the user's: "my passport is in the safe", 我的护照在保险箱里. Also a thing that is another one now:
//! "my gym is now the one by the river". By words and forms alone.
//!
//! A passing state ("my car is in a hurry", 我的电脑在重启) is no place. Things that one works on (files, programs) have no
//! place that is worth keeping. The rule would rather miss a place than invent one.

use super::forms::{NO_VALUE, begins_with_any, behind, contains_any, opened, words};
use super::subject::SUBJECT_CHARACTERS_MAX;

/// Characters of the name of a thing in Chinese.
const CHINESE_THING_CHARACTERS_MAX: usize = 12;
/// Words of the name of a thing, and of its place, in English.
const THING_WORDS_MAX: usize = 4;
const PLACE_WORDS_MAX: usize = 9;
/// Characters of a place, or of what a thing is now.
const PLACE_CHARACTERS_MAX: usize = 40;

/// Things that a task is about: where they are is said for the task, and holds as long as it.
const WORKED_ON: &str = "code|program|script|file|files|folder|app|build|server|service|function|query|data|database|error|\
    table|list|page|site|website|text|question|problem|issue|bug|answer|point|opinion|guess|cursor|branch|commit|container|\
    process|test|tests|version|document|spreadsheet|sheet|class|variable|config|configuration|log|logs|result|results|\
    代码|程序|脚本|文件|目录|文件夹|应用|服务|服务器|函数|查询|数据|数据库|错误|表|表格|列表|页面|网页|网站|文本|问题|答案|想法|\
    意思|看法|光标|分支|提交|容器|进程|测试|版本|文档|类|变量|配置|日志|结果|项目|接口|模型|报表|图|图片|重点|疑问|目的|目标";

/// Words with which an English phrase says how or when something is, not where.
const NO_PLACES: &[&str] = &[
    "mess",
    "loop",
    "way",
    "wrong",
    "red",
    "green",
    "background",
    "process",
    "middle",
    "state",
    "mood",
    "hurry",
    "trouble",
    "progress",
    "danger",
    "risk",
    "order",
    "time",
    "same",
    "moment",
    "morning",
    "afternoon",
    "evening",
    "night",
    "week",
    "weekend",
    "month",
    "year",
    "hour",
    "minute",
    "day",
    "future",
    "past",
    "end",
    "beginning",
    "limit",
    "verge",
    "edge",
    "phone",
    "call",
    "rise",
    "mend",
    "fritz",
    "blink",
    "case",
    "format",
    "language",
    "condition",
    "works",
    "making",
    "running",
    "list",
    "version",
    "impression",
    "mind",
    "dark",
    "lead",
    "shape",
    "demand",
    "doubt",
    "level",
    "point",
    "pipeline",
    "queue",
];

/// What stands between a thing of the user's and its place in English, now or at all; the longest first.
const ENGLISH_NOW: &str = " is now | are now | now is | now are ";
const ENGLISH_JOINTS: &str = " is now | are now | now is | now are | is | are ";
const PREPOSITIONS: &str = "in |at |on |under |inside |behind |beside |next to ";
const DETERMINERS: &str = "the |a |an |my |our |his |her |their ";

/// The same in Chinese: what may stand before the joint, the joints of a place, those of a value.
const CHINESE_NOW: &str = "现在已经|现在就|现在都|现在";
const CHINESE_PLACE_JOINTS: &str =
    "放在|收在|藏在|锁在|停在|挂在|存放在|搬到了|挪到了|放到了|搬到|挪到|放到|在";
const CHINESE_VALUE_JOINTS: &str = "是";

/// How a Chinese place ends.
const PLACE_ENDINGS: &str = "里|里面|里头|上|上面|下|下面|底下|旁|旁边|边上|后面|前面|中间|柜|箱|盒|包|抽屉|室|房|家|家里|\
    楼|层|库|店|厂|公司|单位|学校|医院|宿舍|银行|车库|那儿|那里|门口|院子|阳台|客厅|厨房|卧室|书房|口袋";

/// With these it is no place, whatever it ends with.
const NOT_THERE: &str = "路上|会上|线上|网上|线下|手上|基础上|程度上|事实上|原则上|状态|过程|这里|这儿|哪|什么|多少|以上|以下|\
    早上|晚上|马上|上下|进行|准备|等|正";

/// Whether a sentence says where something of the user's is.
pub fn is_placed(sentence: &str) -> bool {
    let sentence = bare(sentence);
    place_in_english(sentence, ENGLISH_JOINTS) || place_in_chinese(sentence, Adverb::Any)
}

/// Whether a sentence says that something of the user's is now another, or elsewhere.
pub fn is_changed(sentence: &str) -> bool {
    let sentence = bare(sentence);
    place_in_english(sentence, ENGLISH_NOW)
        || sentence.to_lowercase().ends_with(" now") && place_in_english(sentence, ENGLISH_JOINTS)
        || place_in_chinese(sentence, Adverb::Now)
        || value_in_english(sentence)
        || value_in_chinese(sentence)
}

fn bare(sentence: &str) -> &str {
    sentence.trim_matches([' ', '.', '。', '!', '！'])
}

/// Whether a sentence must say that it is so now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Adverb {
    Now,
    Any,
}

/// The statement about a thing of the user's in English, behind one of the joints. The result has the letters of the
/// sentence.
fn said_in_english<'a>(sentence: &'a str, joints: &'static str) -> Option<&'a str> {
    let lower = sentence.to_lowercase();
    // Lengths differ in a few foreign letters: those are left alone.
    if lower.len() != sentence.len() {
        return None;
    }
    let rest = behind(opened(&lower), "my |our ")?;
    let (at, joint) = words(joints)
        .filter_map(|joint| Some((rest.find(joint)?, joint)))
        .min_by_key(|(at, joint)| (*at, std::cmp::Reverse(joint.len())))?;
    let thing = &rest[..at];
    let is_thing = (1..=THING_WORDS_MAX).contains(&thing.split(' ').count())
        && thing.chars().count() <= SUBJECT_CHARACTERS_MAX
        && thing
            .chars()
            .all(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '\'' | '’'))
        && !thing
            .split(' ')
            .any(|word| words(WORKED_ON).any(|worked| worked == word));
    let said = &sentence[sentence.len() - (rest.len() - at - joint.len())..];
    let said = said.strip_suffix(" now").unwrap_or(said);
    is_thing.then(|| without_contrary(said, ", not ")).flatten()
}

fn place_in_english(sentence: &str, joints: &'static str) -> bool {
    let place = || {
        let said = said_in_english(sentence, joints)?;
        behind(said, PREPOSITIONS)
    };
    place().is_some_and(|place| {
        let named = begins_with_any(&place.to_lowercase(), DETERMINERS) || begins_with_capital(place);
        let mut words = place.split([' ', '-']);
        named
            && place.split(' ').count() <= PLACE_WORDS_MAX
            && !place
                .chars()
                .any(|letter| letter.is_ascii_digit() || letter == '%')
            && !words.any(|word| NO_PLACES.contains(&word.to_lowercase().as_str()))
    })
}

fn value_in_english(sentence: &str) -> bool {
    said_in_english(sentence, ENGLISH_NOW).is_some_and(|value| {
        let lower = value.to_lowercase();
        // What only tells how it goes begins otherwise.
        (begins_with_any(&lower, DETERMINERS)
            || begins_with_capital(value)
            || value.starts_with(|letter: char| letter.is_ascii_digit()))
            && value.split(' ').count() <= PLACE_WORDS_MAX
            && !begins_with_any(&lower, NO_VALUE)
            && !value.contains('%')
            && !lower.split(' ').any(|word| NO_PLACES.contains(&word))
    })
}

fn begins_with_capital(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_uppercase())
}

/// What is said of something of the user's in Chinese, behind one of the joints.
fn said_in_chinese<'a>(sentence: &'a str, joints: &'static str, adverb: Adverb) -> Option<&'a str> {
    let rest = opened(sentence);
    let rest = behind(rest, "我们的|我的")?;
    let joint_at = |rest: &'a str| words(joints).filter_map(|joint| rest.find(joint)).min();
    let now = words(CHINESE_NOW)
        .filter_map(|now| Some((rest.find(now)?, now.len())))
        .min_by_key(|(at, length)| (*at, std::cmp::Reverse(*length)));
    let (thing, rest) = match now {
        Some((at, length)) => (&rest[..at], &rest[at + length..]),
        None if adverb == Adverb::Now => return None,
        None => rest.split_at(joint_at(rest)?),
    };
    let said = behind(rest, joints)?.trim_start();
    let thing = thing.trim_end_matches(['就', '都', '也', ' ']);
    let is_thing = (1..=CHINESE_THING_CHARACTERS_MAX).contains(&thing.chars().count())
        && thing.chars().all(char::is_alphanumeric)
        // Else the joint of another clause was found.
        && !thing.ends_with(['是', '在'])
        && !words(WORKED_ON).any(|worked| thing.to_lowercase().ends_with(worked));
    let said = said.strip_suffix('了').unwrap_or(said);
    is_thing
        .then(|| without_contrary(said, "，不").or_else(|| without_contrary(said, ",不")))
        .flatten()
}

fn place_in_chinese(sentence: &str, adverb: Adverb) -> bool {
    said_in_chinese(sentence, CHINESE_PLACE_JOINTS, adverb).is_some_and(|place| {
        let ends = words(PLACE_ENDINGS).any(|ending| place.ends_with(ending));
        ends && place.chars().count() >= 2 && !contains_any(place, NOT_THERE)
    })
}

fn value_in_chinese(sentence: &str) -> bool {
    said_in_chinese(sentence, CHINESE_VALUE_JOINTS, Adverb::Now).is_some_and(|value| {
        !value.ends_with(['的', '了']) && !begins_with_any(value, NO_VALUE) && !contains_any(value, NOT_THERE)
    })
}

/// What is said without ", not in the drawer" behind it; `None` when something else is said, too.
fn without_contrary<'a>(said: &'a str, contrary: &str) -> Option<&'a str> {
    let said = said.split_once(contrary).map_or(said, |(said, _)| said);
    let is_one = !said.contains([',', '，', '：', ':', '、', '(', '（']);
    let characters = said.chars().count();
    (is_one && (1..=PLACE_CHARACTERS_MAX).contains(&characters)).then_some(said)
}

#[cfg(test)]
mod tests;
