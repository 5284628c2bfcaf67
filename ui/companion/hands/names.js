/**
 * What an element is and what it is called, as assistive programs tell it: by these, hands find it and people approve.
 */
'use strict';

var shidiHands = shidiHands || {};
{
  const dom = shidiReader.dom;
  const { labelOf, nameOf: buttonName, labelText } = shidiReader.labels;

  const NAME_MAX_CHARS = 200;

  /** Roles that elements have by themselves. */
  const ROLES = new Map(
    Object.entries({
      button: 'button',
      textarea: 'textbox',
      summary: 'button',
      img: 'img',
      nav: 'navigation',
      main: 'main',
      form: 'form',
      dialog: 'dialog',
      table: 'table',
      tr: 'row',
      td: 'cell',
      th: 'columnheader',
      ul: 'list',
      ol: 'list',
      li: 'listitem',
      option: 'option',
      article: 'article',
      aside: 'complementary',
      details: 'group',
      fieldset: 'group',
      p: 'paragraph',
    }),
  );

  const INPUTS = new Map(
    Object.entries({
      checkbox: 'checkbox',
      radio: 'radio',
      range: 'slider',
      number: 'spinbutton',
      search: 'searchbox',
      submit: 'button',
      button: 'button',
      reset: 'button',
      image: 'button',
    }),
  );

  const FIELDS = new Set([
    'textbox',
    'searchbox',
    'combobox',
    'listbox',
    'checkbox',
    'radio',
    'switch',
    'slider',
    'spinbutton',
  ]);

  /**
   * @param {Element} element
   * @returns {string} Empty for what has none.
   */
  function roleOf(element) {
    const said = shidiReader.parts.roleOf(element);
    if (said !== '' && said !== 'none' && said !== 'presentation') return said;
    const name = dom.localName(element);
    if (name === 'a') return dom.hasAttribute(element, 'href') ? 'link' : '';
    if (/^h[1-6]$/.test(name)) return 'heading';
    if (name === 'select') return dom.hasAttribute(element, 'multiple') ? 'listbox' : 'combobox';
    if (name === 'input') return INPUTS.get(dom.attributeOf(element, 'type').trim().toLowerCase()) ?? 'textbox';
    return ROLES.get(name) ?? (isEditable(element) ? 'textbox' : '');
  }

  /** @param {Element} element */
  function isEditable(element) {
    return (
      /^(?:true|plaintext-only)?$/.test(dom.attributeOf(element, 'contenteditable')) &&
      dom.hasAttribute(element, 'contenteditable')
    );
  }

  /**
   * @param {Element} element
   * @returns {string}
   */
  function nameOf(element) {
    const role = roleOf(element);
    const said = FIELDS.has(role)
      ? labelOf(element)
      : role === 'img'
        ? dom.attributeOf(element, 'alt')
        : buttonName(element);
    return (said || labelText(element)).slice(0, NAME_MAX_CHARS);
  }

  /** @param {string} role */
  function isField(role) {
    return FIELDS.has(role);
  }

  /**
   * What can be seen of its state.
   * @param {Element} element
   * @returns {string[]}
   */
  function statesOf(element) {
    const states = [];
    if (isDisabled(element)) states.push('disabled');
    if (isReadOnly(element)) states.push('readonly');
    for (const state of ['checked', 'expanded', 'pressed', 'selected']) {
      const said = dom.attributeOf(element, `aria-${state}`);
      if (said === 'true') states.push(state);
      if (said === 'false' && state === 'expanded') states.push('collapsed');
    }
    if (dom.localName(element) === 'input' && shidiReader.fields.isChecked(element) && !states.includes('checked'))
      states.push('checked');
    if (dom.hasAttribute(element, 'required') || dom.attributeOf(element, 'aria-required') === 'true')
      states.push('required');
    if (shidiReader.problems.isInvalid(element)) states.push('invalid');
    if (isField(roleOf(element)) && shidiReader.secrets.isSecret(element)) states.push('secret');
    return states;
  }

  /** @param {Element} element */
  function isDisabled(element) {
    return dom.matches(element, ':disabled') || dom.closest(element, '[aria-disabled=true], [inert]') !== null;
  }

  /** @param {Element} element */
  function isReadOnly(element) {
    return dom.hasAttribute(element, 'readonly') || dom.attributeOf(element, 'aria-readonly') === 'true';
  }

  shidiHands.names = { roleOf, nameOf, isField, isEditable, statesOf, isDisabled, isReadOnly };
}
