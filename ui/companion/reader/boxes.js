/**
 * Where a part stands in the window, asked for once. Also for parts that have no box of their own.
 */
'use strict';

var shidiReader = shidiReader || {};
{
  const dom = shidiReader.dom;

  /**
   * @param {Part} part
   * @returns {Box | null}
   */
  function boxOf(part) {
    if (part.box !== null || part.element === null || part.isVeiled) return part.box;
    const { left, top, right, bottom } = dom.boxOf(part.element);
    const [dx, dy] = offsetOf(part);
    part.box = { left: left + dx, top: top + dy, right: right + dx, bottom: bottom + dy };
    return part.box;
  }

  /**
   * Of the frame that a part stands in.
   * @param {Part} part
   * @returns {[number, number]}
   */
  function offsetOf(part) {
    for (let at = part.parent; at !== null; at = at.parent) {
      if (at.name !== 'iframe') continue;
      const box = boxOf(at);
      return box === null ? [0, 0] : [box.left, box.top];
    }
    return [0, 0];
  }

  shidiReader.boxes = { boxOf };
}
