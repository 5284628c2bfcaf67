/**
 * Turns one block of Markdown into HTML that is safe to show.
 *
 * Everything passes the sanitiser. Nothing is loaded: pictures become their description, links are inert until
 * the panel opens them, styles and ids are dropped.
 */
import DOMPurify from 'dompurify';
import { Marked, type Token, type Tokens } from 'marked';
import { coloured } from './highlight';

const TAGS = [
  'p', 'strong', 'em', 'del', 'code', 'pre', 'span', 'a', 'ul', 'ol', 'li', 'blockquote', 'cite', 'h1', 'h2', 'h3', 'h4', 'h5',
  'h6', 'hr', 'br', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'div', 'sub', 'sup', 'kbd', 'mark', 'input',
];
const ATTRIBUTES = ['href', 'class', 'align', 'start', 'type', 'checked', 'disabled', 'tabindex', 'role'];

const renderer = new Marked({ gfm: true, async: false });
renderer.use({
  renderer: {
    // Markup inside an answer is shown as it was written: it could imitate our own cards.
    html: ({ text }: Tokens.HTML | Tokens.Tag) => (/^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : escaped(text)),
    image: ({ text, href }: Tokens.Image) => `<span class="image">${escaped(text === '' ? href : text)}</span>`,
    link({ href, tokens }: Tokens.Link) {
      const text = this.parser.parseInline(tokens);
      return /^(?:https?|mailto):/i.test(href) ? `<a href="${escaped(href)}">${text}</a>` : text;
    },
    code: ({ text, lang }: Tokens.Code) => `<pre class="code"><code>${colouredHtml(text, lang ?? '')}</code></pre>`,
    table(token: Tokens.Table) {
      const cell = (tag: string, content: Tokens.TableCell) =>
        `<${tag}${content.align === null ? '' : ` align="${content.align}"`}>${this.parser.parseInline(content.tokens)}</${tag}>`;
      const head = token.header.map((content) => cell('th', content)).join('');
      const body = token.rows.map((row) => `<tr>${row.map((content) => cell('td', content)).join('')}</tr>`).join('');
      return `<div class="table" tabindex="0" role="region"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
    },
    blockquote({ tokens }: Tokens.Blockquote) {
      const last = tokens.at(-1);
      const source = last?.type === 'paragraph' ? /^(?:—|--) ?(.+)$/s.exec(last.raw.trim())?.[1] : undefined;
      if (source === undefined) return `<blockquote>${this.parser.parse(tokens)}</blockquote>`;
      return `<blockquote>${this.parser.parse(tokens.slice(0, -1))}<cite>${escaped(source)}</cite></blockquote>`;
    },
  },
});

export function htmlOf(token: Token): string {
  return DOMPurify.sanitize(renderer.parser([token]), {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
    // The pattern above would be asked about these too, though they are no addresses.
    ADD_URI_SAFE_ATTR: ['align', 'start', 'type', 'tabindex', 'checked', 'disabled'],
    ALLOW_DATA_ATTR: false,
  });
}

function colouredHtml(code: string, language: string): string {
  return coloured(code, language)
    .map((run) => (run.colour === 'plain' ? escaped(run.text) : `<span class="c-${run.colour}">${escaped(run.text)}</span>`))
    .join('');
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
