//! Help of `shidi companion`.

pub const COMPANION: &str = "Examples:
  shidi companion                         browsers, the page in front, allowed sites
  shidi companion install                 then load the folder that it names into the browser
  shidi companion pair                    waits for the browser; compare the code that it shows
  shidi companion allow https://editor.example
  shidi ask --page \"shorten the query in the editor\"
  shidi companion deny https://editor.example

The companion tells which page you look at (never a private window) and does what pages offer to programs: only for sites
that you allowed, and each call that may change a page asks you.";

pub(super) const CHINESE: &[(&str, &str)] = &[
    ("companion", "浏览器里的伴侣：你在看哪个网页，它提供什么"),
    ("companion install", "把伴侣放到浏览器找得到的地方"),
    (
        "companion install --browser",
        "哪个浏览器（可重复）[默认：找到的都装]",
    ),
    (
        "companion install --profile",
        "单独的用户数据文件夹，如 Chromium 的 --user-data-dir",
    ),
    ("companion pair", "让来连接的浏览器进来；不写代码就等一个"),
    ("companion pair code", "它显示的六位数字"),
    ("companion decline", "拒绝来连接的浏览器"),
    ("companion decline code", "它显示的六位数字"),
    ("companion forget", "忘掉一个浏览器：它要重新请求"),
    ("companion forget browser", "列表里的编号"),
    ("companion allow", "允许程序使用某网站的网页提供的工具"),
    ("companion allow site", "网站地址，如 https://example.com"),
    ("companion deny", "不再允许"),
    ("companion deny site", "网站地址"),
    ("companion host", "替浏览器传话；浏览器自己会启动它"),
    ("companion host told", "浏览器说的话"),
];
