/**
 * Turns one block of Markdown into HTML that is safe to show.
 *
 * Everything passes the sanitiser. Nothing is loaded: pictures become their description, links are inert until
 * the panel opens them, ids are dropped, and of styles only the lengths that formulas are made of are left.
 */
import DOMPurify from 'dompurify';
import { Marked, type Token, type Tokens } from 'marked';
import { coloured } from './highlight';
import type { MathToken } from './math';

/** Draws a formula, or says why it can't: `null` while it is not known how. */
export type DrawFormula = (tex: string, display: boolean) => string | null;

const TAGS = [
  'p',
  'strong',
  'em',
  'del',
  'code',
  'pre',
  'span',
  'a',
  'ul',
  'ol',
  'li',
  'blockquote',
  'cite',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'hr',
  'br',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
  'div',
  'sub',
  'sup',
  'kbd',
  'mark',
  'input',
];
/** What formulas are made of: MathML to be read out, and lines and brackets to be seen. */
const FORMULA_TAGS = [
  'math',
  'semantics',
  'mrow',
  'mi',
  'mo',
  'mn',
  'ms',
  'mtext',
  'mspace',
  'msup',
  'msub',
  'msubsup',
  'mfrac',
  'msqrt',
  'mroot',
  'mover',
  'munder',
  'munderover',
  'mtable',
  'mtr',
  'mtd',
  'mstyle',
  'mpadded',
  'mphantom',
  'menclose',
  'mmultiscripts',
  'mprescripts',
  'svg',
  'path',
  'line',
];
const ATTRIBUTES = [
  'href',
  'class',
  'align',
  'start',
  'type',
  'checked',
  'disabled',
  'tabindex',
  'role',
  'aria-hidden',
  'title',
];
const FORMULA_ATTRIBUTES = [
  'style',
  'xmlns',
  'display',
  'mathvariant',
  'stretchy',
  'fence',
  'separator',
  'lspace',
  'rspace',
  'minsize',
  'maxsize',
  'accent',
  'accentunder',
  'columnalign',
  'rowspacing',
  'columnspacing',
  'scriptlevel',
  'displaystyle',
  'linethickness',
  'notation',
  'width',
  'height',
  'depth',
  'voffset',
  'viewbox',
  'viewBox',
  'preserveaspectratio',
  'preserveAspectRatio',
  'd',
  'x1',
  'x2',
  'y1',
  'y2',
  'stroke-width',
  'mathcolor',
];

/** Lengths, alignment and colour: nothing that loads, covers what lies elsewhere, or holds a bracket. */
const FORMULA_STYLE =
  /^(?:(?:height|(?:min-|max-)?width|top|bottom|left|right|vertical-align|(?:margin|padding)-(?:left|right|top|bottom)|border(?:-\w+)*|position|color|background-color):\s*(?!fixed|absolute|sticky)[-\w.#% ]+;?\s*)+$/;

/** An instance of our own: its hook and its rules, which are read once and not with every block, are nobody else's. */
const purifier = DOMPurify(window);
purifier.setConfig({
  ALLOWED_TAGS: [...TAGS, ...FORMULA_TAGS],
  ALLOWED_ATTR: [...ATTRIBUTES, ...FORMULA_ATTRIBUTES],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  // The pattern above would be asked about these too, though they are no addresses.
  ADD_URI_SAFE_ATTR: [
    'align',
    'start',
    'type',
    'tabindex',
    'checked',
    'disabled',
    'aria-hidden',
    'title',
    ...FORMULA_ATTRIBUTES,
  ],
  ALLOW_DATA_ATTR: false,
});
purifier.addHook('uponSanitizeAttribute', (_element, attribute) => {
  if (attribute.attrName === 'style') attribute.keepAttr = FORMULA_STYLE.test(attribute.attrValue);
});

let drawFormula: DrawFormula = () => null;

const renderer = new Marked({ gfm: true, async: false });
renderer.use({
  extensions: [
    { name: 'math', renderer: (token) => formula(token as MathToken) },
    { name: 'math_block', renderer: (token) => formula(token as MathToken) },
  ],
  renderer: {
    // Markup inside an answer is shown as it was written: it could imitate our own cards.
    html: ({ text }: Tokens.HTML | Tokens.Tag) => (/^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : escaped(text)),
    image: ({ text, href }: Tokens.Image) => `<span class="image">${escaped(text === '' ? href : text)}</span>`,
    link({ href, tokens }: Tokens.Link) {
      const text = this.parser.parseInline(tokens);
      return /^(?:https?|mailto):/i.test(href) ? `<a href="${escaped(href)}">${text}</a>` : text;
    },
    // The page has its own heading above, and an answer begins with any: one level keeps the order.
    heading({ tokens, depth }: Tokens.Heading) {
      return `<h2 class="h${depth}">${this.parser.parseInline(tokens)}</h2>`;
    },
    code: ({ text, lang }: Tokens.Code) =>
      `<pre class="code" tabindex="0"><code>${colouredHtml(text, lang ?? '')}</code></pre>`,
    listitem(item: Tokens.ListItem) {
      return `<li${item.task ? ' class="task"' : ''}>${this.parser.parse(item.tokens)}</li>`;
    },
    // Within a list or a quotation; one that stands alone is drawn row by row in `Block.svelte`.
    table(token: Tokens.Table) {
      const cell = (tag: string, content: Tokens.TableCell) =>
        `<${tag}${content.align === null ? '' : ` align="${content.align}"`}>${this.parser.parseInline(content.tokens)}</${tag}>`;
      const head = token.header.map((content) => cell('th', content)).join('');
      const body = token.rows.map((row) => `<tr>${row.map((content) => cell('td', content)).join('')}</tr>`).join('');
      return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
    },
    blockquote({ tokens }: Tokens.Blockquote) {
      const last = tokens.at(-1);
      const source = last?.type === 'paragraph' ? /^(?:—|--) ?(.+)$/s.exec(last.raw.trim())?.[1] : undefined;
      if (source === undefined) return `<blockquote>${this.parser.parse(tokens)}</blockquote>`;
      return `<blockquote>${this.parser.parse(tokens.slice(0, -1))}<cite>${escaped(source)}</cite></blockquote>`;
    },
  },
});

export function htmlOf(token: Token, draw: DrawFormula = () => null): string {
  return blocksHtmlOf([token], draw);
}

/** What stands in one item of a list. */
export function blocksHtmlOf(tokens: Token[], draw: DrawFormula = () => null): string {
  drawFormula = draw;
  return purifier.sanitize(renderer.parser(tokens));
}

/** What stands in one cell of a table. */
export function lineHtmlOf(tokens: Token[], draw: DrawFormula = () => null): string {
  drawFormula = draw;
  return purifier.sanitize(renderer.Parser.parseInline(tokens, renderer.defaults) as string);
}

/** A formula; its source where it can't be drawn, with the reason. */
function formula({ text, display }: MathToken): string {
  const drawn = drawFormula(text, display);
  if (drawn !== null)
    return `<span class="math${display ? ' display' : ''}"${display ? ' tabindex="0"' : ''}>${drawn}</span>`;
  return display
    ? `<pre class="code" tabindex="0"><code>${escaped(text)}</code></pre>`
    : `<code>${escaped(text)}</code>`;
}

function colouredHtml(code: string, language: string): string {
  return coloured(code, language)
    .map((run) =>
      run.colour === 'plain' ? escaped(run.text) : `<span class="c-${run.colour}">${escaped(run.text)}</span>`,
    )
    .join('');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
