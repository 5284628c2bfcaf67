//! What the command line says of browsers and their pages.

use super::Words;

impl Words {
    #[must_use]
    pub fn no_page(self) -> &'static str {
        self.pick("不知道你在看哪个网页", "Which page you look at is not known")
    }

    #[must_use]
    pub fn how_to_connect(self) -> &'static str {
        self.pick(
            "在浏览器里打开网页；还没有装伴侣的话：shidi companion install，再 shidi companion pair",
            "Open a page in the browser; if it has no companion yet: shidi companion install, then shidi companion pair",
        )
    }

    #[must_use]
    pub fn waits_for_browser(self) -> &'static str {
        self.pick(
            "等浏览器来连接：打开它，点师弟伴侣的图标",
            "Waits for a browser: open it and click the companion's icon",
        )
    }

    #[must_use]
    pub fn no_browser_asks(self) -> &'static str {
        self.pick("没有浏览器来连接", "No browser has asked to connect")
    }

    #[must_use]
    pub fn does_it_show(self, name: &str, code: &str) -> String {
        self.pick(
            format!("{name} 显示的是 {code} 吗？[y/N] "),
            format!("Does {name} show {code}? [y/N] "),
        )
    }

    #[must_use]
    pub fn companion_installed(self, folder: &str, browsers: &str) -> Vec<String> {
        self.pick(
            vec![
                format!("已准备好：{browsers}"),
                "在浏览器的扩展页面打开开发者模式，选“加载已解压的扩展程序”，选这个文件夹：".to_owned(),
                format!("  {folder}"),
                "然后：shidi companion pair".to_owned(),
            ],
            vec![
                format!("Ready for: {browsers}"),
                "On the browser's page of extensions switch on developer mode, choose \"Load unpacked\" and this folder:"
                    .to_owned(),
                format!("  {folder}"),
                "Then: shidi companion pair".to_owned(),
            ],
        )
    }

    #[must_use]
    pub fn browser_connected(self) -> &'static str {
        self.pick("已连接", "connected")
    }

    #[must_use]
    pub fn browser_away(self) -> &'static str {
        self.pick("不在", "away")
    }

    #[must_use]
    pub fn browser_asks(self, name: &str, code: &str) -> String {
        self.pick(
            format!("{name} 想连接，显示 {code}；是它的话：shidi companion pair {code}"),
            format!("{name} wants to connect and shows {code}; if so: shidi companion pair {code}"),
        )
    }

    #[must_use]
    pub fn no_browsers(self) -> &'static str {
        self.pick(
            "还没有连接浏览器。装伴侣：shidi companion install",
            "No browser is connected yet. Install the companion: shidi companion install",
        )
    }

    #[must_use]
    pub fn allowed_sites(self, sites: &str) -> String {
        self.pick(
            format!("允许使用的网站：{sites}"),
            format!("Allowed sites: {sites}"),
        )
    }

    #[must_use]
    pub fn allow_site(self, site: &str) -> String {
        self.pick(
            format!("这些工具还不允许使用。允许：shidi companion allow {site}"),
            format!("These tools are not allowed yet. Allow them: shidi companion allow {site}"),
        )
    }
}
