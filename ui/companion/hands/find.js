/**
 * Finds elements by their role and name, or by what stands in them. Looks only at what a person sees.
 */
'use strict';

/** @typedef {{role?: string, name?: string, text?: string, ref?: string}} Wanted */
/** @typedef {{element: Element, rank: number, order: number}} Ranked */
/** @typedef {{element: Element} | {reason: string}} Target */
/**
 * @typedef {object} Found
 * @property {string} ref
 * @property {string} role
 * @property {string} name
 * @property {string} [value]
 * @property {string[]} states
 * @property {string} where What it stands in, and whether that is in view.
 */

var shidiHands = shidiHands || {};
{
  const dom = shidiReader.dom;
  const { names, refs } = shidiHands;

  const FOUND_MAX = 20;

  /** Elements whose names are asked for at most; it takes longer than anything else. */
  const NAMED_MAX = 4_000;
  /** From here on, two names are one. */
  const SAME = 3;
  const PLACES =
    'dialog, [role=dialog], [role=alertdialog], form, fieldset, nav, [role=navigation], table, aside, header, footer';

  /**
   * @param {Wanted} wanted
   * @returns {Found[]} The best first; at most 20.
   */
  function find(wanted) {
    if (isNothing(wanted)) return [];
    return ranked(wanted)
      .slice(0, FOUND_MAX)
      .map(({ element }) => told(element));
  }

  /** @param {Wanted} wanted */
  function isNothing({ role = '', name = '', text = '' }) {
    return role + name + text === '';
  }

  /**
   * @param {Wanted} wanted
   * @returns {Ranked[]}
   */
  function ranked(wanted) {
    /** @type {Ranked[]} */
    const found = [];
    let named = 0;
    for (const { element, role } of seen()) {
      if (!isWorth(element, role, wanted) || named >= NAMED_MAX) continue;
      named += 1;
      const rank = rankOf(element, wanted);
      if (rank > 0) found.push({ element, rank, order: found.length });
    }
    return innermost(found).sort((one, other) => other.rank - one.rank || one.order - other.order);
  }

  /**
   * What a person sees, and what is seen by its label alone.
   * @returns {{element: Element, role: string}[]}
   */
  function seen() {
    const all = [];
    for (const part of shidiReader.parts.walk(document).parts) {
      const { element } = part;
      if (element === null || part.isMute || (part.isVeiled && !isTicked(element))) continue;
      if (part.name === 'body' && !names.isEditable(element)) continue;
      all.push({ element, role: names.roleOf(element) });
    }
    return all;
  }

  /** @param {Element} element */
  function isTicked(element) {
    return dom.localName(element) === 'input' && /^(?:checkbox|radio)$/i.test(dom.attributeOf(element, 'type'));
  }

  /**
   * @param {Element} element
   * @param {string} role
   * @param {Wanted} wanted
   */
  function isWorth(element, role, wanted) {
    if (wanted.role !== undefined && wanted.role !== '') return role === wanted.role.toLowerCase();
    // Without a role, only what one can do something with; a text may stand anywhere.
    return (
      (wanted.text ?? '') !== '' ||
      names.isField(role) ||
      /^(?:button|link|tab|menuitem|option|switch|heading)$/.test(role) ||
      names.isEditable(element)
    );
  }

  /**
   * @param {Element} element
   * @param {Wanted} wanted
   * @returns {number} 0 where it is not meant.
   */
  function rankOf(element, { name, text }) {
    const byName = name === undefined || name === '' ? 1 : alike(names.nameOf(element), name);
    const byText = text === undefined || text === '' ? 1 : alike(shidiReader.labels.labelText(element), text);
    return byName === 0 || byText === 0 ? 0 : byName + byText;
  }

  /**
   * @param {string} said
   * @param {string} wanted
   */
  function alike(said, wanted) {
    const [one, other] = [plain(said), plain(wanted)];
    if (one === other) return 4;
    if (one.toLowerCase() === other.toLowerCase()) return SAME;
    return other !== '' && one.toLowerCase().includes(other.toLowerCase()) ? 2 : 0;
  }

  /** @param {string} text */
  function plain(text) {
    return text.replace(/\s+/g, ' ').trim();
  }

  /**
   * Of several elements around one another, the one that holds no other.
   * @template {{element: Element}} T
   * @param {T[]} found In the order of the page.
   * @returns {T[]}
   */
  function innermost(found) {
    return found.filter(({ element }, index) => {
      const next = found[index + 1];
      return next === undefined || !Node.prototype.contains.call(element, next.element);
    });
  }

  /**
   * @param {Element} element
   * @returns {Found}
   */
  function told(element) {
    const role = names.roleOf(element);
    const states = names.statesOf(element);
    const hasValue = names.isField(role) && !states.includes('secret') && !/^(?:checkbox|radio|switch)$/.test(role);
    const value = hasValue
      ? shidiReader.fields.written(element).slice(0, shidiReader.limits.VALUE_MAX_CHARS)
      : undefined;
    return {
      ref: refs.refOf(element),
      role,
      name: names.nameOf(element),
      ...(value === undefined ? {} : { value }),
      states,
      where: whereOf(element),
    };
  }

  /** @param {Element} element */
  function whereOf(element) {
    const { top, bottom } = dom.boxOf(element);
    const height = bottom <= 0 ? 'above the view' : top >= window.innerHeight ? 'below the view' : 'in view';
    const place = dom.closest(element, PLACES);
    if (place === null || place === element) return height;
    const legend = dom.one(place, 'legend, h1, h2, h3, caption');
    const name = dom.attributeOf(place, 'aria-label') || (legend === null ? '' : shidiReader.labels.labelText(legend));
    const role = names.roleOf(place) || dom.localName(place);
    return `${role}${name === '' ? '' : ` "${name.slice(0, 80)}"`}, ${height}`;
  }

  /**
   * The one element that is to be touched, or why there is none: called exactly so, since a person approved the name.
   * @param {Wanted} wanted
   * @returns {Target}
   */
  function one({ ref = '', ...wanted }) {
    if (ref !== '') return refs.elementOf(ref);
    if (isNothing(wanted)) return { reason: 'name the element by its ref, or by role and name' };
    const found = ranked(wanted).filter(({ element }) => {
      const { name = '', text = '' } = wanted;
      const isCalled = name === '' || alike(names.nameOf(element), name) >= SAME;
      return isCalled && (text === '' || alike(shidiReader.labels.labelText(element), text) >= SAME);
    });
    return only(found, wanted.name || wanted.text || wanted.role || '');
  }

  /**
   * The field of that label, or why there is none. Radio buttons are one field, by what their group is called.
   * @param {string} label
   * @returns {Target}
   */
  function field(label) {
    if (refs.isRef(label)) return refs.elementOf(label);
    /** @type {Ranked[]} */
    const found = [];
    /** @type {Set<Element>} */
    const members = new Set();
    for (const { element, role } of seen()) {
      if (!names.isField(role) || members.has(element) || found.length >= NAMED_MAX) continue;
      const others = role === 'radio' ? shidiReader.fields.membersOf(element) : [];
      for (const other of others) members.add(other);
      const said = others.length > 1 ? shidiReader.fields.groupLabel(others) : names.nameOf(element);
      const rank = alike(said, label);
      if (rank >= SAME) found.push({ element, rank, order: found.length });
    }
    return only(found, label);
  }

  /**
   * @param {Ranked[]} found
   * @param {string} called
   * @returns {Target}
   */
  function only(found, called) {
    const best = Math.max(...found.map(({ rank }) => rank));
    const [first, second] = found.filter(({ rank }) => rank === best);
    if (first === undefined) return { reason: `nothing on the page is called "${called}": find it first` };
    return second === undefined
      ? { element: first.element }
      : { reason: `several elements are called "${called}": find them and name one by its ref` };
  }

  shidiHands.finding = { find, one, field, seen };
}
