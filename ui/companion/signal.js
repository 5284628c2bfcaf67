/**
 * What the browser itself does for the companion: a mark on its button while somebody is to compare the code, and a call
 * to wake its worker while Shidi is away.
 */

/** Browsers allow no shorter one. */
const ALARM = { name: 'connect', periodInMinutes: 0.5 };

const WAITING_BADGE = { text: '?', ground: '#F0B23E', ink: '#2A1C00' };

/** @param {import('./pairing.js').State['phase']} phase */
export function signal(phase) {
  void chrome.action.setBadgeText({ text: phase === 'asking' ? WAITING_BADGE.text : '' });
  void chrome.action.setBadgeBackgroundColor({ color: WAITING_BADGE.ground });
  void chrome.action.setBadgeTextColor({ color: WAITING_BADGE.ink });
  if (phase === 'away') void chrome.alarms.create(ALARM.name, { periodInMinutes: ALARM.periodInMinutes });
  else void chrome.alarms.clear(ALARM.name);
}
