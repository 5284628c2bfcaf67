/**
 * Finds what surrounds the content of a page: menus, banners, pop-ups, advertisements, boxes of links.
 *
 * Goes by what a part is for (its element and role), by how it is placed, by how much of it are links, and by words that
 * many sites share. No rule knows a site. What the user has selected is kept whatever is found here.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  const { hintOf, attribute } = shidiReader.parts;
  const { linkShare, beginning, holds, isLink, isPushed } = shidiReader.measure;
  const { words } = shidiReader;

  /** Roles of what one uses a page by. */
  const TOOLS = new Set(
    'navigation menu menubar tooltip toolbar search scrollbar directory tablist contentinfo complementary tree'.split(
      ' ',
    ),
  );

  /** Beyond this share of links, a part leads elsewhere. */
  const LINKS_MANY = 0.5;
  const LINKS_SOME = 0.3;

  /** A box beside the content seldom has more letters, wide ones counted twice. */
  const BOX_MAX_LETTERS = 700;
  const NOTE_MAX_LETTERS = 260;
  const WIDGET_MAX_LETTERS = 60;
  const NOTE_LETTERS = 160;
  const ASKING_MAX_LETTERS = 340;
  const WORDS_MAX_LETTERS = 120;

  /** Names of parts that are remembered from page to page. */
  const NAMES_MAX = 2_000;

  /** @type {Map<string, {name: RegExp, most: number, links: number}[]>} */
  const named = new Map();

  /** A bar along an edge of the window. */
  const BAR_MAX_PX = 130;

  /** What is at least this share of the page is its content, however it is placed. */
  const MUCH = 0.35;

  /** Names of what somebody paid for. */
  const PAID =
    /(?:^|[^a-z])(?:ads?|advert(?:isement|s)?|adsbygoogle|ad-?slot|ad-?unit|sponsor(?:ed|s)?|promo(?:tion|s)?|dfp|affiliate)(?![a-z])/;

  /** Names that makers give to parts. Each group says how long such a part may be, and how many links it must have. */
  const NAMED = [
    {
      name: /(?:^|[^a-z])(?:cookies?|consent|gdpr|cmp|cc-window|cookieconsent|announcements?|announcement-?bar|site-?notice)(?![a-z])|cookie-?(?:bar|banner|notice|strip)/,
      most: BOX_MAX_LETTERS,
      links: 0,
    },
    {
      name: PAID,
      most: NOTE_MAX_LETTERS,
      links: 0,
    },
    {
      name: /(?:^|[^a-z])(?:share|sharing|social|sns|sharedaddy|addthis|share-?(?:buttons?|bar|box|list))(?![a-z])/,
      most: 120,
      links: 0,
    },
    {
      name: /(?:^|[^a-z])(?:newsletter|subscribe|subscription|sign-?up(?:-cta)?|opt-?in|mailing-?list|paywall|regwall)(?![a-z])/,
      most: BOX_MAX_LETTERS,
      links: 0,
    },
    {
      name: /(?:^|[^a-z])(?:back-?to-?top|go-?top|back-?top|return-?top|live-?chat|chat-?(?:widget|bubble)|kefu|qr-?codes?|qrcode|survey|satisfaction|(?<!valid-)feedback)(?![a-z])/,
      most: NOTE_MAX_LETTERS,
      links: 0,
    },
    {
      name: /(?:^|[^a-z])(?:breadcrumbs?|crumbs|pagination|paginate|pager|paging|skip-?(?:link|nav|to)?|page-?nav|post-?nav(?:igation)?|prev-?next)(?![a-z])/,
      most: NOTE_MAX_LETTERS,
      links: 0.2,
    },
    {
      name: /(?:^|[^a-z])(?:nav|navbar|navigation|menu|sub-?menu|sidenav|side-?bar|sidebar|toc|table-of-contents|outline|topbar|top-?bar|navbox|catlinks|masthead|footer|foot|colophon|site-?info|site-?footer|site-?header|widget-?area|toolbar|tool-?bar|mega)(?![a-z])/,
      most: BOX_MAX_LETTERS,
      links: 0.4,
    },
    {
      name: /(?:^|[^a-z])(?:related|relatedposts|recommend(?:ed|ation|ations)?|suggested|suggestions|read-?(?:next|more)|inline-related|onward|popular|trending|most-?read|ranking|hot-?list|similar|you-?may)(?![a-z])/,
      most: BOX_MAX_LETTERS,
      links: LINKS_SOME,
    },
  ];

  /**
   * Marks parts that do not belong to the content. Letters are to be counted before.
   * @param {Walk} found
   */
  function markFurniture({ root, parts }) {
    const page = Math.max(root.letters, 1);
    for (const part of parts) {
      if (part.element === null || part.out !== '' || part === root) continue;
      const reason = reasonFor(part, page);
      if (reason !== '') markAll(part, reason);
    }
    // Words say more once it is known what stands around them.
    for (const part of parts) {
      if (part.out !== '') continue;
      if (part.name === '#text') markByWords(part, page);
      else if (part.name === 'input') markAsking(part, page);
    }
  }

  /**
   * @param {Part} part
   * @param {number} page Letters of the whole page.
   * @returns {string}
   */
  function reasonFor(part, page) {
    if (part.isUnsaid && isDoubled(part)) return 'doubled';
    if (part.isVeiled || part.name === 'input') return '';
    const share = part.letters / page;
    return placed(part, share) || byPurpose(part, share) || (part.isBlock || part.isItem ? byName(part, share) : '');
  }

  /**
   * Something that assistive programs are to pass by is drawn for the eye: an icon, or what stands beside it in words.
   * @param {Part} part
   */
  function isDoubled(part) {
    if (part.parent?.parts.some((other) => other.isVeiled && other.name === 'math')) return true;
    if (part.parent?.parts.some((other) => holdsFormula(other) && other !== part)) return true;
    const text = beginning(part, 80);
    if (text === '') return part.name === 'img' || part.name === 'svg';
    if (part.letters > 40) return false;
    // The name of an icon that a font draws, or a sign without a letter.
    if (!/[\p{L}\p{N}]/u.test(text) || (/^[a-z_]+$/.test(text) && /icon|symbol|glyph/.test(hintOf(part)))) return true;
    const around = part.parent === null ? '' : beginning(part.parent, 400).replace(text, '');
    return around.includes(text);
  }

  /** @param {Part} part */
  function holdsFormula(part) {
    return part.letters === 0 && holds(part, ({ name, isVeiled }) => name === 'math' && isVeiled);
  }

  /**
   * By its place: what floats above the page, or sticks to an edge of the window.
   * @param {Part} part
   * @param {number} share
   */
  function placed(part, share) {
    const isDialog = part.name === 'dialog' || /^(?:alert)?dialog$/.test(part.role);
    const floats = part.style.position === 'fixed' || part.style.position === 'sticky';
    if (!isDialog && !floats) return '';
    const text = beginning(part, 600);
    const isShort = part.letters <= BOX_MAX_LETTERS && share < 0.8;
    if (isShort && !isPassword(part) && (words.CONSENT.test(text) || words.OFFER.test(text))) return 'popup';
    if (isDialog || isSaid(part) || share > MUCH) return '';
    if (part.fields === 0 && (part.letters <= WIDGET_MAX_LETTERS || words.TALK.test(text)))
      return part.style.position === 'fixed' ? 'widget' : '';
    const box = shidiReader.boxes.boxOf(part);
    if (box === null || holds(part, isTitle)) return '';
    const isBar = box.bottom - box.top <= BAR_MAX_PX && box.right - box.left >= window.innerWidth * 0.6;
    const isPanel = box.right - box.left <= window.innerWidth * 0.3;
    if (isBar && part.name !== 'thead' && part.name !== 'tr') return 'bar';
    return isPanel && (linkShare(part) >= 0.25 || part.style.position === 'fixed') ? 'panel' : '';
  }

  /** @param {Part} part */
  function isPassword(part) {
    const is = (/** @type {Part} */ { name, element }) =>
      name === 'input' && element !== null && shidiReader.secrets.isSecret(element);
    return is(part) || holds(part, is);
  }

  /**
   * Whether it tells the user something that has just happened.
   * @param {Part} part
   */
  function isSaid(part) {
    const tells = (/** @type {Part} */ { role }) => role === 'alert' || role === 'status' || role === 'log';
    return tells(part) || holds(part, tells);
  }

  /** @param {Part} part */
  function isTitle({ name, role, letters }) {
    return (name === 'h1' || (role === 'heading' && letters > 0)) && letters > 0;
  }

  /**
   * By what it is for: its element or role.
   * @param {Part} part
   * @param {number} share
   */
  function byPurpose(part, share) {
    const { name, role, zone } = part;
    if (name === 'nav' || TOOLS.has(role)) return share > 0.6 && holds(part, isTitle) ? '' : 'navigation';
    if (name === 'footer') return isFooter(part) ? 'footer' : '';
    if (name === 'header' || role === 'banner') return isHeader(part) ? 'header' : '';
    if (name === 'aside') {
      if (role === 'note' || (share > MUCH && linkShare(part) < LINKS_MANY)) return '';
      return zone === '' || isBoxOfLinks(part) || part.fields > 1 ? 'aside' : '';
    }
    if (name === 'menu') return linkShare(part) > LINKS_MANY ? 'navigation' : '';
    if (role === 'listbox') return share > MUCH ? '' : 'choices';
    return '';
  }

  /** @param {Part} part */
  function isFooter(part) {
    if (part.zone === '' && !isWithin(part, 'blockquote', 'figure', 'td', 'li')) return true;
    return linkShare(part) >= LINKS_SOME || words.FOOT.test(beginning(part, 300));
  }

  /** @param {Part} part */
  function isHeader(part) {
    if (part.zone !== '' || holds(part, isTitle)) return false;
    return part.letters <= BOX_MAX_LETTERS && !isWithin(part, 'section', 'li', 'dialog');
  }

  /**
   * @param {Part} part
   * @param {...string} names
   */
  function isWithin(part, ...names) {
    for (let at = part.parent; at !== null; at = at.parent) if (names.includes(at.name)) return true;
    return false;
  }

  /** @param {Part} part */
  function isBoxOfLinks(part) {
    return linkShare(part) >= LINKS_SOME || words.OFFER.test(beginning(part, 300));
  }

  /**
   * By the names that its makers gave it.
   * @param {Part} part
   * @param {number} share
   */
  function byName(part, share) {
    if (share > MUCH || part.letters > BOX_MAX_LETTERS || part.letters === 0) return '';
    const groups = namesOf(part);
    if (groups.length === 0) return '';
    const links = linkShare(part);
    if (!groups.some(({ most, links: least }) => part.letters <= most && links >= least)) return '';
    if (part.fields > 3 || holds(part, isTitle) || isSaid(part)) return '';
    return part.role === 'list' || part.role === 'note' || part.name === 'td' || part.name === 'tr' ? '' : 'named';
  }

  /**
   * Groups of names that are known by the names of a part: asked for once for all that are called alike.
   * @param {Part} part
   */
  function namesOf(part) {
    const said = part.role === 'region' || part.name === 'section' ? attribute(part, 'aria-label').toLowerCase() : '';
    const hint = hintOf(part);
    const known = said === '' ? named.get(hint) : undefined;
    if (known !== undefined) return known;
    const groups = hint.length + said.length < 2 ? [] : NAMED.filter(({ name }) => name.test(`${hint} ${said}`));
    if (said === '' && named.size < NAMES_MAX) named.set(hint, groups);
    return groups;
  }

  /**
   * By its words, where they are few: what asks for an account or an opinion, or does something with the page.
   * @param {Part} text
   * @param {number} page
   */
  function markByWords(text, page) {
    const said = text.text.trim();
    if (said.length < 2 || text.letters > WORDS_MAX_LETTERS) return;
    if (words.PAID.test(said)) return markPaid(text, page);
    const { parent } = text;
    if (parent === null) return;
    if (words.PAID_BEFORE.test(said))
      markBox(parent, page, 'paid', NOTE_MAX_LETTERS, (box) => words.PAID_BEFORE.test(beginning(box, 20)));
    else if (words.ACCOUNT.test(said) && isLed(parent))
      markBox(parent, page, 'account', NOTE_LETTERS, isWithoutHeading);
    else if (words.SURVEY.test(said)) markBox(parent, page, 'survey', NOTE_LETTERS, holdsControl);
    else if (words.TOOL.test(said)) markBox(parent, page, 'tools', NOTE_LETTERS, (box) => linkShare(box) >= 0.6);
  }

  /** @param {Part} part */
  function isLed(part) {
    for (let at = /** @type {Part | null} */ (part); at !== null && !at.isBlock; at = at.parent)
      if (isLink(at)) return true;
    return isLink(part);
  }

  /**
   * Marks the largest part around that is short and is what it is taken for.
   * @param {Part} from
   * @param {number} page
   * @param {string} reason
   * @param {number} most
   * @param {(box: Part) => boolean} is
   */
  function markBox(from, page, reason, most, is) {
    /** @type {Part | null} */
    let box = null;
    for (
      let at = /** @type {Part | null} */ (from);
      at !== null && at.letters <= most && at.letters <= page * MUCH;
      at = at.parent
    ) {
      if (at.out !== '' || at.fields > 0) break;
      if (at.isBlock && is(at)) box = at;
      if (isOneOfMany(at)) break;
    }
    if (box !== null) markAll(box, reason);
  }

  /** @param {Part} part */
  function isWithoutHeading(part) {
    return !holds(part, ({ name }) => /^h[1-3]$/.test(name));
  }

  /** @param {Part} part */
  function holdsControl(part) {
    return holds(part, ({ name, role }) => name === 'button' || name === 'input' || role === 'button' || name === 'a');
  }

  /**
   * A field for an address, within a box that says what it is for.
   * @param {Part} input
   * @param {number} page
   */
  function markAsking(input, page) {
    if (!/^(?:email|text)?$/.test(attribute(input, 'type')) || isPassword(input)) return;
    /** @type {Part | null} */
    let box = null;
    for (let at = input.parent; at !== null && at.letters <= ASKING_MAX_LETTERS && at.fields <= 2; at = at.parent) {
      if (at.letters > page * MUCH || isTitle(at)) break;
      if (words.OFFER.test(`${beginning(at, 400)} ${hintOf(at)}`)) box = at;
      if (isOneOfMany(at)) break;
    }
    if (box !== null) markAll(box, 'newsletter');
  }

  /**
   * A word such as "Advertisement" stands for the box that it is in.
   * @param {Part} text
   * @param {number} page
   */
  function markPaid(text, page) {
    let box = text.parent;
    while (box !== null && box.parent !== null && box.parent.letters <= NOTE_MAX_LETTERS && !isOneOfMany(box)) {
      if (box.parent.letters > page * MUCH) break;
      box = box.parent;
    }
    if (box === null || box.parent === null || box.letters > NOTE_MAX_LETTERS) return;
    markAll(box, 'paid');
  }

  /**
   * Whether it stands among others of its kind, as an entry of a list does.
   * @param {Part} part
   */
  function isOneOfMany(part) {
    if (!part.isBlock) return false;
    const like = part.parent?.parts.filter((other) => other.name === part.name && hintOf(other) === hintOf(part)) ?? [];
    return like.length > 1 && part.name !== '#text' && part.parts.length > 1;
  }

  /**
   * Leaves out a part and all that is in it; what it stands in holds less from now on.
   * @param {Part} part
   * @param {string} reason
   */
  function markAll(part, reason) {
    if (part.out !== '') return;
    const { letters, fields } = part;
    let { linked } = part;
    for (let at = part.parent, isTold = !isPushed(part); at !== null && isTold; at = at.parent) {
      if (isLink(at)) linked = letters;
      isTold = !isPushed(at);
      at.letters -= letters;
      at.linked -= linked;
      at.fields -= fields;
    }
    const stack = [part];
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (at.out === '') at.out = reason;
      at.letters = 0;
      at.linked = 0;
      at.fields = 0;
      for (const inner of at.parts) stack.push(inner);
    }
  }

  shidiReader.furniture = { PAID, markFurniture, markAll, isTitle, isSaid };
}
