/**
 * What Shidi itself does in a page, whatever the page offers: reads it (`reader/`), and acts in it (`hands/`).
 *
 * Knows nothing of messages. Of a document that the browser shows by a program of its own, a PDF, the file is fetched
 * once more (`pdf.js`), and nothing is touched.
 */
'use strict';

var shidiOwn = shidiOwn || {};
{
  /** As much crosses to the companion's worker, which takes it in pieces. */
  const CONTENT_MAX_CHARS = 4_000_000;
  const PDF = 'this page is a PDF, which the browser lets nobody touch: its text is read instead';

  /** What changes the page: what was read of it may stand there no longer. */
  const CHANGING = new Set(['fill', 'click', 'undo', 'insert']);

  const isPdf = document.contentType === 'application/pdf';

  /** @typedef {{name: string, text: string}} Named */

  /**
   * The page as it is now, as JSON.
   * @param {Named[]} context What the page tells of itself.
   * @returns {string}
   */
  function content(context) {
    if (isPdf) return JSON.stringify({ kind: 'pdf', title: shidiReader.dom.titleOf(document) });
    const { cut, ...read } = shidiReader.reader.read();
    const whole = JSON.stringify({ ...read, cut: cut.join(', ') || null, context });
    if (whole.length <= CONTENT_MAX_CHARS) return whole;
    // Lists of a page's fields can be endless; what it says of itself is the least.
    const fields = read.fields.map((field) => ({ ...field, options: [] }));
    return JSON.stringify({ ...read, fields, cut: [...cut, 'options', 'context'].join(', '), context: [] });
  }

  /**
   * @param {string} tool
   * @param {Record<string, string>} given
   * @returns {unknown} Or a promise of it.
   */
  function act(tool, given) {
    if (isPdf) throw new Error(PDF);
    const { hands } = shidiHands;
    if (CHANGING.has(tool)) shidiReader.changes.act();
    switch (tool) {
      case 'read':
        return part(shidiReader.reader.read(), given['part'] ?? 'whole');
      case 'find':
        return hands.find(given);
      case 'links':
        return hands.links();
      case 'select':
        return hands.select(given);
      case 'fill':
        return hands.fill(given);
      case 'click':
        return hands.click(given);
      case 'undo':
        return hands.undo(given);
      case 'insert':
        return hands.insert(given);
      default:
        throw new Error(`the companion has no ${tool}`);
    }
  }

  /**
   * @param {PageContent} content
   * @param {string} wanted
   */
  function part({ title, kind, language, text, visible, selection, links, fields, buttons }, wanted) {
    const chosen = wanted === 'selection' ? (selection?.text ?? '') : wanted === 'visible' ? visible : text;
    return { title, kind, language, text: chosen, links, fields, buttons };
  }

  /** The file of the PDF that is shown. */
  async function pdf() {
    return isPdf ? shidiPdf.fetched(location.href) : { why: 'not_given' };
  }

  shidiOwn.page = { content, act, pdf, isPdf };
}
