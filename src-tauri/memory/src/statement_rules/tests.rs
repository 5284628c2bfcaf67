//! Statements in Chinese and English, and what is none.

use super::*;
use proptest::prelude::*;

/// Kind, text and subject of all statements of a message, in one line each.
fn found(message: &str) -> Vec<String> {
    let shown = |statement: Statement| {
        let subject = statement.subject.unwrap_or_default();
        format!("{} | {} | {subject}", statement.kind.name(), statement.text)
    };
    statements(message).into_iter().map(shown).collect()
}

#[test]
fn what_the_user_asks_to_keep_is_found_with_what_it_is_about() {
    for (message, wanted) in [
        (
            "Remember that the office is in Munich.",
            "knowledge | the office is in Munich | ",
        ),
        (
            "please remember: the standup is at 10",
            "knowledge | the standup is at 10 | ",
        ),
        (
            "Keep in mind that releases go out on Thursdays",
            "knowledge | releases go out on Thursdays | ",
        ),
        ("记住：报销上限是 500 元", "knowledge | 报销上限是 500 元 | "),
        ("请记住，办公室在三楼。", "knowledge | 办公室在三楼 | "),
        ("帮我记一下 例会改到周三上午", "knowledge | 例会改到周三上午 | "),
        (
            "Remember my email is lin@example.org",
            "profile | my email is lin@example.org | my email",
        ),
        (
            "我的邮箱是 lin@example.org",
            "profile | 我的邮箱是 lin@example.org | my email",
        ),
        (
            "My manager is Ann Lee.",
            "profile | My manager is Ann Lee | my manager",
        ),
        ("我的工位是 5-112", "profile | 我的工位是 5-112 | my office"),
        ("我叫林小雨", "profile | 我叫林小雨 | my name"),
        (
            "I work for Acme Corp.",
            "profile | I work for Acme Corp | my work",
        ),
        ("I'm a nurse in Leeds", "profile | I'm a nurse in Leeds | my job"),
        ("以后都用 pnpm 装依赖", "preference | 以后都用 pnpm 装依赖 | "),
        (
            "以后请用英文回答",
            "preference | 以后请用英文回答 | language of answers",
        ),
        (
            "Always use metric units.",
            "preference | Always use metric units | units",
        ),
        (
            "From now on answer in German",
            "preference | From now on answer in German | language of answers",
        ),
        (
            "I prefer tables to prose",
            "preference | I prefer tables to prose | ",
        ),
        ("我喜欢先看结论", "preference | 我喜欢先看结论 | "),
    ] {
        assert_eq!(found(message), [wanted], "{message}");
    }
}

#[test]
fn several_statements_stand_beside_a_task() {
    let message = "我叫林小雨。帮我看看这个报表有没有错。记住：\n- 月结日是 25 号\n- 数字用千分位";
    assert_eq!(
        found(message),
        [
            "profile | 我叫林小雨 | my name",
            "knowledge | 月结日是 25 号 | ",
            "knowledge | 数字用千分位 | ",
        ]
    );
    assert!(only_states("Remember that the office is in Munich."));
    assert!(only_states("我叫林小雨。以后都用中文回答。"));
    assert!(!only_states(message));
    assert!(!only_states("hello"));
}

#[test]
fn what_is_asked_quoted_pasted_or_worked_on_states_nothing() {
    for message in [
        "Do you remember my email?",
        "What is my name?",
        "我的邮箱是什么",
        "你还记得我的工位吗？",
        "I remember that the office was in Berlin",
        "remembered values are wrong",
        "My phone is broken",
        "My laptop is very slow today",
        "我的电脑坏了怎么办",
        "我的电话是不是欠费了",
        "I'm a bit lost",
        "I like this answer",
        "always fails with the same error",
        "以后再说吧",
        "Translate: My name is Bob and I live in Paris.",
        "把这段话翻译成英文：我叫小王。以后都用茶叶招待。",
        "```\nremember that x = 1\nmy name is Bob\n```",
        "> remember that the office is in Munich",
        "He wrote: \"My name is Bob Dylan, and I live in Paris.\"",
        "hi",
        "",
        "记住",
        "remember",
    ] {
        assert_eq!(found(message), Vec::<String>::new(), "{message}");
    }
    let long = format!("{} 我叫小王。", "报告正文，".repeat(300));
    assert_eq!(
        found(&long),
        Vec::<String>::new(),
        "a pasted text is not about the user"
    );
}

#[test]
fn secrets_are_never_kept_whoever_asks_and_where_they_are_may_be() {
    for message in [
        "Remember that my password is swordfish",
        "remember my password: hunter2",
        "记住我的密码是 abcdef",
        "记住：服务器口令改成 Xk29",
        "请记住我的银行卡号是 6222 0000 1111 2222",
        "remember the API key is sk-abcdefghijklmnopqrstuvwx",
        "remember my card 4111 1111 1111 1111",
        "记住 身份证 11010519491231002X",
        "remember that the wifi passphrase is correct horse battery staple",
        "note down: postgres://app:hunter2@db/main",
    ] {
        assert_eq!(found(message), Vec::<String>::new(), "{message}");
    }
    for message in [
        "Remember that the password is kept in the vault of the team",
        "记住：生产环境的密码放在 1Password 的运维库里",
        "记住：密码在保险柜里",
    ] {
        assert_eq!(found(message).len(), 1, "{message}");
    }
}

#[test]
fn a_correction_says_that_something_changed_and_names_the_same_thing() {
    for (before, after) in [
        ("The office is in Berlin", "the office is now in Munich"),
        ("the standup is at 10", "the standup moved to 11"),
        ("the launch is on Friday", "Actually the launch is on Monday"),
        ("办公室在三楼", "办公室现在搬到五楼"),
        ("报销上限是 300", "报销上限改成 500"),
        ("例会在周二", "更正：例会在周三"),
        ("项目经理是老王", "项目经理现在是老李"),
    ] {
        assert_eq!(same_thing(after, before), Relation::Other, "{before} | {after}");
        assert!(
            is_correction(after) && !is_correction(before),
            "{before} | {after}"
        );
    }
    assert!(!is_correction("we know the snow"));
}

#[test]
fn only_the_same_side_of_the_same_thing_can_be_contradicted() {
    for (new, known, relation) in [
        (
            "The office is in Munich",
            "the office is in Berlin",
            Relation::Other,
        ),
        (
            "The office is in Munich.",
            "the  office is in Munich",
            Relation::Same,
        ),
        ("the port is 8080", "the port: 8080", Relation::Same),
        (
            "the office is in Munich",
            "the office is closed on Sundays",
            Relation::Apart,
        ),
        ("my sister is Ann", "my brother is Bob", Relation::Apart),
        ("办公室在五楼", "办公室在三楼", Relation::Other),
        ("报销上限是 500", "报销上限是 300", Relation::Other),
        ("报销上限是 500", "差旅上限是 300", Relation::Apart),
        ("it is late", "it is early", Relation::Apart),
        ("正在招聘的岗位是后端", "正在进行的项目是灯塔", Relation::Apart),
        ("因为下雨，会议在线上", "因为堵车，会议在线下", Relation::Apart),
        ("buy milk", "buy bread", Relation::Apart),
    ] {
        assert_eq!(same_thing(new, known), relation, "{new} | {known}");
    }
}

proptest! {
    #[test]
    fn no_message_breaks_it_and_what_is_found_is_bounded(message in r#"(\PC|\n|remember |记住：|我的邮箱是|password is |"|“|”|```|> ){0,80}"#) {
        let found = statements(&message);
        prop_assert!(found.len() <= STATEMENTS_MAX);
        for statement in found {
            prop_assert!(statement.text.chars().count() <= STATEMENT_CHARACTERS_MAX);
            prop_assert_eq!(redacted(&statement.text), statement.text.clone());
        }
        prop_assert!(!only_states(&message) || !message.trim().is_empty());
    }

    #[test]
    fn a_key_is_never_kept(tail in "[A-Za-z0-9]{24}", words in "[a-z ]{0,20}") {
        for message in [format!("remember that {words} sk-{tail}"), format!("记住：{words}的密码是{tail}"), format!("my email is sk-{tail}")] {
            prop_assert!(statements(&message).iter().all(|statement| !statement.text.contains(&tail)), "{}", message);
        }
    }

    #[test]
    fn how_two_statements_stand_does_not_depend_on_their_order(one in r"(the|our)? ?[a-z]{2,6} (is|is in|moved to|是|在) [a-z0-9]{1,4}", other in r"(the|our)? ?[a-z]{2,6} (is|is in|moved to|是|在) [a-z0-9]{1,4}") {
        prop_assert_eq!(same_thing(&one, &other), same_thing(&other, &one));
    }
}
