/**
 * Notices that a page has changed since it was read, without looking at what has changed.
 *
 * Costs nothing before the first reading. A flag is set by whatever may change what is seen: elements, texts, values,
 * scrolling, windows that open, another address. Once after each reading it is told that somebody acted in the page: that
 * it changed soon after a key, a click or a touch. What a page changes by itself is its own affair.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  /** Frames and shadow roots that are watched beside the page. */
  const ROOTS_MAX = 200;

  /** Attributes by which pages show and hide. */
  const ATTRIBUTES = [
    'class',
    'style',
    'hidden',
    'open',
    'aria-hidden',
    'aria-invalid',
    'aria-expanded',
    'aria-selected',
    'aria-checked',
    'value',
    'checked',
    'disabled',
    'type',
    'src',
    'href',
    'alt',
    'title',
    'placeholder',
    'role',
    'inert',
    'popover',
  ];
  const EVENTS = [
    'input',
    'change',
    'toggle',
    'slotchange',
    'animationend',
    'transitionend',
    'load',
    'invalid',
    'reset',
    'submit',
  ];
  const PLACES = ['popstate', 'hashchange', 'resize'];
  const ACTS = ['pointerdown', 'keydown', 'drop', 'paste'];

  /** A change that comes this soon after an act is its consequence: a drawer, a dialog, a list that was filtered. */
  const CONSEQUENCE_MS = 1_500;

  let isDirty = true;
  let isMoved = true;
  let isReselected = true;
  let address = '';
  /** @type {WeakSet<Node>} */
  const watched = new WeakSet();
  let count = 0;
  let isWatchingWindow = false;
  let actedAt = -Infinity;
  /** Whether somebody is to be told of the next act: the page was read since the last. */
  let isAwaited = false;
  /** @type {() => void} */
  let tell = () => undefined;

  const observer = new MutationObserver((records) => {
    if (records.some(isForeign)) note();
  });

  /**
   * What this extension itself puts into a page for a moment.
   * @type {WeakSet<Node>}
   */
  const own = new WeakSet();

  /** @param {Node} node */
  function ignore(node) {
    own.add(node);
  }

  /** @param {MutationRecord} record */
  function isForeign({ type, addedNodes, removedNodes }) {
    return type !== 'childList' || [...addedNodes, ...removedNodes].some((node) => !own.has(node));
  }

  function note() {
    isDirty = true;
    if (!isAwaited || (performance.now() - actedAt > CONSEQUENCE_MS && address === location.href)) return;
    isAwaited = false;
    tell();
  }

  /** Somebody acts in the page now: its person, or Shidi for them. */
  function act() {
    actedAt = performance.now();
  }

  /** @param {Event} event */
  function acted({ isTrusted }) {
    // A page can pretend to be clicked on.
    if (isTrusted) act();
  }

  function move() {
    isMoved = true;
  }

  function reselect() {
    isReselected = true;
  }

  /**
   * Watches what was read from now on.
   * @param {readonly (Document | ShadowRoot)[]} roots
   */
  function begin(roots) {
    for (const root of roots) {
      if (watched.has(root) || count >= ROOTS_MAX) continue;
      watched.add(root);
      count += 1;
      observer.observe(root, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
        attributeFilter: ATTRIBUTES,
      });
      for (const event of EVENTS) listen(root, event, note, { capture: true, passive: true });
      listen(root, 'scroll', move, { capture: true, passive: true });
      listen(root, 'selectionchange', reselect, {});
      listen(root, 'select', reselect, { capture: true });
    }
    if (isWatchingWindow) return;
    isWatchingWindow = true;
    for (const event of PLACES) window.addEventListener(event, note, { passive: true });
    for (const event of ACTS) window.addEventListener(event, acted, { capture: true, passive: true });
  }

  /**
   * A picture of the page may be named `addEventListener`.
   * @param {Document | ShadowRoot} root
   * @param {string} event
   * @param {() => void} heard
   * @param {AddEventListenerOptions} how
   */
  function listen(root, event, heard, how) {
    EventTarget.prototype.addEventListener.call(root, event, heard, how);
  }

  /**
   * What has changed since the last reading. What was found is taken as known.
   * @returns {{isDirty: boolean, isMoved: boolean, isReselected: boolean}}
   */
  function taken() {
    if (observer.takeRecords().some(isForeign)) isDirty = true;
    // A page can take another address without an event.
    if (address !== location.href) isDirty = true;
    const changes = { isDirty, isMoved, isReselected };
    address = location.href;
    isDirty = false;
    isMoved = false;
    isReselected = false;
    isAwaited = true;
    return changes;
  }

  /** @param {() => void} told Called once after each reading, when somebody acted in the page. */
  function onAct(told) {
    tell = told;
  }

  shidiReader.changes = { begin, taken, ignore, act, onAct };
}
