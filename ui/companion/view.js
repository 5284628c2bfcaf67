/**
 * What the popup is shown of how things stand. Pure: it says nothing that the popup does not draw.
 */
import { siteOf } from './front.js';

/**
 * @param {import('./pairing.js').State} paired
 * @param {import('./front.js').Told} told
 * @param {import('./messages.js').SiteMessage | null} site What the user decided about the site in front.
 * @returns {import('./popup.js').View}
 */
export function viewOf(paired, { front }, site) {
  const at = front?.type === 'page' ? siteOf(front.url) : null;
  return {
    phase: paired.phase,
    code: paired.phase === 'asking' ? paired.code : null,
    reason: paired.phase === 'refused' ? paired.reason : null,
    paired: paired.token !== null,
    page: front?.type === 'page' && at !== null ? { title: front.title, site: at, tools: front.tools.length } : null,
    allowed: site !== null && site.site === at && site.allowed,
  };
}
