/** What the catalogue says for the companion: `assets/locales/<language>/companion.json`, written here by `tests/tidy`. */

/** @type {Record<string, Record<string, string>>} */
export const SENTENCES = {
  "en": {
    "allowed": "Shidi may use them",
    "asking": "Compare it with Shidi and allow it there",
    "away": "Shidi is not there. Start it, or run `shidi companion install`",
    "calling": "Looking for Shidi",
    "connect": "Connect",
    "connected": "Connected to Shidi",
    "forget": "Forget this pairing",
    "name": "Shidi",
    "no_page": "No page here that Shidi can use",
    "not_allowed": "Shidi may not use them yet. Allow it in Shidi",
    "refused_declined": "This browser was not allowed in Shidi",
    "refused_forgotten": "No longer paired",
    "refused_version": "Its version does not fit Shidi. Run `shidi companion install`, then reload this extension",
    "reload": "Reload pages that were open before the installation",
    "tools_none": "Offers no tools",
    "tools_one": "Offers 1 tool",
    "tools_other": "Offers {{count}} tools"
  },
  "zh": {
    "allowed": "已允许师弟使用",
    "asking": "和师弟那边的数字核对，一样就在那边允许",
    "away": "师弟不在。启动它；第一次用，先运行 `shidi companion install`",
    "calling": "在找师弟",
    "connect": "连接",
    "connected": "已连上师弟",
    "forget": "解除配对",
    "name": "师弟",
    "no_page": "这里没有师弟能用的网页",
    "not_allowed": "还没允许师弟使用，在师弟里允许",
    "refused_declined": "师弟那边没有允许这个浏览器",
    "refused_forgotten": "已解除配对",
    "refused_version": "和师弟的版本对不上。运行 `shidi companion install`，再重新加载这个扩展",
    "reload": "装好之前就打开的网页，刷新一次",
    "tools_none": "没有提供工具",
    "tools_other": "提供 {{count}} 个工具"
  }
};
