/**
 * What Shidi's hands do on a page: find, fill, click, select a text, insert at the caret, and take back.
 *
 * Each act shows first what it is about to touch, and looks anew then. It touches only what is called as the person has
 * approved it. Fields that hold secrets are never touched.
 */
'use strict';

/** @typedef {{done: boolean, what: string, undo?: string}} Act */

var shidiHands = shidiHands || {};
{
  const dom = shidiReader.dom;
  const { names, refs, finding, overlay, values, texts } = shidiHands;

  const UNDO_MAX = 50;
  const LINK_TEXT_MAX_CHARS = 200;
  const TOLD_MAX_CHARS = 80;

  /** Frames within frames that are looked through. */
  const FRAMES_MAX_LEVELS = 8;

  /** @type {Map<string, {ref: string, after: string, back: () => void}>} */
  const undoable = new Map();

  /**
   * @param {string} what
   * @returns {Act}
   */
  function refused(what) {
    return { done: false, what };
  }

  /** @param {Element} element */
  function called(element) {
    return `${names.roleOf(element) || dom.localName(element)} "${names.nameOf(element)}"`;
  }

  /**
   * Shows an element, and then looks at it anew: the page has had time to change.
   * @param {Target} target
   * @param {() => Target} again
   * @returns {Promise<Target>}
   */
  async function shown(target, again) {
    if ('reason' in target) return target;
    await overlay.show(target.element);
    const now = again();
    if ('reason' in now) return now;
    return now.element === target.element
      ? now
      : { reason: 'the page has changed while the element was shown: read it again' };
  }

  /**
   * Fills the field of that label, or of that ref.
   * @param {{field?: string, value?: unknown}} wanted
   * @returns {Promise<Act>}
   */
  async function fill({ field = '', value = '' }) {
    const allowed = () => permitted(finding.field(field));
    const one = await shown(allowed(), allowed);
    if ('reason' in one) return refused(one.reason);
    const { element } = one;
    const put = values.put(element, textOf(value));
    if (!put.done) return refused(`${called(element)}: ${put.reason}`);
    return { done: true, what: `filled ${called(element)}`, ...undoToken(element, put.back) };
  }

  /** @param {unknown} value */
  function textOf(value) {
    if (typeof value === 'boolean') return value ? 'checked' : 'unchecked';
    return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  }

  /**
   * @param {Target} target
   * @returns {Target}
   */
  function permitted(target) {
    const refusal = 'reason' in target ? null : values.refusal(target.element);
    return 'reason' in target || refusal === null ? target : { reason: `${called(target.element)}: ${refusal}` };
  }

  /**
   * @param {Element} element
   * @param {(() => void) | null} back
   * @returns {{undo?: string}}
   */
  function undoToken(element, back) {
    if (back === null) return {};
    const ref = refs.refOf(element);
    const token = `undo-${refs.newRef(names.nameOf(element))}`;
    undoable.set(token, { ref, after: stateOf(element), back });
    for (const oldest of undoable.keys()) {
      if (undoable.size <= UNDO_MAX) break;
      undoable.delete(oldest);
    }
    return { undo: token };
  }

  /** @param {Element} element */
  function stateOf(element) {
    const type = dom.attributeOf(element, 'type').toLowerCase();
    if (type === 'checkbox' || /^(?:checkbox|switch)$/.test(names.roleOf(element)))
      return shidiReader.fields.isChecked(element) ? 'checked' : 'unchecked';
    if (type !== 'radio') return shidiReader.fields.written(element);
    const chosen = shidiReader.fields.membersOf(element).find(shidiReader.fields.isChecked);
    return chosen === undefined ? '' : shidiReader.fields.choiceOf(chosen);
  }

  /**
   * Puts a field as it was before an act, unless somebody has changed it since.
   * @param {{undo?: string}} wanted
   * @returns {Promise<Act>}
   */
  async function undo({ undo = '' }) {
    const known = undoable.get(undo);
    if (known === undefined) return refused('this can no longer be taken back');
    const asItWas = () => unchanged(refs.elementOf(known.ref), known.after);
    const one = await shown(asItWas(), asItWas);
    if ('reason' in one) return refused(one.reason);
    undoable.delete(undo);
    known.back();
    return { done: true, what: `put back ${called(one.element)}` };
  }

  /**
   * @param {Target} target
   * @param {string} state
   * @returns {Target}
   */
  function unchanged(target, state) {
    const one = permitted(target);
    if ('reason' in one || stateOf(one.element) === state) return one;
    return { reason: `${called(one.element)} has been changed since` };
  }

  /**
   * @param {Wanted} wanted
   * @returns {Promise<Act>}
   */
  async function click(wanted) {
    const free = () => pressable(finding.one(wanted));
    const one = await shown(free(), free);
    if ('reason' in one) return refused(one.reason);
    const { element } = one;
    // Only what was brought into view can be looked for under other things.
    const cover = coverOf(element);
    if (cover !== null) return refused(`${called(element)} is covered by ${called(cover)}`);
    const what = `clicked ${called(element)}`;
    press(element);
    return { done: true, what };
  }

  /**
   * @param {Target} target
   * @returns {Target}
   */
  function pressable(target) {
    if ('reason' in target) return target;
    const { element } = target;
    if (names.isDisabled(element)) return { reason: `${called(element)} is disabled` };
    const isFile =
      dom.localName(element) === 'input' && dom.attributeOf(element, 'type').trim().toLowerCase() === 'file';
    return isFile ? { reason: 'only the person chooses a file' } : target;
  }

  /**
   * What a person would touch in its stead, in its own document or above the frame that it stands in.
   * @param {Element} element
   * @returns {Element | null}
   */
  function coverOf(element) {
    const { left, top, right, bottom } = dom.boxOf(element);
    // What has no box of its own is clicked by its label.
    if (right - left < 2 || bottom - top < 2) return null;
    let [x, y] = [(left + right) / 2, (top + bottom) / 2];
    let at = element;
    for (let level = 0; level < FRAMES_MAX_LEVELS; level += 1) {
      const found = elementAt(at, x, y);
      if (found === null) return null;
      if (!isRelated(at, found)) return found;
      const frame = dom.frameOf(at);
      if (frame === null) return null;
      const around = dom.boxOf(frame);
      [x, y] = [x + around.left + frame.clientLeft, y + around.top + frame.clientTop];
      at = frame;
    }
    return null;
  }

  /**
   * @param {Element} element
   * @param {number} x
   * @param {number} y
   * @returns {Element | null}
   */
  function elementAt(element, x, y) {
    const root = Node.prototype.getRootNode.call(element);
    const { prototype } = dom.isShadow(root) ? ShadowRoot : Document;
    return /** @type {Element | null} */ (prototype.elementFromPoint.call(root, x, y));
  }

  /**
   * @param {Element} element
   * @param {Element} found
   */
  function isRelated(element, found) {
    const label = shidiReader.labels.labelElement(element);
    return (
      Node.prototype.contains.call(element, found) ||
      Node.prototype.contains.call(found, element) ||
      (label !== null && label === dom.closest(found, 'label'))
    );
  }

  /** @param {Element} element */
  function press(element) {
    const { left, top, width, height } = dom.boxOf(element);
    const at = {
      bubbles: true,
      cancelable: true,
      composed: true,
      clientX: left + width / 2,
      clientY: top + height / 2,
      button: 0,
    };
    const send = (/** @type {Event} */ event) => EventTarget.prototype.dispatchEvent.call(element, event);
    send(new PointerEvent('pointerdown', { ...at, pointerId: 1, isPrimary: true, buttons: 1 }));
    send(new MouseEvent('mousedown', { ...at, buttons: 1 }));
    if (element instanceof HTMLElement || dom.namespaceURI(element) === dom.HTML) values.focus(element);
    send(new PointerEvent('pointerup', { ...at, pointerId: 1, isPrimary: true }));
    send(new MouseEvent('mouseup', at));
    if (dom.namespaceURI(element) === dom.HTML) HTMLElement.prototype.click.call(element);
    else send(new MouseEvent('click', at));
  }

  /**
   * @param {{text?: string}} wanted
   * @returns {Promise<Act>}
   */
  async function select({ text = '' }) {
    const found = texts.select(text);
    if (found === null) return refused('this text is not seen on the page');
    await overlay.show(found.element);
    const told = text.slice(0, TOLD_MAX_CHARS);
    return found.isSelected
      ? { done: true, what: `selected "${told}"` }
      : { done: true, what: `showed "${told}", which the browser does not let select` };
  }

  /** @returns {{text: string, url: string}[]} Each address once, by the first name that it has. */
  function links() {
    /** @type {Map<string, string>} */
    const found = new Map();
    for (const { element, name, isMute } of shidiReader.parts.walk(document).parts) {
      if (element === null || name !== 'a' || isMute || found.size >= shidiReader.limits.LINKS_MAX) continue;
      const url = shidiReader.links.addressOf(element);
      const text = names.nameOf(element).slice(0, LINK_TEXT_MAX_CHARS);
      if (url !== null && text !== '' && !found.has(url)) found.set(url, text);
    }
    return [...found].map(([url, text]) => ({ text, url }));
  }

  /**
   * @param {{text?: string}} wanted
   * @returns {Promise<Act>}
   */
  async function insert({ text = '' }) {
    const place = shidiHands.caret.remembered();
    if (place === null) return refused('no field had the focus');
    const allowed = () =>
      permitted(dom.isConnected(place.element) ? place : { reason: 'the field is no longer on the page' });
    const one = await shown(allowed(), allowed);
    if ('reason' in one) return refused(one.reason);
    const put = shidiHands.caret.insert(place, text);
    if (!put.done) return refused(`${called(place.element)}: ${put.reason}`);
    return { done: true, what: `inserted into ${called(place.element)}`, ...undoToken(place.element, put.back) };
  }

  shidiHands.hands = {
    find: finding.find,
    fill,
    click,
    select,
    links,
    insert,
    undo,
    remember: shidiHands.caret.remember,
  };
}
