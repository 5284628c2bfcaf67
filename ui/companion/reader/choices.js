/**
 * What is chosen in a field now: what the field is called, its value, and what else there was to choose.
 *
 * Never of a field that holds a secret, what a person is called or where they live, or a text of several lines: forms are
 * learned from for what people prefer, and not for what they write.
 */
'use strict';

/**
 * @typedef {object} Choice
 * @property {string} name
 * @property {'choice' | 'choices' | 'switch' | 'number' | 'text'} kind
 * @property {string | string[] | boolean | number | null} value Nothing where it is no value, or too long to be one.
 * @property {string[]} [options]
 */
/** @typedef {{choice: Choice, first: Element}} Chosen `first`: the first element of the field, by which it is known again. */

var shidiReader = shidiReader || {};
{
  const dom = shidiReader.dom;
  const { fields, labels } = shidiReader;
  const { roleOf } = shidiReader.parts;
  const { isSecret } = shidiReader.secrets;
  const { CHOICE_NAME_MAX_CHARS, CHOICE_VALUE_MAX_CHARS, CHOICE_OPTIONS_MAX, CHOICE_OPTION_MAX_CHARS } =
    shidiReader.limits;

  /** Types whose values are never preferences. */
  const NEVER = new Set('password hidden file email tel url color submit button reset image'.split(' '));
  const NUMBERS = new Set(['number', 'range']);

  /** Roles of fields that a page has built itself, and that are pressed. */
  const PRESSED = new Set(['checkbox', 'switch', 'radio']);

  /** What browsers fill in for a person, by the words of `autocomplete`. */
  const PERSONAL = new RegExp(
    [
      /(?:honorific|given|additional|family|cc|address|bday|organization|tel|transaction|country)(?:-[a-z0-9-]+)?/,
      /name|nickname|username|street-address|postal-code|sex|photo|impp|url|email|one-time-code|webauthn|[a-z]+-password/,
    ]
      .map(({ source }) => `^(?:${source})$`)
      .join('|'),
  );

  /** Pages rarely say what a field is for; then its label is asked. */
  const CALLED_PERSONAL = new RegExp(
    [
      /\b(?:e-?mail|phone|mobile|telephone|street|address|zip|postal|post ?code|birth\w*|user ?name|sur ?name|nick ?name)\b/,
      /\b(?:first|last|full|family|given|your|my) name\b|邮箱|邮件|电话|手机|地址|街道|邮编|姓名|名字|用户名|昵称|生日|出生|身份证|护照/,
    ]
      .map(({ source }) => source)
      .join('|'),
    'i',
  );

  /**
   * @param {Element} field An element that was changed or pressed.
   * @returns {Chosen | null} Nothing for what is no field, or one that is never looked at.
   */
  function chosenIn(field) {
    const kind = kindOf(field);
    if (kind === '' || isPersonal(field)) return null;
    const members = membersOf(field);
    const [first = field] = members;
    const name = nameOf(field, members).slice(0, CHOICE_NAME_MAX_CHARS);
    if (name === '' || members.some((one) => isSecret(one, name))) return null;
    const value = valueOf(field, kind, members);
    const options = optionsOf(field, kind, members);
    return { choice: { name, kind, value, ...(options.length === 0 ? {} : { options }) }, first };
  }

  /** @param {Element} field */
  function kindOf(field) {
    if (dom.namespaceURI(field) !== dom.HTML) return '';
    const name = dom.localName(field);
    if (name === 'select') return dom.hasAttribute(field, 'multiple') ? 'choices' : 'choice';
    if (name === 'input') return inputKind(field);
    const role = roleOf(field);
    return role === 'radio' ? 'choice' : PRESSED.has(role) ? 'switch' : '';
  }

  /** @param {Element} field */
  function inputKind(field) {
    const type = typeOf(field);
    if (NEVER.has(type)) return '';
    if (type === 'radio') return 'choice';
    if (type === 'checkbox') return membersOf(field).length > 1 ? 'choices' : 'switch';
    if (NUMBERS.has(type)) return 'number';
    // In a list of a page's own make, what was typed is not what was chosen.
    return roleOf(field) === 'combobox' ? '' : 'text';
  }

  /** @param {Element} field */
  function typeOf(field) {
    return dom.localName(field) === 'input' ? dom.attributeOf(field, 'type').trim().toLowerCase() || 'text' : '';
  }

  /**
   * Whether a field is ticked by a click, be it the browser's or the page's own.
   * @param {Element} element
   */
  function isTick(element) {
    return /^(?:checkbox|radio)$/.test(typeOf(element)) || isBuiltTick(element);
  }

  /** @param {Element} element */
  function isBuiltTick(element) {
    return dom.localName(element) !== 'input' && PRESSED.has(roleOf(element));
  }

  /** @param {Element} field */
  function isPersonal(field) {
    const words = dom.attributeOf(field, 'autocomplete').toLowerCase().split(/\s+/);
    return words.some((word) => PERSONAL.test(word));
  }

  /**
   * Whether a text says who its person is: by its label, or as an address of mail does.
   * @param {string} name
   * @param {string} text
   */
  function saysWho(name, text) {
    return CALLED_PERSONAL.test(name) || /^\S+@\S+\.\S+$/.test(text.trim());
  }

  /**
   * The elements that make up one field.
   * @param {Element} field
   * @returns {Element[]}
   */
  function membersOf(field) {
    const type = typeOf(field);
    if (type === 'radio' || type === 'checkbox') return fields.membersOf(field, type);
    if (type !== '' || roleOf(field) !== 'radio') return [field];
    const group = dom.closest(field, '[role=radiogroup]');
    return group === null ? [field] : dom.all(group, '[role=radio]').slice(0, shidiReader.limits.OPTIONS_MAX);
  }

  /**
   * @param {Element} field
   * @param {Element[]} members
   * @returns {string}
   */
  function nameOf(field, members) {
    if (typeOf(field) === 'radio' || members.length > 1) return fields.groupLabel(members);
    if (!isBuiltTick(field)) return labels.labelOf(field);
    // One that stands alone, without its question, says nothing.
    return roleOf(field) === 'radio' ? '' : labels.nameOf(field) || labels.labelOf(field);
  }

  /**
   * @param {Element} field
   * @param {Choice['kind']} kind
   * @param {Element[]} members
   * @returns {Choice['value']}
   */
  function valueOf(field, kind, members) {
    if (kind === 'switch') return fields.isChecked(field);
    if (kind === 'choice' || kind === 'choices') {
      const chosen =
        dom.localName(field) === 'select'
          ? fields.selectedIn(field).map(fields.optionName)
          : members.filter(fields.isChecked).map(choiceName);
      if (chosen.length > CHOICE_OPTIONS_MAX || !chosen.every(fits)) return null;
      return kind === 'choices' ? chosen : (chosen[0] ?? null);
    }
    const text = fields.written(field);
    if (kind === 'number') return text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
    return fits(text) && !saysWho(nameOf(field, members), text) ? text : null;
  }

  /** @param {string} text */
  function fits(text) {
    return text.length <= CHOICE_VALUE_MAX_CHARS;
  }

  /**
   * @param {Element} field
   * @param {Choice['kind']} kind
   * @param {Element[]} members
   * @returns {string[]}
   */
  function optionsOf(field, kind, members) {
    if (kind !== 'choice' && kind !== 'choices') return [];
    const names = dom.localName(field) === 'select' ? fields.optionsIn(field) : members.map(choiceName);
    return names
      .filter(Boolean)
      .slice(0, CHOICE_OPTIONS_MAX)
      .map((name) => name.slice(0, CHOICE_OPTION_MAX_CHARS));
  }

  /** @param {Element} member */
  function choiceName(member) {
    return dom.localName(member) === 'input' ? fields.choiceOf(member) : labels.nameOf(member);
  }

  shidiReader.choices = { chosenIn, isTick, isBuiltTick };
}
