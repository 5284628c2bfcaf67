/**
 * Asks the document, and no page can answer in its stead.
 *
 * A form with a field named `children`, or an image named `querySelector`, hides what the element or the document has
 * under that name. Here everything is taken from the prototypes of this script's own world. Nothing is ever changed.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  /**
   * The getter of a property, as a function of its owner.
   * @template {object} T
   * @template {keyof T & string} K
   * @param {{prototype: T}} type
   * @param {K} name
   * @returns {(owner: object) => T[K]}
   */
  function getterOf(type, name) {
    const get = Object.getOwnPropertyDescriptor(type.prototype, name)?.get;
    if (get === undefined) throw new TypeError(`The browser has no ${name}`);
    return (owner) => get.call(owner);
  }

  const firstChild = getterOf(Node, 'firstChild');
  const nextSibling = getterOf(Node, 'nextSibling');
  const previousSibling = getterOf(Node, 'previousSibling');
  const parentNode = getterOf(Node, 'parentNode');
  const firstElement = getterOf(Element, 'firstElementChild');
  const nodeType = getterOf(Node, 'nodeType');
  const textContent = getterOf(Node, 'textContent');
  const ownerDocument = getterOf(Node, 'ownerDocument');
  const isConnected = getterOf(Node, 'isConnected');
  const localName = getterOf(Element, 'localName');
  const namespaceURI = getterOf(Element, 'namespaceURI');
  const shadowRoot = getterOf(Element, 'shadowRoot');
  const dataOf = getterOf(CharacterData, 'data');
  const rootElement = getterOf(Document, 'documentElement');
  const bodyOf = getterOf(Document, 'body');
  const titleOf = getterOf(Document, 'title');
  const viewOf = getterOf(Document, 'defaultView');
  const visibilityOf = getterOf(Document, 'visibilityState');
  const activeElement = getterOf(Document, 'activeElement');
  const activeWithin = getterOf(ShadowRoot, 'activeElement');
  const frameDocument = getterOf(HTMLIFrameElement, 'contentDocument');
  const hostOf = getterOf(ShadowRoot, 'host');

  const ELEMENT = 1;
  const TEXT = 3;
  const HTML = 'http://www.w3.org/1999/xhtml';
  const { ATTRIBUTE_MAX_CHARS } = shidiReader.limits;

  /**
   * @param {Node | null} node
   * @returns {node is Element}
   */
  function isElement(node) {
    return node !== null && nodeType(node) === ELEMENT;
  }

  /**
   * @param {Element} element
   * @param {string} name
   * @returns {string} Empty where there is none.
   */
  function attributeOf(element, name) {
    const value = Element.prototype.getAttribute.call(element, name);
    return value === null ? '' : value.length > ATTRIBUTE_MAX_CHARS ? value.slice(0, ATTRIBUTE_MAX_CHARS) : value;
  }

  /**
   * An attribute in full, for addresses.
   * @param {Element} element
   * @param {string} name
   * @returns {string | null}
   */
  function wholeAttribute(element, name) {
    return Element.prototype.getAttribute.call(element, name);
  }

  /**
   * @param {Element} element
   * @param {string} name
   * @returns {boolean}
   */
  function hasAttribute(element, name) {
    return Element.prototype.hasAttribute.call(element, name);
  }

  /**
   * @param {Element} element
   * @returns {boolean}
   */
  function isPlain(element) {
    return !Element.prototype.hasAttributes.call(element);
  }

  /**
   * @param {Element} element
   * @param {string} selector
   * @returns {boolean}
   */
  function matches(element, selector) {
    return Element.prototype.matches.call(element, selector);
  }

  /**
   * @param {Element} element
   * @param {string} selector
   * @returns {Element | null}
   */
  function closest(element, selector) {
    return Element.prototype.closest.call(element, selector);
  }

  /**
   * @param {Node} root
   * @param {string} selector
   * @returns {Element[]}
   */
  function all(root, selector) {
    return Array.from(owner(root).querySelectorAll.call(root, selector));
  }

  /**
   * @param {Node} root
   * @param {string} selector
   * @returns {Element | null}
   */
  function one(root, selector) {
    return owner(root).querySelector.call(root, selector);
  }

  /**
   * Whose method finds things below a node.
   * @param {Node} root
   * @returns {ParentNode}
   */
  function owner(root) {
    const type = nodeType(root);
    return type === ELEMENT ? Element.prototype : type === 9 ? Document.prototype : DocumentFragment.prototype;
  }

  /**
   * The element that an attribute names by its id, within the same document or shadow root.
   * @param {Element} element
   * @param {string} id
   * @returns {Element | null}
   */
  function named(element, id) {
    if (id === '') return null;
    const root = Node.prototype.getRootNode.call(element);
    return one(root, `[id="${CSS.escape(id)}"]`);
  }

  /**
   * @param {Element} element
   * @returns {DOMRect}
   */
  function boxOf(element) {
    return Element.prototype.getBoundingClientRect.call(element);
  }

  /**
   * The nodes that a slot shows: what was given to it, else what stands in it.
   * @param {Element} slot
   * @returns {Node[]}
   */
  function slotted(slot) {
    const given = HTMLSlotElement.prototype.assignedNodes.call(slot);
    return given.length > 0 ? given : childrenOf(slot);
  }

  /**
   * @param {Node} node
   * @returns {Node[]}
   */
  function childrenOf(node) {
    const children = [];
    for (let child = firstChild(node); child !== null; child = nextSibling(child)) children.push(child);
    return children;
  }

  /**
   * The document of a frame of this site; nothing for one of another site.
   * @param {Element} frame
   * @returns {Document | null}
   */
  function documentIn(frame) {
    try {
      return frameDocument(frame);
    } catch {
      return null;
    }
  }

  /**
   * The frame of this site that an element stands in.
   * @param {Element} element
   * @returns {Element | null} Nothing for what stands in the page itself.
   */
  function frameOf(element) {
    const page = ownerDocument(element);
    return page === null || page === document ? null : (viewOf(page)?.frameElement ?? null);
  }

  /**
   * Also one within a frame, where everything has types of its own.
   * @param {Node} node
   * @returns {node is ShadowRoot}
   */
  function isShadow(node) {
    if (nodeType(node) !== 11) return false;
    try {
      return hostOf(node) !== null;
    } catch {
      return false;
    }
  }

  /**
   * The parent of a node as it is drawn: out of shadow roots and slots.
   * @param {Node} node
   * @returns {Node | null}
   */
  function parentOf(node) {
    const parent = parentNode(node);
    return parent !== null && isShadow(parent) ? hostOf(parent) : parent;
  }

  /**
   * The words of what identifies an element to its makers: `class` and `id`.
   * @param {Element} element
   * @returns {string} Small letters; words of joined names are apart.
   */
  function hintOf(element) {
    const said = `${attributeOf(element, 'class')} ${attributeOf(element, 'id')}`;
    return said.length < 3 ? '' : said.replace(/([a-z])(?=[A-Z])/g, '$1-').toLowerCase();
  }

  shidiReader.dom = {
    ELEMENT,
    TEXT,
    HTML,
    firstChild,
    firstElement,
    nextSibling,
    previousSibling,
    parentNode,
    parentOf,
    nodeType,
    textContent,
    ownerDocument,
    isConnected,
    localName,
    namespaceURI,
    shadowRoot,
    dataOf,
    rootElement,
    bodyOf,
    titleOf,
    visibilityOf,
    activeElement,
    activeWithin,
    hostOf,
    isElement,
    isPlain,
    attributeOf,
    wholeAttribute,
    hasAttribute,
    matches,
    closest,
    all,
    one,
    named,
    boxOf,
    slotted,
    childrenOf,
    documentIn,
    frameOf,
    isShadow,
    hintOf,
  };
}
