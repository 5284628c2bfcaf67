/**
 * What is wrong with a field, in the words of its page. Says nothing of a field that nobody has touched yet.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  const dom = shidiReader.dom;
  const { labelText, namedBy } = shidiReader.labels;
  const { LABEL_MAX_CHARS } = shidiReader.limits;

  const FAULTY =
    /(?:^|[^a-z])(?:err(?:ors?|or-?(?:message|text|label|msg))?|invalid|invalid-?feedback|danger|has-error|explain-error|wrong|validation|warn(?:ing)?|red|fault|alert)(?![a-z])/;
  const FIELDS =
    'input:not([type=hidden i]):not([type=submit i]):not([type=button i]):not([type=reset i]), select, textarea';
  const LEVELS_MAX = 6;
  const MESSAGE_MAX_CHARS = 240;

  /** The box of one field says no more than this. */
  const BOX_MAX_CHARS = 190;

  /** Longer parts hold more than a message. */
  const CANDIDATES_MAX = 40;

  /**
   * @param {Element} field
   * @param {Element[]} fields All that belong to it: several of a group.
   * @returns {string} Empty where nothing is said to be wrong.
   */
  function problemOf(field, fields = [field]) {
    return (
      said(fields.flatMap((one) => namedBy(one, 'aria-errormessage'))) ||
      described(fields) ||
      beside(field, fields) ||
      summarised(fields) ||
      ofBrowser(field)
    ).slice(0, LABEL_MAX_CHARS);
  }

  /**
   * Whether its page says that a field is wrong.
   * @param {Element} field
   */
  function isInvalid(field) {
    return /^(?:true|grammar|spelling)$/.test(dom.attributeOf(field, 'aria-invalid')) || isUserInvalid(field);
  }

  /** @param {Element} field */
  function isUserInvalid(field) {
    try {
      return dom.matches(field, ':user-invalid');
    } catch {
      // An older browser does not know when a person has touched a field.
      return false;
    }
  }

  /** @param {Element[]} elements */
  function said(elements) {
    return elements.filter(isSeen).map(messageOf).filter(Boolean).join(' ');
  }

  /** @param {Element} element */
  function isSeen(element) {
    if (!Element.prototype.checkVisibility.call(element, { checkOpacity: true, checkVisibilityCSS: true }))
      return false;
    const { width, height } = dom.boxOf(element);
    return width > 1 && height > 1;
  }

  /** @param {Element} element */
  function messageOf(element) {
    const hidden = dom.all(element, '*').find((one) => !isSeen(one) && labelText(one) !== '');
    const text = labelText(element, hidden);
    return text.length <= MESSAGE_MAX_CHARS ? text : '';
  }

  /** @param {Element[]} fields */
  function described(fields) {
    const groups = fields
      .map((field) => dom.closest(field, 'fieldset, [role=radiogroup], [role=group]'))
      .filter((one) => one !== null);
    const by = [...new Set([...fields, ...groups].flatMap((one) => namedBy(one, 'aria-describedby')))].filter(isSeen);
    const faulty = by.filter(looksFaulty);
    if (faulty.length > 0) return said(faulty);
    return fields.some(isInvalid) ? said(by) : '';
  }

  /**
   * Whether an element looks like a message about a fault: by its name, its role or its colour.
   * @param {Element} element
   * @returns {boolean}
   */
  function looksFaulty(element) {
    if (FAULTY.test(dom.hintOf(element)) || dom.attributeOf(element, 'role') === 'alert') return true;
    const [red = 0, green = 0, blue = 0] = [...getComputedStyle(element).color.matchAll(/[\d.]+/g)].map(Number);
    if (red - Math.max(green, blue) > 90) return true;
    const inner = dom.firstElement(element);
    return inner !== null && dom.nextSibling(inner) === null && dom.firstChild(element) === inner && looksFaulty(inner);
  }

  /**
   * A message within the box of the field, or after it and before the next field.
   * @param {Element} field
   * @param {Element[]} fields
   */
  function beside(field, fields) {
    const box = boxAround(field, fields);
    const inside = dom.all(box, '*').slice(0, CANDIDATES_MAX * 4);
    const message = box === field ? '' : firstMessage(inside);
    if (message !== '') return message;
    const after = [];
    const last = fields.at(-1) ?? field;
    for (let node = dom.nextSibling(last); node !== null; node = dom.nextSibling(node)) {
      if (!dom.isElement(node)) continue;
      if (dom.matches(node, FIELDS) || dom.one(node, FIELDS) !== null || dom.localName(node) === 'label') break;
      after.push(node, ...dom.all(node, '*'));
    }
    return firstMessage(after.slice(0, CANDIDATES_MAX));
  }

  /** @param {Element[]} elements */
  function firstMessage(elements) {
    for (const element of elements) {
      if (dom.localName(element) === 'label' || dom.matches(element, 'label *, legend *, button, option')) continue;
      if (!looksFaulty(element) || !isSeen(element)) continue;
      const text = messageOf(element);
      if (/\p{L}{2}/u.test(text) && dom.one(element, FIELDS) === null) return text;
    }
    return '';
  }

  /**
   * The largest part of the form that holds no other field.
   * @param {Element} field
   * @param {Element[]} fields
   * @returns {Element}
   */
  function boxAround(field, fields) {
    let box = field;
    for (let level = 0; level < LEVELS_MAX; level += 1) {
      const parent = dom.parentOf(box);
      if (
        parent === null ||
        !dom.isElement(parent) ||
        /^(?:form|body|main|fieldset|table|section)$/.test(dom.localName(parent))
      )
        break;
      const others = dom.all(parent, FIELDS).filter((one) => !fields.includes(one));
      if (others.length > 0 || labelText(parent).length >= BOX_MAX_CHARS) break;
      box = parent;
    }
    return box;
  }

  /**
   * A list of what is wrong leads to each field.
   * @param {Element[]} fields
   */
  function summarised(fields) {
    for (const field of fields) {
      const id = dom.attributeOf(field, 'id');
      if (id === '') continue;
      const root = Node.prototype.getRootNode.call(field);
      const links = dom.all(root, `a[href="#${CSS.escape(id)}"]`).filter(isSeen);
      const link = links.find((one) =>
        dom.closest(one, '[role=alert], [class*=error i], [class*=invalid i], [id*=error i]'),
      );
      if (link !== undefined) return messageOf(link);
    }
    return '';
  }

  /** @param {Element} field */
  function ofBrowser(field) {
    if (!isUserInvalid(field)) return '';
    for (const type of [HTMLInputElement, HTMLSelectElement, HTMLTextAreaElement]) {
      const get = Object.getOwnPropertyDescriptor(type.prototype, 'validationMessage')?.get;
      try {
        return String(get?.call(field) ?? '');
      } catch {
        continue;
      }
    }
    return '';
  }

  shidiReader.problems = { problemOf, isInvalid };
}
