/**
 * What a page is called, whose it is, and when it was written: from what is seen first, then from what it says of itself.
 */
'use strict';

/** @typedef {{title: string, site?: string, description?: string, author?: string, published?: string}} Meta */

var shidiReader = shidiReader || {};
{
  const dom = shidiReader.dom;
  const { attribute } = shidiReader.parts;
  const { beginning } = shidiReader.measure;
  const { TITLE_MAX_CHARS } = shidiReader.limits;

  /** What sites put between the name of a page and their own. */
  const BETWEEN = /\s+[|·•—–:»-]{1,2}\s+|\s*[|_｜]\s*|\s+::\s+/;

  /** A longer script holds a shop's whole catalogue. */
  const LINKED_DATA_MAX_CHARS = 200_000;
  const SCRIPTS_MAX = 8;
  const DESCRIPTION_MAX_CHARS = 1_000;
  const HEADINGS_MAX = 12;
  const METAS_MAX = 200;

  /**
   * @param {Walk} found
   * @returns {Meta}
   */
  function metaOf(found) {
    const known = said();
    const meta = (/** @type {string} */ name) => known.get(name) ?? '';
    const linked = linkedData();
    const site = clip(meta('og:site_name') || meta('application-name'), TITLE_MAX_CHARS);
    const description = clip(meta('og:description') || meta('description'), DESCRIPTION_MAX_CHARS);
    const author = clip(
      meta('author') || meta('article:author') || meta('citation_author') || linked.author || byline(found),
      200,
    );
    const published = clip(
      meta('article:published_time') ||
        linked.published ||
        meta('citation_publication_date') ||
        meta('pubdate') ||
        time(found),
      60,
    );
    return {
      title: titleOf(found, site) || clip(meta('og:title'), TITLE_MAX_CHARS),
      ...(site === '' ? {} : { site }),
      ...(description === '' ? {} : { description }),
      ...(author === '' || /^https?:/.test(author) ? {} : { author }),
      ...(published === '' ? {} : { published }),
    };
  }

  /**
   * @param {Walk} found
   * @param {string} site
   */
  function titleOf({ root, parts }, site) {
    const said = clip(dom.titleOf(document), TITLE_MAX_CHARS);
    const named = (/** @type {Part} */ part) =>
      clip(beginning(part, TITLE_MAX_CHARS).replace(/\s*[¶#]$/, ''), TITLE_MAX_CHARS);
    const headings = parts.filter(isHeading).slice(0, HEADINGS_MAX);
    const firsts = headings.filter((part) => part.name === 'h1' || attribute(part, 'aria-level') === '1').map(named);
    const first = firsts.find((text) => said.includes(text)) ?? firsts.find((text) => text !== site && text !== '');
    if (first !== undefined) return first;
    const alike = headings.map(named).find((text) => text.length > 3 && said.includes(text) && text !== site);
    if (alike !== undefined) return alike;
    const [heading] = headings;
    const isOnTop = heading !== undefined && lettersBefore(heading, parts) <= root.letters * 0.25;
    const isAlone = headings.filter(({ name }) => name === heading?.name).length === 1;
    return (isOnTop && isAlone ? named(heading) : '') || lineLike(parts, said) || ownName(said, site);
  }

  /**
   * @param {Part} heading
   * @param {readonly Part[]} parts
   */
  function lettersBefore(heading, parts) {
    let letters = 0;
    for (const part of parts) {
      if (part === heading) break;
      if (part.name === '#text' && part.out === '') letters += part.letters;
    }
    return letters;
  }

  /**
   * A short line near the top that says what the title says, or more.
   * @param {readonly Part[]} parts
   * @param {string} said
   */
  function lineLike(parts, said) {
    const names = said
      .split(BETWEEN)
      .map((name) => name.trim())
      .filter((name) => name.length > 3);
    const lines = parts
      .filter(({ name, out, letters }) => name === '#text' && out === '' && letters > 5 && letters < 120)
      .slice(0, HEADINGS_MAX);
    const texts = lines.map(({ text }) => clip(text, 200));
    return names.map((name) => texts.find((text) => text.startsWith(name))).find((text) => text !== undefined) ?? '';
  }

  /** @param {Part} part */
  function isHeading({ name, role, out, letters }) {
    return out === '' && letters > 0 && (/^h[1-3]$/.test(name) || role === 'heading');
  }

  /**
   * The title without the name of the site.
   * @param {string} said
   * @param {string} site
   */
  function ownName(said, site) {
    const names = said
      .split(BETWEEN)
      .map((name) => name.trim())
      .filter((name) => name !== '' && name !== site);
    return names[0] ?? said;
  }

  /** @returns {Map<string, string>} What the page says of itself, by name. */
  function said() {
    /** @type {Map<string, string>} */
    const known = new Map();
    const metas = Array.from(Document.prototype.getElementsByTagName.call(document, 'meta')).slice(0, METAS_MAX);
    for (const one of metas) {
      const name = (dom.attributeOf(one, 'property') || dom.attributeOf(one, 'name')).toLowerCase();
      if (name !== '' && !known.has(name)) known.set(name, dom.attributeOf(one, 'content').trim());
    }
    return known;
  }

  /** @returns {{author: string, published: string}} */
  function linkedData() {
    for (const script of dom.all(document, 'script[type="application/ld+json"]').slice(0, SCRIPTS_MAX)) {
      const text = dom.textContent(script) ?? '';
      const facts = text.length <= LINKED_DATA_MAX_CHARS ? parsed(text) : null;
      const published = String(facts?.['datePublished'] ?? '');
      const author = nameIn(facts?.['author']);
      if (published !== '' || author !== '') return { author, published };
    }
    return { author: '', published: '' };
  }

  /**
   * @param {string} text
   * @returns {Record<string, unknown> | null}
   */
  function parsed(text) {
    try {
      const said = JSON.parse(text);
      const all = Array.isArray(said) ? said : Array.isArray(said?.['@graph']) ? said['@graph'] : [said];
      return (
        all.find((one) => typeof one === 'object' && one !== null && ('datePublished' in one || 'author' in one)) ??
        null
      );
    } catch {
      return null;
    }
  }

  /**
   * @param {unknown} author
   * @returns {string}
   */
  function nameIn(author) {
    if (typeof author === 'string') return author;
    const one = Array.isArray(author) ? author[0] : author;
    if (typeof one === 'string') return one;
    return typeof one === 'object' && one !== null && 'name' in one && typeof one.name === 'string' ? one.name : '';
  }

  /** @param {Walk} found */
  function byline({ parts }) {
    const by = parts.find(
      (part) =>
        part.out === '' &&
        part.letters > 0 &&
        part.letters < 80 &&
        /\bauthor\b/.test(attribute(part, 'rel') + attribute(part, 'itemprop')),
    );
    return by === undefined ? '' : beginning(by, 100);
  }

  /** @param {Walk} found */
  function time({ parts }) {
    const time = parts.find((part) => part.name === 'time' && part.out === '' && attribute(part, 'datetime') !== '');
    return time === undefined ? '' : attribute(time, 'datetime');
  }

  /**
   * @param {string} text
   * @param {number} chars
   */
  function clip(text, chars) {
    return text.replace(/\s+/g, ' ').trim().slice(0, chars);
  }

  shidiReader.meta = { metaOf };
}
