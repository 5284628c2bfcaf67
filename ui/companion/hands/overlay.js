/**
 * Shows the user what hands are about to touch: an outline around it for a moment.
 *
 * Stands outside the page's body in a closed shadow root, takes no clicks, and is never read.
 */
'use strict';

var shidiHands = shidiHands || {};
{
  const dom = shidiReader.dom;

  /** Long enough to be seen, short enough not to be in the way. */
  const SHOWN_MS = 1_200;

  /** Between two drawn pictures, where the page draws none. */
  const DRAWN_MS = 60;
  const EDGE_PX = 4;

  /** Frames within frames that are looked through. */
  const FRAMES_MAX_LEVELS = 8;

  /** The brand's amber, which is seen on light and dark pages alike. */
  const STYLE = `
    .box { position: fixed; box-sizing: border-box; border: 3px solid #F0B23E; border-radius: 6px;
      box-shadow: 0 0 0 2px #2A1C00, 0 0 16px 4px #F0B23E80; pointer-events: none; }
    @keyframes come { from { opacity: 0; transform: scale(1.06) } to { opacity: 1; transform: none } }
    @media (prefers-reduced-motion: no-preference) { .box { animation: come 160ms ease-out } }`;

  /** @type {HTMLElement | null} */
  let host = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let leaving;

  /**
   * Brings an element into view and draws an outline around it.
   * @param {Element} element
   * @returns {Promise<void>} When it is seen.
   */
  async function show(element) {
    if (!isInView(element))
      Element.prototype.scrollIntoView.call(element, { block: 'center', inline: 'nearest', behavior: 'instant' });
    draw(boxAround(element));
    await drawn();
  }

  /** @param {Element} element */
  function isInView(element) {
    const { left, top, width, height } = boxAround(element);
    const isWithin = top >= 0 && left >= 0 && top + height <= window.innerHeight && left + width <= window.innerWidth;
    if (!isWithin || dom.ownerDocument(element) === document) return isWithin;
    // It may be scrolled out of its own frame.
    const view = dom.rootElement(dom.ownerDocument(element) ?? document);
    const box = dom.boxOf(element);
    return view !== null && box.top >= 0 && box.bottom <= view.clientHeight;
  }

  /**
   * Where an element stands on the screen of the page; a control that is drawn by its label is outlined there.
   * @param {Element} element
   * @returns {{left: number, top: number, width: number, height: number}}
   */
  function boxAround(element) {
    const box = dom.boxOf(element);
    const label = box.width < 4 || box.height < 4 ? shidiReader.labels.labelElement(element) : null;
    const { left, top, width, height } = label === null ? box : dom.boxOf(label);
    const [dx, dy] = offsetOf(element);
    return { left: left + dx, top: top + dy, width, height };
  }

  /**
   * Of the frames that an element stands in.
   * @param {Element} element
   * @returns {[number, number]}
   */
  function offsetOf(element) {
    let [dx, dy] = [0, 0];
    let frame = dom.frameOf(element);
    for (let level = 0; level < FRAMES_MAX_LEVELS && frame !== null; level += 1) {
      const { left, top } = dom.boxOf(frame);
      [dx, dy] = [dx + left + frame.clientLeft, dy + top + frame.clientTop];
      frame = dom.frameOf(frame);
    }
    return [dx, dy];
  }

  /** @param {{left: number, top: number, width: number, height: number}} around */
  function draw({ left, top, width, height }) {
    end();
    const root = dom.rootElement(document);
    if (root === null) return;
    host = create('shidi-outline');
    host.setAttribute('aria-hidden', 'true');
    host.style.cssText =
      'all: initial; display: block; position: fixed; inset: 0; z-index: 2147483647; pointer-events: none;';
    // Dialogs of the page stand above everything else that is no popover.
    host.popover = 'manual';
    const shadow = host.attachShadow({ mode: 'closed' });
    const style = create('style');
    style.textContent = STYLE;
    const box = create('div');
    box.className = 'box';
    box.style.cssText = `left: ${left - EDGE_PX}px; top: ${top - EDGE_PX}px; width: ${width + EDGE_PX * 2}px; height: ${height + EDGE_PX * 2}px`;
    shadow.append(style, box);
    shidiReader.changes.ignore(host);
    Node.prototype.appendChild.call(root, host);
    HTMLElement.prototype.showPopover.call(host);
    leaving = setTimeout(end, SHOWN_MS);
  }

  /** @param {string} name */
  function create(name) {
    return Document.prototype.createElement.call(document, name);
  }

  function end() {
    clearTimeout(leaving);
    if (host !== null) Element.prototype.remove.call(host);
    host = null;
  }

  /** @returns {Promise<void>} */
  function drawn() {
    return new Promise((resolve) => {
      const done = setTimeout(resolve, DRAWN_MS);
      // A page in the background draws nothing.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          clearTimeout(done);
          resolve();
        }),
      );
    });
  }

  shidiHands.overlay = { show, end };
}
