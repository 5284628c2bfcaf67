/**
 * The fields of a page's own forms, with their labels, values and what is wrong with them. Never one that holds a secret.
 */
'use strict';

/**
 * @typedef {object} Field
 * @property {string} ref By which hands find it again.
 * @property {string} label
 * @property {string} kind
 * @property {string} value
 * @property {string} [problem]
 * @property {string[]} [options]
 * @property {true} [required]
 * @property {string} [group]
 */

var shidiReader = shidiReader || {};
{
  const dom = shidiReader.dom;
  const { isSecret } = shidiReader.secrets;
  const { labelOf, labelText, labelElement, groupOf, textAfter, textBefore } = shidiReader.labels;
  const { problemOf } = shidiReader.problems;
  const { FIELDS_MAX, OPTIONS_MAX, VALUE_MAX_CHARS, LABEL_MAX_CHARS } = shidiReader.limits;

  const NO_FIELDS = new Set(['hidden', 'submit', 'button', 'reset', 'image', 'password']);
  const KINDS = new Set('text email tel url number date time search checkbox radio range file color'.split(' '));
  const DATES = new Set(['datetime-local', 'month', 'week']);

  /** Roles of fields that a page has built itself. */
  const BUILT = new Map([
    ['combobox', 'select'],
    ['textbox', 'textarea'],
    ['searchbox', 'search'],
    ['switch', 'checkbox'],
    ['checkbox', 'checkbox'],
    ['slider', 'range'],
    ['spinbutton', 'number'],
  ]);

  /** What one types a question into. */
  const FINDING = new Set(['search', 'text', 'textarea']);

  /** Why a part is left out, where its fields are too. */
  const NOT_OWN = new Set(['newsletter', 'popup', 'paid', 'doubled', 'survey', 'account']);

  /**
   * @param {{prototype: object}} type
   * @param {string} name
   * @returns {(owner: Element) => unknown}
   */
  function own(type, name) {
    const get = Object.getOwnPropertyDescriptor(type.prototype, name)?.get;
    return (owner) => get?.call(owner);
  }

  const inputValue = own(HTMLInputElement, 'value');
  const inputChecked = own(HTMLInputElement, 'checked');
  const areaValue = own(HTMLTextAreaElement, 'value');
  const selected = own(HTMLSelectElement, 'selectedOptions');
  const optionsOf = own(HTMLSelectElement, 'options');
  const optionText = own(HTMLOptionElement, 'text');

  /**
   * @param {Walk} found
   * @returns {{fields: Field[], asides: Set<Field>, isCut: boolean}} `asides`: search boxes in the bars of a page.
   */
  function fieldsOf({ parts }) {
    /** @type {Field[]} */
    const fields = [];
    const asides = new Set();
    const seen = new Set();
    for (const part of parts) {
      const kind = kindOf(part);
      if (kind === '' || part.element === null || seen.has(part.element) || !isOwn(part, kind)) continue;
      if (fields.length >= FIELDS_MAX) return { fields, asides, isCut: true };
      const members = kind === 'radio' ? membersOf(part.element) : [part.element];
      for (const one of members) seen.add(one);
      const field = fieldOf(part.element, kind, members);
      if (field === null) continue;
      fields.push(field);
      if (isAside(part)) asides.add(field);
    }
    return { fields, asides, isCut: false };
  }

  /** @param {Part} part */
  function isAside({ out }) {
    return out !== '' && out !== 'beside' && out !== 'outside';
  }

  /** @param {Part} part */
  function kindOf({ element, name, role, isMute }) {
    if (element === null || isMute) return '';
    if (name === 'select' || name === 'textarea') return name;
    if (name === 'input') {
      const type = dom.attributeOf(element, 'type').trim().toLowerCase() || 'text';
      if (NO_FIELDS.has(type)) return '';
      if (role === 'combobox' && dom.hasAttribute(element, 'readonly')) return 'select';
      return KINDS.has(type) ? type : DATES.has(type) ? 'date' : 'text';
    }
    const built = BUILT.get(role);
    if (built !== undefined) return built;
    return name !== 'body' && dom.attributeOf(element, 'contenteditable') === 'true' && role === '' ? 'textarea' : '';
  }

  /**
   * @param {Part} part
   * @param {string} kind
   */
  function isOwn(part, kind) {
    if (part.element === null || NOT_OWN.has(part.out) || (part.isUnsaid && part.isVeiled)) return false;
    if (isAside(part))
      return FINDING.has(kind) && (part.out === 'navigation' || part.out === 'bar' || part.out === 'header');
    if (dom.attributeOf(part.element, 'aria-hidden') === 'true' && !/^(?:checkbox|radio|file)$/.test(kind))
      return false;
    return !part.isVeiled || isShownByLabel(part.element, kind);
  }

  /**
   * A tick, a file or a built list may be drawn by its label alone.
   * @param {Element} element
   * @param {string} kind
   */
  function isShownByLabel(element, kind) {
    if (kind !== 'checkbox' && kind !== 'radio' && kind !== 'file' && kind !== 'select') return false;
    const label = labelElement(element);
    const shown = label ?? parentElement(element);
    if (
      shown === null ||
      !Element.prototype.checkVisibility.call(shown, { checkVisibilityCSS: true, checkOpacity: true })
    )
      return false;
    const { width, height, right, bottom } = dom.boxOf(shown);
    return width > 1 && height > 1 && right > 0 && bottom + window.scrollY > 0;
  }

  /** @param {Element} element */
  function parentElement(element) {
    const parent = dom.parentOf(element);
    return parent !== null && dom.isElement(parent) ? parent : null;
  }

  /**
   * The radio buttons, or ticks, of one question.
   * @param {Element} tick
   * @param {'radio' | 'checkbox'} [type]
   * @returns {Element[]}
   */
  function membersOf(tick, type = 'radio') {
    const name = dom.attributeOf(tick, 'name');
    if (name === '') return [tick];
    const root = dom.closest(tick, 'form') ?? Node.prototype.getRootNode.call(tick);
    const all = dom.all(root, `input[type=${type} i]`).filter((one) => dom.attributeOf(one, 'name') === name);
    return all.length === 0 ? [tick] : all.slice(0, OPTIONS_MAX);
  }

  /**
   * @param {Element} element
   * @param {string} kind
   * @param {Element[]} members
   * @returns {Field | null}
   */
  function fieldOf(element, kind, members) {
    const label = kind === 'radio' ? groupLabel(members) : labelOf(element);
    if (isSecret(element, label)) return null;
    const problem = problemOf(element, members);
    const options = kind === 'radio' ? members.map(choiceOf) : optionsIn(element);
    const group = kind === 'radio' ? '' : groupOf(element);
    return {
      ref: shidiHands.refs.refOf(element),
      label: label.slice(0, LABEL_MAX_CHARS),
      kind,
      value: valueOf(element, kind, members).slice(0, VALUE_MAX_CHARS),
      ...(problem === '' || problem === label ? {} : { problem }),
      ...(options.length === 0 ? {} : { options }),
      ...(dom.hasAttribute(element, 'required') || dom.attributeOf(element, 'aria-required') === 'true'
        ? { required: true }
        : {}),
      ...(group === '' || group === label ? {} : { group }),
    };
  }

  /** @param {Element[]} members */
  function groupLabel(members) {
    const [first] = members;
    if (first === undefined) return '';
    const group = groupOf(first);
    if (group !== '') return group;
    let at = /** @type {Element | null} */ (first);
    for (let level = 0; level < 4 && at !== null; level += 1) {
      const around = at;
      const isAll = members.every((one) => Node.prototype.contains.call(around, one));
      const before = isAll || level === 0 ? textBefore(at) : '';
      if (before !== '') return before;
      at = parentElement(at);
    }
    return labelOf(first);
  }

  /** @param {Element} radio */
  function choiceOf(radio) {
    const label = labelElement(radio);
    const text = (label === null ? '' : labelText(label)) || textAfter(radio) || dom.attributeOf(radio, 'aria-label');
    return (text || dom.attributeOf(radio, 'value')).slice(0, LABEL_MAX_CHARS);
  }

  /**
   * @param {Element} element
   * @returns {string[]}
   */
  function optionsIn(element) {
    if (dom.localName(element) !== 'select') return [];
    const options = /** @type {HTMLOptionsCollection} */ (optionsOf(element));
    return Array.from(options).slice(0, OPTIONS_MAX).map(optionName);
  }

  /**
   * @param {Element} select
   * @returns {Element[]}
   */
  function selectedIn(select) {
    return Array.from(/** @type {HTMLCollection} */ (selected(select)));
  }

  /** @param {Element} option */
  function optionName(option) {
    return String(optionText(option)).slice(0, LABEL_MAX_CHARS);
  }

  /**
   * @param {Element} element
   * @param {string} kind
   * @param {Element[]} members
   * @returns {string}
   */
  function valueOf(element, kind, members) {
    switch (kind) {
      case 'checkbox':
        return isChecked(element) ? 'checked' : 'unchecked';
      case 'radio': {
        const chosen = members.find(isChecked);
        return chosen === undefined ? '' : choiceOf(chosen);
      }
      case 'file':
        return '';
      default:
        return dom.localName(element) === 'input' && kind === 'select' ? builtChoice(element) : written(element);
    }
  }

  /** @param {Element} element */
  function isChecked(element) {
    if (dom.localName(element) === 'input') return inputChecked(element) === true;
    return dom.attributeOf(element, 'aria-checked') === 'true';
  }

  /**
   * What a list of a page's own make shows as chosen: it stands beside the field that one types into.
   * @param {Element} element
   */
  function builtChoice(element) {
    const typed = String(inputValue(element) ?? '');
    if (typed !== '') return typed;
    for (let at = parentElement(element), level = 0; at !== null && level < 3; at = parentElement(at), level += 1) {
      const text = labelText(at);
      if (text !== '') return text;
    }
    return '';
  }

  /** @param {Element} element */
  function written(element) {
    switch (dom.localName(element)) {
      case 'input':
        return String(inputValue(element) ?? '');
      case 'textarea':
        return String(areaValue(element) ?? '');
      case 'select':
        return selectedIn(element)
          .map((option) => String(optionText(option)))
          .join(', ');
      default: {
        const slider = dom.attributeOf(element, 'aria-valuetext') || dom.attributeOf(element, 'aria-valuenow');
        return slider || labelText(element);
      }
    }
  }

  /**
   * What a field shows, for a table that it stands in; nothing of a secret one.
   * @param {Element} element
   * @returns {string}
   */
  function shownValue(element) {
    const type = dom.attributeOf(element, 'type').toLowerCase();
    if (NO_FIELDS.has(type) || type === 'checkbox' || type === 'radio' || type === 'file' || isSecret(element))
      return '';
    return written(element).slice(0, VALUE_MAX_CHARS);
  }

  shidiReader.fields = {
    fieldsOf,
    shownValue,
    kindOf,
    written,
    isChecked,
    membersOf,
    choiceOf,
    groupLabel,
    optionName,
    optionsIn,
    selectedIn,
  };
}
