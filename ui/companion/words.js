/** What the popup says, in Chinese and English. Short, and with the next step beside what went wrong. */

/**
 * @typedef {object} Words
 * @property {string} name
 * @property {string} away
 * @property {string} calling
 * @property {string} asking
 * @property {string} connected
 * @property {{version: string, declined: string, forgotten: string}} refused
 * @property {string} noPage
 * @property {string} reload
 * @property {(count: number) => string} tools
 * @property {string} allowed
 * @property {string} notAllowed
 * @property {string} connect
 * @property {string} forget
 */

/** @type {Words} */
const zh = {
  name: '师弟',
  away: '师弟不在。启动它；第一次用，先运行 `shidi companion install`',
  calling: '在找师弟',
  asking: '和师弟那边的数字核对，一样就在那边允许',
  connected: '已连上师弟',
  refused: {
    version: '和师弟的版本对不上。运行 `shidi companion install`，再重新加载这个扩展',
    declined: '师弟那边没有允许这个浏览器',
    forgotten: '已解除配对',
  },
  noPage: '这里没有师弟能用的网页',
  reload: '装好之前就打开的网页，刷新一次',
  tools: (count) => (count === 0 ? '没有提供工具' : `提供 ${count} 个工具`),
  allowed: '已允许师弟使用',
  notAllowed: '还没允许师弟使用，在师弟里允许',
  connect: '连接',
  forget: '解除配对',
};

/** @type {Words} */
const en = {
  name: 'Shidi',
  away: 'Shidi is not there. Start it, or run `shidi companion install`',
  calling: 'Looking for Shidi',
  asking: 'Compare it with Shidi and allow it there',
  connected: 'Connected to Shidi',
  refused: {
    version: 'Its version does not fit Shidi. Run `shidi companion install`, then reload this extension',
    declined: 'This browser was not allowed in Shidi',
    forgotten: 'No longer paired',
  },
  noPage: 'No page here that Shidi can use',
  reload: 'Reload pages that were open before the installation',
  tools: (count) => (count === 0 ? 'Offers no tools' : count === 1 ? 'Offers 1 tool' : `Offers ${count} tools`),
  allowed: 'Shidi may use them',
  notAllowed: 'Shidi may not use them yet. Allow it in Shidi',
  connect: 'Connect',
  forget: 'Forget this pairing',
};

/**
 * @param {string} language
 * @returns {Words}
 */
export function wordsFor(language) {
  return language.toLowerCase().startsWith('zh') ? zh : en;
}
