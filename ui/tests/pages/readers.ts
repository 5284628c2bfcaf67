/** The readers that are measured: ours as it runs in an extension, Readability in the page, and `dom_smoothie`. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { chromium, type Browser, type CDPSession, type Page } from 'playwright-core';
import { COMPANION } from '../companion/place';
import type { Field, Page as Saved } from './corpus';
import { rowsIn, type Read } from './scoring';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const ARTICLE =
  process.env['ARTICLE'] ?? fileURLToPath(new URL('../../../target/debug/shidi-test-article', import.meta.url));
const READABILITY = readFileSync(createRequire(import.meta.url).resolve('@mozilla/readability/Readability.js'), 'utf8');

export interface Content extends Record<string, unknown> {
  kind: string;
  language: string;
  title: string;
  text: string;
  visible: string;
  selection: { text: string } | null;
  links: string[];
  fields: (Field & { ref?: string })[];
  buttons: { label: string }[];
  cut: string[];
  elements: number;
  ms: number;
}

/** The reader's files in the order in which the extension loads them. */
export function readerFiles(): string[] {
  const manifest = JSON.parse(readFileSync(`${COMPANION}manifest.json`, 'utf8')) as {
    content_scripts: { js: string[] }[];
  };
  return manifest.content_scripts.flatMap(({ js }) => js).filter((name) => /^(?:reader|hands)\//.test(name));
}

export function open(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM,
    headless: true,
    args: [
      '--headless=new',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
    ],
  });
}

/** A world beside the page's own, as content scripts have one. */
export class World {
  private constructor(
    private readonly session: CDPSession,
    private readonly context: number,
  ) {}

  static async open(page: Page): Promise<World> {
    const session = await page.context().newCDPSession(page);
    const { frameTree } = await session.send('Page.getFrameTree');
    const { executionContextId } = await session.send('Page.createIsolatedWorld', {
      frameId: frameTree.frame.id,
      worldName: 'reader',
    });
    const world = new World(session, executionContextId);
    for (const name of readerFiles())
      await world.run(`${readFileSync(COMPANION + name, 'utf8')}\n//# sourceURL=${name}`);
    return world;
  }

  async run(expression: string): Promise<unknown> {
    const { result, exceptionDetails } = await this.session.send('Runtime.evaluate', {
      expression,
      contextId: this.context,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  async read(): Promise<Content> {
    return JSON.parse(String(await this.run('JSON.stringify(shidiReader.reader.read({anew: true}))'))) as Content;
  }
}

/** Selects a text of an element, as a person would. */
export async function select(page: Page, { text, at }: { text: string; at: string }): Promise<void> {
  await page.evaluate(
    ({ text, at }) => {
      const nodes: Text[] = [];
      const walker = document.createTreeWalker(document.querySelector(at) ?? document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) nodes.push(walker.currentNode as Text);
      const whole = nodes.map(({ data }) => data).join('');
      const loose = new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/ /g, '\\s+'));
      const found = loose.exec(whole);
      if (found === null) throw new Error(`No text to select: ${text}`);
      const place = (offset: number): [Text, number] => {
        let rest = offset;
        for (const node of nodes) {
          if (rest <= node.data.length) return [node, rest];
          rest -= node.data.length;
        }
        throw new Error('Past the end');
      };
      const range = new Range();
      range.setStart(...place(found.index));
      range.setEnd(...place(found.index + found[0].length));
      document.getSelection()?.removeAllRanges();
      document.getSelection()?.addRange(range);
    },
    { text, at },
  );
}

/** Gives all classes and ids of a page names that say nothing, in its styles too: what is left is what a person sees. */
export async function nameless(page: Page): Promise<void> {
  await page.evaluate(() => {
    const names = new Map<string, string>();
    const other = (name: string): string => {
      const known = names.get(name) ?? `q${(names.size * 7_919 + 31).toString(36)}`;
      names.set(name, known);
      return known;
    };
    const rename = (rules: CSSRuleList): void => {
      for (const rule of rules) {
        if (rule instanceof CSSStyleRule)
          rule.selectorText = rule.selectorText.replace(
            /([.#])([A-Za-z_][\w-]*)/g,
            (_whole, sign: string, name: string) => sign + other(name),
          );
        if ('cssRules' in rule) rename(rule.cssRules as CSSRuleList);
      }
    };
    for (const sheet of document.styleSheets) rename(sheet.cssRules);
    for (const element of document.querySelectorAll('*')) {
      for (const name of ['class', 'id', 'for', 'list', 'aria-labelledby', 'aria-describedby', 'aria-controls']) {
        const said = element.getAttribute(name)?.trim() ?? '';
        if (said !== '') element.setAttribute(name, said.split(/\s+/).map(other).join(' '));
      }
      const href = element.getAttribute('href') ?? '';
      if (/^#./.test(href)) element.setAttribute('href', `#${other(href.slice(1))}`);
    }
  });
}

/** What Mozilla's Readability takes for the article, and the rows of its tables. */
export async function readability(page: Page): Promise<Read> {
  const html = await page.evaluate((source) => {
    const make = new Function('module', `${source}; return Readability;`) as (
      module: object,
    ) => new (page: Document) => { parse(): { content: string } | null };
    const Readability = make({});
    return new Readability(document.cloneNode(true) as Document).parse()?.content ?? '';
  }, READABILITY);
  return ofHtml(page, html);
}

/** Text and rows of an article that comes as HTML; merged cells are repeated, as we do it. */
export async function ofHtml(page: Page, html: string): Promise<Read> {
  return page.evaluate((html) => {
    const doc = new DOMParser().parseFromString(html, 'text/html');
    const inline =
      /^(?:a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|q|rp|rt|ruby|s|samp|small|span|strong|sub|sup|time|tt|u|var|wbr|m\w+|math|semantics|annotation)$/i;
    const say = (node: Node): string => {
      if (node.nodeType === 3) return node.textContent ?? '';
      if (!(node instanceof Element)) return '';
      if (/^(?:script|style|template|noscript)$/i.test(node.localName)) return '';
      if (node.localName === 'br') return '\n';
      if (node.localName === 'img') return ` ${node.getAttribute('alt') ?? ''} `;
      const inner = [...node.childNodes].map(say).join('');
      return inline.test(node.localName) ? inner : `\n${inner}\n`;
    };
    const rows: string[][] = [];
    for (const table of doc.querySelectorAll('table, [role=table], [role=grid]')) {
      const grid: string[][] = [];
      const all = [...table.querySelectorAll('tr, [role=row]')].filter(
        (row) => row.closest('table, [role=table], [role=grid]') === table,
      );
      all.forEach((row, at) => {
        let column = 0;
        for (const cell of row.querySelectorAll(
          'td, th, [role=cell], [role=gridcell], [role=columnheader], [role=rowheader]',
        )) {
          if (cell.parentElement?.closest('tr, [role=row]') !== row) continue;
          while (grid[at]?.[column] !== undefined) column += 1;
          const [across, down] = ['colspan', 'rowspan'].map((name) =>
            Math.min(Number(cell.getAttribute(name) ?? 1) || 1, 50),
          );
          const text = say(cell).replace(/\s+/g, ' ').trim();
          for (let y = 0; y < (down ?? 1); y += 1)
            for (let x = 0; x < (across ?? 1); x += 1) (grid[at + y] ??= [])[column + x] = text;
          column += across ?? 1;
        }
      });
      rows.push(...grid.filter(Boolean).map((row) => Array.from(row, (cell) => cell ?? '')));
    }
    return { text: say(doc.body), rows };
  }, html);
}

/** What `dom_smoothie` takes for the articles of pages; nothing where its program was not built. */
export function articles(pages: readonly Saved[]): Map<string, { html: string; text: string }> | null {
  if (!existsSync(ARTICLE)) return null;
  const said = execFileSync(
    ARTICLE,
    pages.map(({ path }) => path),
    { maxBuffer: 1 << 28, encoding: 'utf8' },
  );
  const lines = said
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { path: string; html: string; text: string });
  return new Map(lines.map(({ path, html, text }) => [path, { html, text }]));
}

export function ours({ text }: Content): Read {
  return { text, rows: rowsIn(text) };
}
