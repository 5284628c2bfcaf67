//! The words that records are made of, in each language: few enough that every one of them stands in many records.

use crate::shapes::Language;

pub struct Vocabulary {
    pub people: Vec<String>,
    pub cities: Vec<&'static str>,
    pub companies: Vec<&'static str>,
    pub products: Vec<&'static str>,
    pub fillers: Vec<&'static str>,
}

const ENGLISH: [&str; 5] = [
    "Maria Anna John Peter Lena Omar Ruth Ivan Nora Paul Sara Emil Clara Hugo",
    "Keller Smith Weber Novak Silva Jensen Rossi Moreau Haas Bauer Lund Costa Berg Fischer",
    "Oslo Lyon Porto Graz Turin Ghent Malmo Bergen Zurich Leeds Cork Lodz",
    "Heron Falcon Osprey Kestrel Plover Petrel Avocet Curlew Merlin Harrier Gannet Wigeon Dunlin Siskin Linnet Godwit \
     Pipit Bunting Sanderling Fulmar",
    "pump valve boiler turbine filter sensor motor bearing gasket compressor nozzle coupling flange piston",
];

const CHINESE: [&str; 5] = [
    "王 李 张 刘 陈 杨 赵 黄 周 吴 徐 孙 胡 朱",
    "伟 芳 娜 敏 静 丽 强 磊 洋 艳 勇 军 杰 建国",
    "北京 上海 广州 深圳 杭州 成都 武汉 西安 南京 重庆 苏州 青岛",
    "远航 星河 金桥 蓝天 东方 长城 华光 同心 新世纪 大地 恒通 瑞丰 天和 明德 安泰 宏图 永信 博远 嘉禾 中原",
    "水泵 阀门 锅炉 涡轮 滤芯 传感器 电机 轴承 垫片 压缩机 喷嘴 联轴器 法兰 活塞",
];

pub fn vocabulary(language: Language) -> Vocabulary {
    let ([first, second, cities, companies, products], between, fillers) = match language {
        Language::English => (
            ENGLISH,
            " ",
            vec![
                "The figures were checked by both sides and filed with the others.",
                "Nothing else was discussed at length on that occasion.",
                "A summary was sent to everybody who had been invited.",
                "The next meeting was left to the chair to arrange.",
            ],
        ),
        Language::Chinese => (
            CHINESE,
            "",
            vec![
                "双方核对了各项数字，并与其他材料一起归档。",
                "会上没有再就其他事项展开讨论。",
                "会后向所有受邀人员发送了纪要。",
                "下次会议的时间由主席另行安排。",
            ],
        ),
    };
    let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
    let people = words(first).into_iter().flat_map(|one| {
        words(second)
            .into_iter()
            .map(move |other| format!("{one}{between}{other}"))
    });
    Vocabulary {
        people: people.collect(),
        cities: words(cities),
        companies: words(companies),
        products: words(products),
        fillers,
    }
}
