/** Names the browser as its user knows it, so that Shidi can list it. Tells nothing but the name and the version. */

/** @typedef {{brand: string, version: string}} Brand */

/** The engine that others are built upon: named only where nothing else is. */
const ENGINE = 'Chromium';

/** @returns {Promise<string>} */
export async function browserName() {
  const firefox = /** @type {{getBrowserInfo?: () => Promise<{name: string, version: string}>}} */ (chrome.runtime);
  if (firefox.getBrowserInfo !== undefined) {
    const { name, version } = await firefox.getBrowserInfo();
    return `${name} ${version}`;
  }
  const { brands = [] } = /** @type {{userAgentData?: {brands: Brand[]}}} */ (navigator).userAgentData ?? {};
  return brandOf(brands);
}

/**
 * Browsers mix a made-up brand among theirs, so that nobody relies on the list; its name says that it is none.
 * @param {Brand[]} brands
 */
export function brandOf(brands) {
  const real = brands.filter(({ brand }) => !/not.*brand/i.test(brand));
  const named = real.find(({ brand }) => brand !== ENGINE) ?? real[0];
  return named === undefined ? ENGINE : `${named.brand} ${named.version}`;
}
