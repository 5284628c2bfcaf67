/**
 * The page as a tree of what is seen: elements and runs of text in the order in which they are drawn.
 *
 * Looks into open shadow roots, slots and frames of the same site. Goes step by step and never by recursion, looks at the
 * clock on the way, and stops at its bounds.
 */
'use strict';

/**
 * @typedef {object} Part An element that is seen, or a run of text.
 * @property {Element | null} element
 * @property {string} name The element's name in small letters; `#text` of a text.
 * @property {Part | null} parent
 * @property {Style} style
 * @property {string} display
 * @property {boolean} isBlock Whether it begins a line of its own.
 * @property {boolean} isBroken Within a line, but with lines of its own in it.
 * @property {boolean} isItem Within a line, but apart from what stands beside it.
 * @property {Part[]} parts
 * @property {string} text Of a text.
 * @property {string} role
 * @property {Box | null} box Where it was asked for already.
 * @property {boolean} isMute Not seen itself, but what is in it may be.
 * @property {boolean} isRevealed Seen when somebody scrolls there.
 * @property {boolean} isVeiled A control or formula that is not seen itself: its label or likeness may be.
 * @property {boolean} isLegible
 * @property {'' | 'main' | 'article'} zone What it stands in.
 * @property {boolean} isUnsaid Assistive programs are to pass it by.
 * @property {number | null} own Letters of a text, once counted.
 * @property {number} letters In it, wide ones counted twice.
 * @property {number} linked Letters within links.
 * @property {number} fields
 * @property {string} out Why it does not belong to the content; empty where it does.
 */
/**
 * @typedef {object} Walk
 * @property {Part} root
 * @property {Part[]} parts All of them, in order, each parent before its children.
 * @property {Set<string>} cut
 * @property {number} elements
 * @property {(Document | ShadowRoot)[]} roots Everything that can change by itself.
 */
/** @typedef {{part: Part, next: Node | null, list: Node[] | null, view: View}} Frame */
/** @typedef {{frames: Frame[], depth: number, until: number}} Way */

var shidiReader = shidiReader || {};
{
  const { limits, sight, secrets } = shidiReader;
  const dom = shidiReader.dom;

  /**
   * Of a text.
   * @type {Part[]}
   */
  const NO_PARTS = [];

  /** Elements that stand side by side in a row that is laid out by `flex`. */
  const LINE_NAMES = new Set('span a b i em strong code time small label abbr button img svg input select'.split(' '));

  /**
   * @param {Element | null} element
   * @param {string} name
   * @param {Part | null} parent
   * @param {Style} style
   * @returns {Part}
   */
  function newPart(element, name, parent, style) {
    const { display } = style;
    const isBeside = parent !== null && parent.display.endsWith('flex') && LINE_NAMES.has(name);
    const isBlock = !display.startsWith('inline') && display !== 'contents' && !isBeside;
    return {
      element,
      name,
      parent,
      style,
      display,
      isBlock,
      isBroken: false,
      isItem: isBeside || (display.startsWith('inline') && display !== 'inline'),
      parts: element === null ? NO_PARTS : [],
      text: '',
      role: '',
      box: null,
      isMute: false,
      isRevealed: false,
      isVeiled: false,
      isLegible: true,
      zone: parent?.zone ?? '',
      isUnsaid: false,
      own: null,
      letters: 0,
      linked: 0,
      fields: 0,
      out: '',
    };
  }

  /**
   * What its makers call a part.
   * @param {Part} part
   * @returns {string}
   */
  function hintOf({ element, style }) {
    if (element === null) return '';
    style.hint ??= dom.hintOf(element);
    return style.hint;
  }

  /**
   * @param {Part} part
   * @param {string} name
   * @returns {string}
   */
  function attribute(part, name) {
    return part.element === null ? '' : dom.attributeOf(part.element, name);
  }

  /** Elements that show nothing, or nothing to be read. */
  const SILENT = new Set(
    (
      'script style noscript template head meta link title base param source track area datalist object embed audio ' +
      'video rt rp rtc frame frameset'
    ).split(' '),
  );

  /** Elements whose content is not gone into. */
  const WHOLE = new Set('img svg canvas input textarea select math hr br wbr meter progress'.split(' '));

  const FIELDS = new Set(['input', 'textarea', 'select']);

  /** Marks within a line, which are as legible as the line. */
  const PHRASE = new Set(['b', 'i', 'em', 'strong', 'br', 'wbr', 'sup', 'sub', 'u', 's', 'small', 'mark']);

  const WITHIN_LINE = sight.newStyle('inline', 'static', true);

  /**
   * @param {Document} page
   * @param {number} [timeMs]
   * @returns {Walk}
   */
  function walk(page, timeMs = limits.TIME_MAX_MS) {
    const body = dom.bodyOf(page);
    const root = newPart(body, 'body', null, sight.newStyle('block', 'static', true));
    /** @type {Walk} */
    const found = { root, parts: [root], cut: new Set(), elements: 0, roots: [page] };
    secrets.remember(page);
    if (body === null) return found;
    const until = performance.now() + timeMs;
    const view = {
      width: window.innerWidth,
      height: window.innerHeight,
      left: 0,
      top: 0,
      scrolledX: window.scrollX,
      scrolledY: window.scrollY,
    };
    /** @type {Way} */
    const way = { frames: [], depth: -1, until };
    into(way, root, body, 'body', found, view);
    while (way.depth >= 0) {
      const frame = /** @type {Frame} */ (way.frames[way.depth]);
      const node = taken(frame);
      const type = node === null ? 0 : dom.nodeType(node);
      if (node === null) way.depth -= 1;
      else if (type === dom.TEXT) addText(frame.part, dom.dataOf(node), found);
      else if (type === dom.ELEMENT && !enter(/** @type {Element} */ (node), frame, way, found)) break;
    }
    return found;
  }

  /** @param {Frame} frame */
  function taken(frame) {
    if (frame.list !== null) return frame.list.shift() ?? null;
    const node = frame.next;
    if (node !== null) frame.next = dom.nextSibling(node);
    return node;
  }

  /**
   * @param {Element} element
   * @param {Frame} frame
   * @param {Way} way
   * @param {Walk} found
   * @returns {boolean} Whether reading goes on.
   */
  function enter(element, frame, way, found) {
    if (found.elements >= limits.ELEMENTS_MAX) {
      found.cut.add('elements');
      return false;
    }
    found.elements += 1;
    if (found.elements % limits.CLOCK_EVERY_ELEMENTS === 0 && performance.now() > way.until) {
      found.cut.add('time');
      return false;
    }
    const name = dom.localName(element);
    if (SILENT.has(name)) {
      if (name === 'script') addFormula(element, frame.part, found);
      return true;
    }
    const part = partOf(element, name, frame.part, frame.view, found);
    if (part === null || WHOLE.has(name)) return true;
    if (way.depth >= limits.DEPTH_MAX) found.cut.add('depth');
    else into(way, part, element, name, found, name === 'iframe' ? viewIn(part, frame.view) : frame.view);
    return true;
  }

  /**
   * Goes on with the content of an element: in its shadow root, in what its slot was given, or in its frame.
   * @param {Way} way
   * @param {Part} part
   * @param {Element} element
   * @param {string} name
   * @param {Walk} found
   * @param {View} view
   */
  function into(way, part, element, name, found, view) {
    const list = name === 'slot' ? dom.slotted(element) : null;
    const next = list === null ? firstIn(element, name, found, view) : null;
    if (next === null && list === null) return;
    way.depth += 1;
    const frame = way.frames[way.depth];
    // One frame for each level, whatever is read there.
    if (frame === undefined) way.frames.push({ part, next, list, view });
    else {
      frame.part = part;
      frame.next = next;
      frame.list = list;
      frame.view = view;
    }
  }

  /**
   * @param {Element} element
   * @param {string} name
   * @param {Part} parent
   * @param {View} view
   * @param {Walk} found
   * @returns {Part | null}
   */
  function partOf(element, name, parent, view, found) {
    const isBare = dom.isPlain(element);
    const seen = sight.look(element, name, isBare, parent, view);
    if (seen === null) {
      if (FIELDS.has(name)) return veiled(element, name, parent, found);
      // A formula for assistive programs is the one that can be written down.
      const formula = formulaIn(element);
      if (formula !== null)
        added(newPart(formula, 'math', parent, sight.newStyle('inline', 'static', true)), found).isVeiled = true;
      return null;
    }
    const part = added(newPart(element, name, parent, seen.style), found);
    part.box = seen.box;
    part.isMute = seen.isMute;
    part.isRevealed = seen.isRevealed;
    if (!isBare) {
      part.role = roleOf(element);
      part.isUnsaid = dom.attributeOf(element, 'aria-hidden') === 'true';
    }
    if (name === 'main' || part.role === 'main') part.zone = 'main';
    else if (name === 'article' || part.role === 'article') part.zone = 'article';
    part.isLegible = !part.isMute && (isBare && PHRASE.has(name) ? parent.isLegible : legible(part, element));
    return part;
  }

  /**
   * @param {Part} part
   * @param {Walk} found
   */
  function added(part, found) {
    part.parent?.parts.push(part);
    found.parts.push(part);
    if (part.isBlock)
      for (let at = part.parent; at !== null && !at.isBlock && !at.isBroken; at = at.parent) at.isBroken = true;
    return part;
  }

  /**
   * @param {Element} element
   * @param {string} name
   * @param {Part} parent
   * @param {Walk} found
   */
  function veiled(element, name, parent, found) {
    if (parent.isMute || dom.attributeOf(element, 'type').toLowerCase() === 'hidden') return null;
    const part = added(newPart(element, name, parent, sight.newStyle('inline', 'static', true)), found);
    part.isVeiled = true;
    part.role = roleOf(element);
    return part;
  }

  /**
   * Whether letters in a part can be read; asked for once for all that look alike.
   * @param {Part} part
   * @param {Element} element
   */
  function legible(part, element) {
    const { style, parent } = part;
    if (style.isLegible !== null) return style.isLegible;
    const first = dom.firstChild(element);
    if (first === null || dom.nodeType(first) !== dom.TEXT) return parent === null || parent.isMute || parent.isLegible;
    style.isLegible = sight.isLegible(element, part.isBlock);
    return style.isLegible;
  }

  /**
   * @param {Element} element
   * @param {string} name
   * @param {Walk} found
   * @param {View} view
   * @returns {Node | null}
   */
  function firstIn(element, name, found, view) {
    if (name === 'iframe') return frameContent(element, found, view);
    const shadow = dom.shadowRoot(element);
    if (shadow === null) return dom.firstChild(element);
    found.roots.push(shadow);
    secrets.remember(shadow);
    return dom.firstChild(shadow);
  }

  /**
   * @param {Element} element
   * @param {Walk} found
   * @param {View} view
   */
  function frameContent(element, found, view) {
    const within = view.width > 0 ? dom.documentIn(element) : null;
    const body = within === null ? null : dom.bodyOf(within);
    if (within === null || body === null) return null;
    if (found.roots.filter((root) => !dom.isShadow(root)).length > limits.FRAMES_MAX) {
      found.cut.add('frames');
      return null;
    }
    found.roots.push(within);
    secrets.remember(within);
    return dom.firstChild(body);
  }

  /**
   * @param {Part} part
   * @param {View} view
   * @returns {View}
   */
  function viewIn(part, view) {
    const { left, top, right, bottom } = shidiReader.boxes.boxOf(part) ?? { left: 0, top: 0, right: 0, bottom: 0 };
    return { ...view, left, top, width: right - left, height: bottom - top, scrolledX: 0, scrolledY: 0 };
  }

  /**
   * @param {Part} parent
   * @param {string} text
   * @param {Walk} found
   */
  function addText(parent, text, found) {
    if (parent.isMute || !parent.isLegible || text === '') return;
    // The space between blocks is that of their source.
    const last = parent.parts.at(-1);
    if ((last === undefined || last.isBlock) && text.includes('\n') && !/\S/.test(text)) return;
    const part = newPart(null, '#text', parent, WITHIN_LINE);
    part.text = text;
    added(part, found);
  }

  /**
   * Some pages keep the source of a formula beside what was drawn of it.
   * @param {Element} element
   * @param {Part} parent
   * @param {Walk} found
   */
  function addFormula(element, parent, found) {
    if (dom.attributeOf(element, 'type').startsWith('math/tex'))
      added(newPart(element, 'math', parent, sight.newStyle('inline', 'static', true)), found).isVeiled = true;
  }

  /**
   * @param {Element} hidden
   * @returns {Element | null}
   */
  function formulaIn(hidden) {
    /** @type {Element | null} */
    let at = hidden;
    for (let level = 0; level < 3 && at !== null; level += 1) {
      if (dom.localName(at) === 'math') return at;
      at = dom.firstElement(at);
    }
    return null;
  }

  /** @param {Element} element */
  function roleOf(element) {
    return dom.attributeOf(element, 'role').trim().toLowerCase().split(/\s+/)[0] ?? '';
  }

  shidiReader.parts = { walk, roleOf, hintOf, attribute };
}
