//! Where things are and what is now otherwise, in Chinese and English; what only sounds like it; and nothing at all in the
//! conversations of the corpus.

use super::super::{Relation, changes, is_correction, only_states, same_thing, statements};
use super::*;
use proptest::prelude::*;

/// Something said before, and what takes its place.
const MOVED: &[(&str, &str)] = &[
    ("我的护照在抽屉里", "我的护照现在在保险箱里"),
    ("我的护照放在抽屉里", "我的护照现在放在保险箱里了。"),
    ("我的车停在公司楼下", "我的车现在停在小区车库"),
    ("我的车在地下车库", "我的车现在在修理厂"),
    ("我的猫在老家", "我的猫现在在宠物医院"),
    ("我的户口本在妈妈家", "我的户口本现在在书房的柜子里"),
    ("我的备用钥匙在门口的鞋柜里", "我的备用钥匙现在就放在办公室"),
    ("我的雨伞在车上", "我的雨伞现在在公司，不在车上"),
    ("我的吉他在宿舍", "我的吉他现在搬到了老家的阳台"),
    ("我的工牌在包里", "对了，我的工牌现在收在左边的抽屉"),
    ("我们的投影仪在大会议室", "我们的投影仪现在在三楼小会议室"),
    ("我的行李在酒店前台旁边", "我的行李现在存放在火车站里面"),
    ("my passport is in the drawer", "My passport is now in the safe"),
    ("My passport is in the drawer.", "my passport is in the safe now"),
    (
        "my car is at the office",
        "Actually, my car is now in the garage behind the house",
    ),
    (
        "my keys are on the hook",
        "My keys are now in the blue bowl, not on the hook",
    ),
    ("my daughter is in Leeds", "My daughter is now in Utrecht"),
    ("my bike is in the cellar", "my bike is now at my brother's place"),
    (
        "our projector is in the large room",
        "Our projector is now in the small one",
    ),
    (
        "my winter coat is in the attic",
        "my winter coat is now under the bed",
    ),
    (
        "my spare glasses are in the car",
        "My spare glasses now are in the desk",
    ),
    ("my guitar is at home", "My guitar is now beside the piano"),
];

/// The same of a value: kept only where it replaces something.
const CHANGED: &[(&str, &str)] = &[
    ("我的健身房是公司楼下那家", "我的健身房现在是河边那家"),
    ("我的家庭医生是王敏", "我的家庭医生现在是李伟"),
    ("我的车牌号是沪A·00001", "我的车牌号现在是沪B12345"),
    ("我们的供应商是蓝海", "我们的供应商现在是远山"),
    ("my dentist is Dr Brown", "My dentist is now Dr Lee"),
    (
        "my gym is the one downstairs",
        "my gym is now the one by the river",
    ),
    ("our supplier is Acme", "Our supplier is now Globex"),
    ("my bus line is 42", "My bus line is now 17"),
];

const NEITHER: &[&str] = &[
    "我的电脑现在在重启",
    "我的电脑在更新",
    "我的代码在服务器上",
    "我的文件现在在桌面上",
    "我的程序现在在后台运行里",
    "我的快递在路上",
    "我的老板现在在会上",
    "我的护照在哪里",
    "我的护照现在在哪儿？",
    "我的手机现在是坏的",
    "我的手机现在在充电",
    "我的问题现在是怎么把护照放在包里",
    "我的意思是放在盒子里",
    "我的生日在下个月上旬以下",
    "我的进度在百分之八十以上",
    "我的心情在谷底",
    "他的护照现在在保险箱里",
    "护照现在在保险箱里吗",
    "我现在在公司",
    "我在家",
    "我的护照现在在保险箱里，帮我写一个清单",
    "我的方案现在在评审过程中",
    "我的账号现在是登录状态",
    "我的票是在网上买的",
    "My car is in a mess",
    "My tablet is in the process of updating",
    "My meeting is in the morning",
    "My flight is at the same time",
    "My code is now in the repository",
    "My file is in the downloads folder",
    "My build is now at 80%",
    "My fridge is on the fritz",
    "My phone is now broken",
    "My phone is now charged",
    "My head is in the wrong order",
    "Where is my passport now",
    "My point is in the list",
    "His passport is now in the safe",
    "I am now in the office",
    "My train is on time",
    "My train is now on the way",
    "My account is in the red",
    "My brother is now in a hurry",
    "my passport is now in the safe, write that down for the trip",
    "My plan is now to leave early",
    "My question is now what to do",
    "my son is now at a low point",
];

fn kept(message: &str) -> Vec<String> {
    statements(message).into_iter().map(|one| one.text).collect()
}

fn changed(message: &str) -> Vec<String> {
    changes(message).into_iter().map(|one| one.text).collect()
}

#[test]
fn a_thing_that_is_now_elsewhere_is_kept_and_takes_the_place_of_where_it_was() {
    for (before, after) in MOVED {
        assert_eq!(kept(after).len(), 1, "{after}");
        assert!(only_states(after), "{after}");
        assert!(
            is_correction(after) && !is_correction(before),
            "{before} | {after}"
        );
        assert_eq!(same_thing(after, before), Relation::Other, "{before} | {after}");
        assert_eq!(same_thing(before, after), Relation::Other, "{before} | {after}");
    }
}

#[test]
fn what_is_now_something_else_is_a_change_and_no_statement() {
    for (before, after) in CHANGED {
        assert_eq!(kept(after), Vec::<String>::new(), "{after}");
        assert_eq!(changed(after).len(), 1, "{after}");
        assert_eq!(changed(before), Vec::<String>::new(), "{before}");
        assert_eq!(same_thing(after, before), Relation::Other, "{before} | {after}");
        assert!(is_correction(after), "{after}");
    }
}

#[test]
fn what_goes_on_what_is_worked_on_and_what_is_asked_is_neither() {
    for message in NEITHER {
        assert_eq!(kept(message), Vec::<String>::new(), "{message}");
        assert_eq!(changed(message), Vec::<String>::new(), "{message}");
    }
}

#[test]
fn beside_a_task_it_is_a_change_and_nothing_to_keep_by_itself() {
    for (message, wanted) in [
        ("我的护照在抽屉里。帮我列出差清单", &[][..]),
        (
            "我的护照现在在保险箱里。帮我列出差清单",
            &["我的护照现在在保险箱里"],
        ),
        (
            "My passport is now in the safe. Make a list for the trip.",
            &["My passport is now in the safe"],
        ),
        ("翻译：我的护照现在在保险箱里。", &[]),
        ("> My passport is now in the safe.\nWhat does it say?", &[]),
    ] {
        assert_eq!(kept(message), Vec::<String>::new(), "{message}");
        assert_eq!(changed(message), wanted, "{message}");
    }
}

#[test]
fn another_thing_or_another_side_of_it_keeps_what_is_known() {
    for (new, known) in [
        ("我的护照现在在保险箱里", "我的签证在抽屉里"),
        ("我的护照现在在保险箱里", "我的护照是 2031 年到期"),
        ("我的车现在在修理厂", "我的车位在地下车库"),
        ("my passport is now in the safe", "my visa is in the drawer"),
        (
            "my passport is now in the safe",
            "my passport is valid until 2031",
        ),
        (
            "my car is now in the garage",
            "my car insurance is at the new office",
        ),
    ] {
        assert_eq!(same_thing(new, known), Relation::Apart, "{new} | {known}");
    }
}

#[test]
fn the_conversations_of_the_corpus_state_no_place_and_no_change() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/memory/corpus/dev");
    let mut said = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.starts_with("sessions") {
            continue;
        }
        for line in std::fs::read_to_string(path).unwrap().lines() {
            let session: serde_json::Value = serde_json::from_str(line).unwrap();
            for segment in session["segments"].as_array().unwrap() {
                let text = segment["text"].as_str().unwrap();
                said += 1;
                assert_eq!(changed(text), Vec::<String>::new(), "{text}");
                let placed: Vec<String> = kept(text).into_iter().filter(|text| is_placed(text)).collect();
                assert_eq!(placed, Vec::<String>::new(), "{text}");
            }
        }
    }
    assert!(said > 500, "the corpus was read: {said}");
}

proptest! {
    #[test]
    fn no_sentence_breaks_it(sentence in r"(\PC|我的|现在|在|里| is now | in the |my |, not |İ){0,60}") {
        let found = changes(&sentence);
        prop_assert!(found.len() <= 8);
        prop_assert!(found.iter().all(|change| is_changed(&change.text)));
        prop_assert!(!is_placed(&sentence) || sentence.chars().count() >= 5);
    }

    #[test]
    fn who_owns_it_decides(thing in "[a-z]{3,8}", place in "[a-z]{3,8}") {
        prop_assume!(!words(WORKED_ON).any(|word| word == thing) && !NO_PLACES.contains(&place.as_str()));
        // "Now" is neither a thing nor a place: it says when.
        prop_assume!(thing != "now" && place != "now");
        prop_assert!(is_placed(&format!("my {thing} is in the {place}")), "{} {}", thing, place);
        for who in ["his", "the", "your", "a"] {
            let sentence = format!("{who} {thing} is in the {place}");
            prop_assert!(!is_placed(&sentence), "{}", sentence);
        }
    }
}
