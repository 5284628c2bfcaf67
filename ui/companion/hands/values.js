/**
 * Puts values into fields in the ways that pages notice, and says why a value does not fit.
 *
 * A page's framework watches the field's own property: the browser's setter is used, and the events that follow typing.
 */
'use strict';

/** @typedef {{done: true, back: (() => void) | null} | {done: false, reason: string}} Put `back` puts the field as it was before, where that is possible. */

var shidiHands = shidiHands || {};
{
  const dom = shidiReader.dom;
  const { fields } = shidiReader;
  const { names } = shidiHands;

  /** Longer than anybody writes into a field. */
  const VALUE_MAX_CHARS = 100_000;
  const OPTIONS_TOLD_MAX = 20;
  const DATE = /^\d{4}-\d{2}-\d{2}$/;
  const TIME = /^\d{2}:\d{2}(?::\d{2})?$/;

  /**
   * How types must be written, and what that is called.
   * @type {Map<string, [RegExp, string]>}
   */
  const FORMS = new Map([
    ['date', [DATE, 'a date is written like 2026-01-31']],
    ['time', [TIME, 'a time is written like 09:30']],
    ['datetime-local', [/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?$/, 'a moment is written like 2026-01-31T09:30']],
    ['month', [/^\d{4}-\d{2}$/, 'a month is written like 2026-01']],
    ['week', [/^\d{4}-W\d{2}$/, 'a week is written like 2026-W05']],
    ['color', [/^#[0-9a-f]{6}$/i, 'a colour is written like #1a2b3c']],
    ['number', [/^[-+]?\d*\.?\d+(?:e[-+]?\d+)?$/i, 'only a number fits here']],
    ['range', [/^[-+]?\d*\.?\d+$/, 'only a number fits here']],
  ]);

  /**
   * Calls the browser's own setter, whatever the page has put in its place.
   * @param {Element} field
   * @param {string} property
   * @param {unknown} value
   */
  function set(field, property, value) {
    const types = {
      input: HTMLInputElement,
      textarea: HTMLTextAreaElement,
      select: HTMLSelectElement,
      option: HTMLOptionElement,
    };
    const type = types[/** @type {keyof typeof types} */ (dom.localName(field))];
    Object.getOwnPropertyDescriptor(type.prototype, property)?.set?.call(field, value);
  }

  /**
   * @param {Element} field
   * @param {string} data What was typed.
   */
  function tell(field, data) {
    const how = { bubbles: true, composed: true };
    EventTarget.prototype.dispatchEvent.call(field, new InputEvent('input', { ...how, inputType: 'insertText', data }));
    EventTarget.prototype.dispatchEvent.call(field, new Event('change', how));
  }

  /** @param {Element} field */
  function focus(field) {
    HTMLElement.prototype.focus.call(field, { preventScroll: true });
  }

  /**
   * Why nothing may be written into a field; nothing where it may.
   * @param {Element} field
   * @returns {string | null}
   */
  function refusal(field) {
    if (shidiReader.secrets.isSecret(field)) return 'this field holds a secret: only the person types there';
    if (names.isDisabled(field)) return 'the field is disabled';
    if (names.isReadOnly(field)) return 'the field can only be read';
    return dom.attributeOf(field, 'type').toLowerCase() === 'file' ? 'only the person chooses a file' : null;
  }

  /**
   * @param {Element} field
   * @param {string} value
   * @returns {Put}
   */
  function put(field, value) {
    if (value.length > VALUE_MAX_CHARS)
      return { done: false, reason: `the value is longer than ${VALUE_MAX_CHARS} characters` };
    const name = dom.localName(field);
    const type = dom.attributeOf(field, 'type').toLowerCase();
    if (name === 'select') return choose(field, value);
    if (name === 'input' && type === 'checkbox') return tick(field, value);
    if (name === 'input' && type === 'radio') return pick(field, value);
    if (name === 'input' || name === 'textarea') return write(field, value, type);
    const role = names.roleOf(field);
    if (role === 'checkbox' || role === 'switch') return tick(field, value);
    if (names.isEditable(field)) return compose(field, value);
    return { done: false, reason: 'this field is of the page’s own make: click it and choose' };
  }

  /**
   * @param {Element} field
   * @param {string} value
   * @param {string} type
   * @returns {Put}
   */
  function write(field, value, type) {
    const reason = misfit(field, value, type);
    if (reason !== null) return { done: false, reason };
    const before = fields.written(field);
    focus(field);
    set(field, 'value', value);
    // Browsers change or refuse what is no value of the type.
    const said = fields.written(field);
    const isTaken = said === value || dom.localName(field) === 'textarea' || said === value.toLowerCase();
    if (!isTaken) {
      const [, form] = FORMS.get(type) ?? [];
      set(field, 'value', before);
      return { done: false, reason: form ?? 'the browser does not take this value for the field' };
    }
    tell(field, value);
    return { done: true, back: () => void restore(field, before) };
  }

  /**
   * @param {Element} field
   * @param {string} before
   */
  function restore(field, before) {
    focus(field);
    set(field, 'value', before);
    tell(field, before);
  }

  /**
   * @param {Element} field
   * @param {string} value
   * @param {string} type
   * @returns {string | null}
   */
  function misfit(field, value, type) {
    if (value === '') return null;
    const [form, said] = FORMS.get(type) ?? [];
    if (form !== undefined && !form.test(value)) return said ?? '';
    const most = Number.parseInt(dom.attributeOf(field, 'maxlength'), 10);
    if (most >= 0 && value.length > most) return `at most ${most} characters fit here`;
    if (type !== 'number' && type !== 'range') return null;
    const [min, max] = ['min', 'max'].map((bound) => Number.parseFloat(dom.attributeOf(field, bound)));
    if (min !== undefined && Number(value) < min) return `at least ${min} fits here`;
    return max !== undefined && Number(value) > max ? `at most ${max} fits here` : null;
  }

  /**
   * @param {Element} field
   * @param {string} value
   * @returns {Put}
   */
  function choose(field, value) {
    const options = dom.all(field, 'option');
    const option =
      alike(options, value, fields.optionName) ??
      options.find((one) => dom.attributeOf(one, 'value') === value && value !== '');
    if (option === undefined) {
      const known = options.map(fields.optionName).filter(Boolean).slice(0, OPTIONS_TOLD_MAX);
      return { done: false, reason: `there is no such option; there are: ${known.join(', ')}` };
    }
    if (names.isDisabled(option)) return { done: false, reason: 'this option is disabled' };
    const before = options.filter(isChosen);
    focus(field);
    set(option, 'selected', true);
    tell(field, value);
    const back = () => {
      for (const one of options) set(one, 'selected', before.includes(one));
      tell(field, '');
    };
    return { done: true, back };
  }

  /** @param {Element} option */
  function isChosen(option) {
    return Object.getOwnPropertyDescriptor(HTMLOptionElement.prototype, 'selected')?.get?.call(option) === true;
  }

  /**
   * The one of several that is called so: exactly, or at least nobody else.
   * @param {Element[]} elements
   * @param {string} value
   * @param {(element: Element) => string} nameOf
   */
  function alike(elements, value, nameOf) {
    const plain = (/** @type {string} */ text) => text.replace(/\s+/g, ' ').trim().toLowerCase();
    const exact = elements.find((one) => plain(nameOf(one)) === plain(value));
    if (exact !== undefined || plain(value) === '') return exact;
    const alikes = elements.filter((one) => plain(nameOf(one)).includes(plain(value)));
    return alikes.length === 1 ? alikes[0] : undefined;
  }

  /**
   * @param {Element} field
   * @param {string} value
   * @returns {Put}
   */
  function tick(field, value) {
    const isWanted = /^(?:checked|true|yes|on|1)$/i.test(value.trim());
    if (!isWanted && !/^(?:unchecked|false|no|off|0)$/i.test(value.trim()))
      return { done: false, reason: 'a tick is either checked or unchecked' };
    const before = fields.isChecked(field);
    const press = () => HTMLElement.prototype.click.call(field);
    if (before !== isWanted) press();
    if (dom.localName(field) === 'input' && fields.isChecked(field) !== isWanted)
      return { done: false, reason: 'the page has set the tick back' };
    return { done: true, back: () => void (fields.isChecked(field) !== before && press()) };
  }

  /**
   * @param {Element} field
   * @param {string} value
   * @returns {Put}
   */
  function pick(field, value) {
    const members = fields.membersOf(field);
    const member = alike(members, value, fields.choiceOf);
    if (member === undefined)
      return { done: false, reason: `there is no such choice; there are: ${members.map(fields.choiceOf).join(', ')}` };
    if (names.isDisabled(member)) return { done: false, reason: 'this choice is disabled' };
    const chosen = members.find(fields.isChecked);
    HTMLElement.prototype.click.call(member);
    const back = () => {
      if (chosen !== undefined) return HTMLElement.prototype.click.call(chosen);
      set(member, 'checked', false);
      tell(member, '');
    };
    return { done: true, back };
  }

  /**
   * @param {Element} field
   * @param {string} value
   * @returns {Put}
   */
  function compose(field, value) {
    const back = backOf(field);
    rewrite(field, value);
    return { done: true, back };
  }

  /**
   * @param {Element} field
   * @returns {(() => void) | null} Nothing where the text is more than text: what it was made of would be lost.
   */
  function backOf(field) {
    const before = dom.textContent(field) ?? '';
    return dom.firstElement(field) === null ? () => rewrite(field, before) : null;
  }

  /**
   * @param {Element} field
   * @param {string} text
   */
  function rewrite(field, text) {
    focus(field);
    const page = dom.ownerDocument(field) ?? document;
    const selection = Document.prototype.getSelection.call(page);
    selection?.selectAllChildren(field);
    typed(page, field, text);
  }

  /**
   * Types as a keyboard does: editors of pages hear it and keep their own account.
   * @param {Document} page
   * @param {Element} field
   * @param {string} text
   */
  function typed(page, field, text) {
    const isDone =
      text === ''
        ? Document.prototype.execCommand.call(page, 'delete')
        : Document.prototype.execCommand.call(page, 'insertText', false, text);
    if (isDone || text === '') return;
    const selection = Document.prototype.getSelection.call(page);
    const range = selection !== null && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
    if (range === null) return;
    range.deleteContents();
    range.insertNode(Document.prototype.createTextNode.call(page, text));
    range.collapse(false);
    tell(field, text);
  }

  shidiHands.values = { put, set, tell, focus, refusal, misfit, typed, restore, backOf };
}
