/**
 * What of an element a person sees: whether it is drawn, where, and whether its letters can be told from their ground.
 *
 * Asks for computed styles and boxes as rarely as it can, since each answer takes about a microsecond.
 */
'use strict';

/**
 * @typedef {object} View Where a document stands on the screen.
 * @property {number} width
 * @property {number} height
 * @property {number} left Of a frame within the window, else 0.
 * @property {number} top
 * @property {number} scrolledX
 * @property {number} scrolledY
 */
/** @typedef {{left: number, top: number, right: number, bottom: number}} Box In pixels from the window's corner. */
/**
 * @typedef {object} Style What elements of one name, class and place in the page have in common.
 * @property {string} name The name of the element that it was made for.
 * @property {string} display
 * @property {string} position
 * @property {boolean} isFlow Whether it stands where it was put, and hides nothing.
 * @property {boolean | null} isLegible Nothing before it was asked for.
 * @property {boolean | null} isMono
 * @property {string | null} hint Names that its makers gave it.
 * @property {Map<string, Style>} bare Of elements within it that have no attributes, by their names.
 * @property {Map<string, Style>} classed Of others within it, by their classes.
 * @property {Look} look
 */
/** @typedef {{style: Style, box: Box | null, isMute: boolean, isRevealed: boolean}} Look */
/** @typedef {{red: number, green: number, blue: number, alpha: number}} Colour */

var shidiReader = shidiReader || {};
{
  const { boxOf, hasAttribute, wholeAttribute, all, ownerDocument, bodyOf, isElement, parentOf } = shidiReader.dom;

  /** Elements without attributes that are within a line, whatever the page. */
  const PHRASES = new Set(
    'b i em strong code kbd samp var small sub sup u s mark abbr cite q dfn wbr br bdi bdo time ins del ruby rb'.split(
      ' ',
    ),
  );

  /** How elements without attributes are laid out, unless a page is very odd. */
  const LAID_OUT = new Map([
    ...'p h1 h2 h3 h4 h5 h6 ul ol dl dt dd pre blockquote figure figcaption hr'
      .split(' ')
      .map((name) => /** @type {[string, string]} */ ([name, 'block'])),
    ['li', 'list-item'],
    ['td', 'table-cell'],
    ['th', 'table-cell'],
    ['tr', 'table-row'],
    ['tbody', 'table-row-group'],
    ['thead', 'table-header-group'],
  ]);

  /** Browsers know these names in all versions that the companion supports. */
  const SEEN = { checkOpacity: true, checkVisibilityCSS: true };
  const { checkVisibility } = Element.prototype;

  /** Boxes of this size or less hide what they hold, for those who cut it off. */
  const NOTHING_PX = 1;

  /** Farther off than any screen. */
  const FAR_PX = 4_000;

  /**
   * @param {string} display
   * @param {string} position
   * @param {boolean} isFlow
   * @returns {Style}
   */
  function newStyle(display, position, isFlow) {
    const style = /** @type {Style} */ ({
      name: '',
      display,
      position,
      isFlow,
      isLegible: null,
      isMono: null,
      hint: null,
      bare: new Map(),
      classed: new Map(),
    });
    style.look = { style, box: null, isMute: false, isRevealed: false };
    return style;
  }

  /**
   * @param {Element} element
   * @param {string} name
   * @param {boolean} isBare Whether it has no attributes.
   * @param {Style} parent
   * @returns {Style}
   */
  function styleOf(element, name, isBare, parent) {
    // What has a style or an id of its own is like nothing else.
    if (!isBare && (hasAttribute(element, 'style') || hasAttribute(element, 'id'))) return computed(element);
    const called = isBare ? name : (wholeAttribute(element, 'class') ?? '');
    const known = isBare ? parent.bare : parent.classed;
    const first = known.get(called);
    if (first !== undefined && first.name === name) return first;
    // Elements of two names may have one class.
    const other = first === undefined ? called : `${called} ${name}`;
    const style = known.get(other) ?? madeFor(element, name, isBare);
    style.name = name;
    known.set(other, style);
    return style;
  }

  /**
   * @param {Element} element
   * @param {string} name
   * @param {boolean} isBare
   */
  function madeFor(element, name, isBare) {
    const laidOut = isBare ? (PHRASES.has(name) ? 'inline' : LAID_OUT.get(name)) : undefined;
    return laidOut === undefined ? computed(element) : newStyle(laidOut, 'static', true);
  }

  /** @param {Element} element */
  function computed(element) {
    const style = getComputedStyle(element);
    const { display, position } = style;
    if (display === 'inline') return newStyle(display, position, true);
    const isOpen = style.overflowX === 'visible' && style.overflowY === 'visible' && style.transform === 'none';
    return newStyle(
      display,
      position,
      position === 'static' && isOpen && !isMovedOff(style) && style.clipPath === 'none',
    );
  }

  /**
   * @param {Element} element
   * @param {string} name
   * @param {boolean} isBare Whether it has no attributes.
   * @param {{isMute: boolean, isRevealed: boolean, style: Style}} parent
   * @param {View} view
   * @returns {Look | null} Nothing where neither the element nor anything in it is seen.
   */
  function look(element, name, isBare, parent, view) {
    const isLeftAlone = isBare && !parent.isMute && !parent.isRevealed && PHRASES.has(name);
    const isSeen = isLeftAlone || checkVisibility.call(element, SEEN);
    const style = styleOf(element, name, isBare, parent.style);
    if (!isSeen) return lookCloser(element, style, parent, view);
    return style.isFlow && !parent.isRevealed ? style.look : drawn(element, style, view, parent.isRevealed);
  }

  /**
   * An element that the browser calls invisible: without a box of its own, muted, or seen through.
   * @param {Element} element
   * @param {Style} style
   * @param {{isMute: boolean, isRevealed: boolean}} parent
   * @param {View} view
   * @returns {Look | null}
   */
  function lookCloser(element, style, parent, view) {
    const { display, visibility, opacity, position } = getComputedStyle(element);
    if (display === 'none') return null;
    const { isRevealed } = parent;
    // What is muted may hold what is not.
    if (visibility !== 'visible') return { style: own(style, display), box: null, isMute: true, isRevealed };
    if (display === 'contents') return { style: own(style, display), box: null, isMute: false, isRevealed };
    const isSeenThrough = Number(opacity) === 0;
    if (!isRevealed && !(isSeenThrough && waitsForScrolling(element, position, view))) return null;
    return isSeenThrough && isRevealed && position !== 'static' ? null : drawn(element, style, view, true);
  }

  /**
   * A style that others share may be laid out in another way where it is hidden.
   * @param {Style} style
   * @param {string} display
   */
  function own(style, display) {
    return style.display === display ? style : newStyle(display, 'static', true);
  }

  /**
   * Pages let parts appear when they are scrolled to; these are no hidden ones.
   * @param {Element} element
   * @param {string} position
   * @param {View} view
   */
  function waitsForScrolling(element, position, view) {
    return /^(?:static|relative)$/.test(position) && boxOf(element).top >= view.height;
  }

  /**
   * @param {Element} element
   * @param {Style} known
   * @param {View} view
   * @param {boolean} isRevealed
   * @returns {Look | null}
   */
  function drawn(element, known, view, isRevealed) {
    if (known.display === 'inline') return { style: known, box: null, isMute: false, isRevealed };
    const { left, top, right, bottom } = boxOf(element);
    const style = getComputedStyle(element);
    const { position } = known;
    const isOut = position === 'absolute' || position === 'fixed';
    if (right - left <= NOTHING_PX && isCutOff(style, 'overflowX')) return null;
    if (bottom - top <= NOTHING_PX && isCutOff(style, 'overflowY')) return null;
    if (isOut && isClipped(style)) return null;
    if (isElsewhere({ left, top, right, bottom }, style, position, view)) return null;
    const box = { left: left + view.left, top: top + view.top, right: right + view.left, bottom: bottom + view.top };
    return { style: known, box, isMute: false, isRevealed };
  }

  /**
   * @param {CSSStyleDeclaration} style
   * @param {'overflowX' | 'overflowY'} axis
   */
  function isCutOff(style, axis) {
    return style[axis] !== 'visible' || isClipped(style) || style.transform.startsWith('matrix(0, 0, 0, 0');
  }

  /** @param {CSSStyleDeclaration} style */
  function isClipped(style) {
    const { clip, clipPath } = style;
    if (/^inset\((?:[5-9]\d(?:\.\d+)?|100)%/.test(clipPath) || clipPath.startsWith('circle(0')) return true;
    const edges = clip.startsWith('rect') ? [...clip.matchAll(/-?[\d.]+/g)].map(Number) : [];
    const [top = 0, right = 0, bottom = 0, left = 0] = edges;
    return edges.length === 4 && (bottom - top <= NOTHING_PX || right - left <= NOTHING_PX);
  }

  /**
   * Off the page: never what was only scrolled out of its own frame.
   * @param {Box} box
   * @param {CSSStyleDeclaration} style
   * @param {string} position
   * @param {View} view
   */
  function isElsewhere({ left, top, right, bottom }, style, position, view) {
    const isEmpty = right - left <= NOTHING_PX && bottom - top <= NOTHING_PX;
    // A box without a size may hold what stands elsewhere.
    const [x, y] = [right + view.scrolledX, bottom + view.scrolledY];
    const isLeft = isEmpty ? x < -NOTHING_PX || y < -NOTHING_PX : x <= 0 || y <= 0;
    const isFar = left >= view.width + FAR_PX;
    if (position === 'fixed') return right <= 0 || bottom <= 0 || left >= view.width || top >= view.height;
    if (position === 'absolute') return isLeft || isFar;
    return (isLeft || isFar) && (style.transform !== 'none' || position === 'relative' || isMovedOff(style));
  }

  /** @param {CSSStyleDeclaration} style */
  function isMovedOff(style) {
    return Number.parseFloat(style.marginLeft) < -1_000 || Number.parseFloat(style.marginTop) < -1_000;
  }

  /**
   * Whether letters that stand directly in an element can be read: large enough, and of another colour than their
   * ground.
   * @param {Element} element
   * @param {boolean} isBlock
   * @returns {boolean}
   */
  function isLegible(element, isBlock) {
    const style = getComputedStyle(element);
    if (Number.parseFloat(style.fontSize) < 2) return false;
    if (isBlock && Number.parseFloat(style.textIndent) < -500) return false;
    const ink = colourOf(style.color);
    if (ink === null || style.getPropertyValue('-webkit-background-clip') === 'text') return true;
    if (ink.alpha < 0.05) return style.getPropertyValue('-webkit-text-fill-color') !== style.color;
    // Dark letters on a dark ground are no habit of those who hide; asking for the ground takes long.
    if (Math.min(ink.red, ink.green, ink.blue) < 200) return true;
    const ground = groundOf(element);
    return ground === null || !isAlike(ink, ground) || standsOnPicture(element);
  }

  /**
   * @param {string} said
   * @returns {Colour | null}
   */
  function colourOf(said) {
    const [red, green, blue, alpha = 1] = said.startsWith('rgb') ? [...said.matchAll(/[\d.]+/g)].map(Number) : [];
    return red === undefined || green === undefined || blue === undefined ? null : { red, green, blue, alpha };
  }

  /**
   * @param {Colour} one
   * @param {Colour} other
   */
  function isAlike(one, other) {
    const apart = Math.abs(one.red - other.red) + Math.abs(one.green - other.green) + Math.abs(one.blue - other.blue);
    return apart <= 12;
  }

  /**
   * The colour behind an element; nothing where a picture may be behind it.
   * @param {Element} element
   * @returns {Colour | null}
   */
  function groundOf(element) {
    /** @type {Node | null} */
    let at = element;
    while (at !== null && isElement(at)) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== 'none') return null;
      const colour = colourOf(style.backgroundColor);
      if (colour === null || colour.alpha > 0.5) return colour;
      at = parentOf(at);
    }
    const body = bodyOf(ownerDocument(element) ?? document);
    const ink = body === null ? null : colourOf(getComputedStyle(body).color);
    // A page with light letters and no ground of its own leaves the ground to a browser in dark colours.
    const isDark = ink !== null && Math.min(ink.red, ink.green, ink.blue) >= 200;
    return isDark ? null : { red: 255, green: 255, blue: 255, alpha: 1 };
  }

  /** @param {Element} element */
  function standsOnPicture(element) {
    const { left, top, right, bottom } = boxOf(element);
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    /** @type {Node | null} */
    let at = element;
    for (let level = 0; level < 4 && at !== null && isElement(at); level += 1) {
      const pictures = all(at, 'img, video, canvas, svg').slice(0, 8).map(boxOf);
      if (pictures.some((box) => box.left <= x && x <= box.right && box.top <= y && y <= box.bottom)) return true;
      at = parentOf(at);
    }
    return false;
  }

  shidiReader.sight = { look, newStyle, isLegible };
}
