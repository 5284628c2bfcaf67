/**
 * Notices what the person chooses in the forms of a page, from when Shidi was allowed to on its site until it no longer is.
 *
 * Listens to nothing before and after. Only what a person's own hand does counts: neither what the page sets, nor what
 * Shidi fills in. Values are read when they change, since a form may be gone when its button was pressed; they are told
 * of once somebody is done with the form.
 */
'use strict';

/** @typedef {{form: string, values: Choice[], button: string}} FormUse */
/**
 * @typedef {object} FormStory What was chosen in one form of this document.
 * @property {string} form
 * @property {Map<string, Chosen | null>} values By name, in the order in which they were touched first; nothing where
 *   several fields have that name, since nobody could say later which was meant.
 * @property {'changed' | 'paused' | 'finished'} state `paused`: told of, but nobody has said that this is all.
 */

var shidiOwn = shidiOwn || {};
{
  const dom = shidiReader.dom;
  const { chosenIn, isTick, isBuiltTick } = shidiReader.choices;
  const { labelText, nameOf, namedBy } = shidiReader.labels;
  const { roleOf } = shidiReader.parts;
  const { CHOICE_NAME_MAX_CHARS, CHOICES_MAX, CHOICE_FORMS_MAX } = shidiReader.limits;

  /** A form that applies at once has no button: somebody who changes nothing for this long is done. */
  const LULL_MS = 20_000;

  const GROUP = 'form, [role=form], [role=search], dialog, [role=dialog]';
  const TITLE = 'h1, h2, h3, h4, h5, h6, [role=heading]';
  const LEGEND = 'fieldset > legend';

  /** The first heading of a page names what it shows, not its forms. */
  const TITLE_BEFORE = 'h2, h3, h4, h5, h6';
  const PRESSED = 'button, input, [role=button], [role=checkbox], [role=switch], [role=radio]';

  /** Buttons that only open something, or are a choice themselves. */
  const NOT_DONE = '[aria-haspopup]:not([aria-haspopup=false]), [aria-expanded], [aria-pressed]';

  /** Browsers make a click of a key on these by themselves. */
  const CLICKED_BY_KEYS = 'button, input, select, textarea, summary, a[href]';

  /** @type {AbortController | null} */
  let listening = null;
  /** @type {(used: FormUse) => void} */
  let tell = () => undefined;
  /** @type {Map<Node, FormStory>} */
  const stories = new Map();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let lull;
  /** @type {WeakSet<Node>} */
  let heardRoots = new WeakSet();

  /**
   * Whether the last hand in a field was the person's.
   * @type {WeakMap<Element, boolean>}
   */
  let hands = new WeakMap();
  /** @type {Element | null} */
  let typedInto = null;

  /** @param {(used: FormUse) => void} told */
  function begin(told) {
    tell = told;
    if (listening !== null) return;
    listening = new AbortController();
    listen(window, 'change', changed);
    listen(window, 'submit', submitted);
    listen(window, 'click', clicked);
    listen(window, 'keydown', keyed);
    listen(window, 'keypress', entered);
    listen(window, 'beforeinput', typing);
    listen(window, 'input', typed);
    listen(document, 'visibilitychange', () => {
      if (dom.visibilityOf(document) === 'hidden') pause();
    });
  }

  /** Nobody is to be noticed any more: what was noted is forgotten. */
  function end() {
    listening?.abort();
    listening = null;
    clearTimeout(lull);
    stories.clear();
    heardRoots = new WeakSet();
    hands = new WeakMap();
    typedInto = null;
  }

  /** The page is left: what was noted is told first. */
  function leave() {
    pause();
    end();
  }

  /**
   * @param {EventTarget} target
   * @param {string} event
   * @param {(event: Event) => void} heard
   */
  function listen(target, event, heard) {
    // The controller ends them all, also those within shadow roots.
    const how = { capture: true, passive: true, signal: listening?.signal };
    EventTarget.prototype.addEventListener.call(target, event, heard, how);
  }

  // ---- what a person does ----

  /** @param {Event} event */
  function changed(event) {
    const field = elementOf(event);
    if (field === null || !event.isTrusted) return;
    // Browsers tell of a tick that a script has clicked on, and of a text that one has typed, as of a real one.
    const isReal = isTick(field) ? hands.get(field) === true : hands.get(field) !== false;
    if (isReal) note(field);
  }

  /** @param {Event} event */
  function typing(event) {
    // No script brings this about, whichever way it types.
    if (event.isTrusted) typedInto = elementOf(event);
  }

  /** @param {Event} event */
  function typed(event) {
    const field = elementOf(event);
    if (field === null || !event.isTrusted) return;
    hearRootOf(field);
    if (!(event instanceof InputEvent) || event.inputType === '') return;
    hands.set(field, typedInto === field);
    typedInto = null;
  }

  /**
   * Changes and submits do not leave a shadow root; that something is put into a field does, and comes first.
   * @param {Element} field
   */
  function hearRootOf(field) {
    const root = Node.prototype.getRootNode.call(field);
    if (root === document || heardRoots.has(root) || !dom.isShadow(root)) return;
    heardRoots.add(root);
    listen(root, 'change', changed);
    listen(root, 'submit', submitted);
  }

  /** @param {Event} event */
  function clicked(event) {
    const target = elementOf(event);
    if (target === null) return;
    // A click on a label is followed by one on its tick, of which browsers say the same.
    if (isTick(target)) hands.set(target, event.isTrusted);
    if (event.isTrusted) press(target);
  }

  /** @param {Event} event */
  function keyed(event) {
    if (!event.isTrusted || !(event instanceof KeyboardEvent) || event.repeat) return;
    if (event.key !== 'Enter' && event.key !== ' ') return;
    const target = elementOf(event);
    if (target !== null && dom.matches(target, PRESSED) && !dom.matches(target, CLICKED_BY_KEYS)) press(target);
  }

  /** @param {Event} event */
  function entered(event) {
    if (!event.isTrusted || !(event instanceof KeyboardEvent) || event.key !== 'Enter') return;
    const field = elementOf(event);
    if (field === null || dom.localName(field) !== 'input') return;
    // The change of the field, and the button of a real form, come of this key; a form without one is done by it.
    const group = groupOf(field);
    later(() => finish(group, ''));
  }

  /** @param {Event} event */
  function submitted(event) {
    const form = elementOf(event);
    if (form !== null && event.isTrusted) finish(form, '');
  }

  /** @param {Element} target */
  function press(target) {
    const pressed = nearest(target, PRESSED);
    if (pressed === null) return;
    if (isBuiltTick(pressed)) {
      const before = dom.attributeOf(pressed, 'aria-checked');
      later(() => {
        if (dom.attributeOf(pressed, 'aria-checked') !== before) note(pressed);
      });
    } else if (isButton(pressed)) {
      if (dom.attributeOf(pressed, 'type').toLowerCase() === 'reset') stories.delete(groupOf(pressed));
      else finish(groupOf(pressed), nameOf(pressed));
    }
  }

  /** @param {Element} element */
  function isButton(element) {
    const isOne =
      dom.localName(element) === 'input'
        ? /^(?:submit|button|image|reset)$/i.test(dom.attributeOf(element, 'type'))
        : /^(?:button)?$/.test(roleOf(element));
    return isOne && !dom.matches(element, NOT_DONE);
  }

  /**
   * Does something once the page has had its turn, unless nothing is noticed any more by then.
   * @param {() => void} act
   */
  function later(act) {
    const then = listening;
    setTimeout(() => {
      if (listening !== null && listening === then) act();
    });
  }

  // ---- where it happens ----

  /**
   * The innermost element that an event is about, within open shadow roots too.
   * @param {Event} event
   * @returns {Element | null}
   */
  function elementOf(event) {
    const [target] = event.composedPath();
    return target instanceof Element ? target : null;
  }

  /**
   * @param {Element} element
   * @param {string} selector
   * @returns {Element | null}
   */
  function nearest(element, selector) {
    for (let at = /** @type {Element | null} */ (element); at !== null;) {
      const found = dom.closest(at, selector);
      if (found !== null) return found;
      const root = Node.prototype.getRootNode.call(at);
      at = dom.isShadow(root) ? dom.hostOf(root) : null;
    }
    return null;
  }

  /**
   * The form that a field or button belongs to: the one that it names, the one around it, or the page as a whole.
   * @param {Element} element
   * @returns {Node}
   */
  function groupOf(element) {
    const form = dom.named(element, dom.attributeOf(element, 'form'));
    return (form !== null && dom.localName(form) === 'form' ? form : nearest(element, GROUP)) ?? document;
  }

  /** @param {Node} group */
  function formName(group) {
    // What a page is called changes with what it shows.
    if (!dom.isElement(group)) return '';
    const by = namedBy(group, 'aria-labelledby').map((one) => labelText(one));
    const title = titleOf(group);
    const said = by.join(' ') || dom.attributeOf(group, 'aria-label').trim();
    const named = said || (title === null ? '' : labelText(title));
    // What its page calls it is better than nothing: forms must not be taken for one another.
    return (named || dom.attributeOf(group, 'name') || dom.attributeOf(group, 'id')).slice(0, CHOICE_NAME_MAX_CHARS);
  }

  /**
   * The heading in a form, or just before it. A legend is its fields' own, unless there is one for all of them.
   * @param {Element} group
   * @returns {Element | null}
   */
  function titleOf(group) {
    const within = dom.one(group, TITLE);
    if (within !== null) return within;
    const legends = dom.all(group, LEGEND);
    const field = dom.one(group, 'input:not([type=hidden i]), select, textarea');
    const covers = field !== null && legends[0] !== undefined && dom.closest(field, 'fieldset') !== null;
    if (legends.length === 1 && covers) return legends[0] ?? null;
    let before = dom.previousSibling(group);
    while (before !== null && !dom.isElement(before)) before = dom.previousSibling(before);
    return before !== null && dom.isElement(before) && dom.matches(before, TITLE_BEFORE) ? before : null;
  }

  // ---- what becomes of it ----

  /** @param {Element} field */
  function note(field) {
    const chosen = chosenIn(field);
    if (chosen === null) return;
    const story = storyOf(groupOf(field));
    const { name } = chosen.choice;
    const known = story.values.get(name);
    if (known === undefined && story.values.size >= CHOICES_MAX) return;
    // A page may have drawn the field anew.
    const isSame = !known || known.first === chosen.first || !dom.isConnected(known.first);
    story.values.set(name, known === null || !isSame ? null : chosen);
    story.state = 'changed';
    clearTimeout(lull);
    lull = setTimeout(pause, LULL_MS);
  }

  /**
   * @param {Node} group
   * @returns {FormStory}
   */
  function storyOf(group) {
    const known = stories.get(group);
    if (known !== undefined) return known;
    const [oldest] = stories;
    if (oldest !== undefined && stories.size >= CHOICE_FORMS_MAX) {
      if (oldest[1].state === 'changed') say(oldest[1], '');
      stories.delete(oldest[0]);
    }
    /** @type {FormStory} */
    const story = { form: formName(group), values: new Map(), state: 'changed' };
    stories.set(group, story);
    return story;
  }

  /**
   * Somebody is done with a form, and with those within it: buttons of dialogs stand beside their form.
   * @param {Node} group
   * @param {string} button
   */
  function finish(group, button) {
    for (const [of, story] of stories) {
      const isMeant = of === group || (group !== document && Node.prototype.contains.call(group, of));
      if (!isMeant || story.state === 'finished') continue;
      story.state = 'finished';
      say(story, button);
    }
  }

  /** Nobody changes anything more for now, or looks at the page. */
  function pause() {
    for (const story of stories.values()) {
      if (story.state !== 'changed') continue;
      story.state = 'paused';
      say(story, '');
    }
  }

  /**
   * @param {FormStory} story
   * @param {string} button
   */
  function say({ form, values }, button) {
    const told = [...values.values()].flatMap((one) => (one === null || one.choice.value === null ? [] : [one.choice]));
    if (told.length > 0) tell({ form, values: told, button });
  }

  shidiOwn.forms = { begin, end, leave };
}
