/**
 * A real Chromium with the companion as it ships, a page server, and Shidi's part on a socket.
 *
 * Everything lives in a folder of its own and ends with the test; nothing reaches a network.
 */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type BrowserContext, type Page, type Worker } from 'playwright-core';
import { afterEach } from 'vitest';
import { COMPANION, COMPANION_ID } from './place';
import { Shidi, type Message } from './shidi';

const CHROMIUM = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const HERE = fileURLToPath(new URL('.', import.meta.url));
const WAIT_MS = 15_000;

const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** One page with a line of text. */
export const MANUAL = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj
4 0 obj<</Length 45>>stream
BT /F1 18 Tf 20 100 Td (Heron manual) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>`;

export interface Options {
  /** Whether the browser has WebMCP itself. */
  native?: boolean;
  /** Whether the host program was not installed. */
  alone?: boolean;
  language?: string;
}

export class Browser {
  private constructor(
    readonly context: BrowserContext,
    readonly shidi: Shidi,
    readonly address: string,
    /** What pages have loaded: address and the page it was for. */
    readonly requested: string[],
    private readonly server: Server,
    private readonly folder: string,
  ) {}

  static async open({ native = false, alone = false, language = 'en-GB' }: Options = {}): Promise<Browser> {
    const folder = mkdtempSync(`${tmpdir()}/shidi-companion-`);
    const socket = `${folder}/companion.sock`;
    if (!alone) installHost(`${folder}/profile`, `${folder}/host`, socket);
    const shidi = new Shidi(socket);
    await shidi.start();
    const requested: string[] = [];
    const server = await pages(requested);
    const context = await launch(`${folder}/profile`, COMPANION, { language, native });
    context.setDefaultTimeout(WAIT_MS);
    const { port } = server.address() as AddressInfo;
    return new Browser(context, shidi, `http://127.0.0.1:${port}`, requested, server, folder);
  }

  async close(): Promise<void> {
    await this.context.close();
    await this.shidi.stop();
    this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Opens the query editor in a tab in front. */
  async editor(path = '/page.html'): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(this.address + path);
    await page.bringToFront();
    return page;
  }

  /** The companion's worker, as long as it runs. */
  async worker(): Promise<Worker> {
    const known = this.context.serviceWorkers().find((one) => one.url().includes(COMPANION_ID));
    return known ?? this.context.waitForEvent('serviceworker');
  }

  async popup(): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto(`chrome-extension://${COMPANION_ID}/popup.html`);
    return page;
  }

  /** The browser's own page about its extensions, where a user may change what the companion may do. */
  async settings(): Promise<Page> {
    const page = await this.context.newPage();
    await page.goto('chrome://extensions');
    return page;
  }

  /** What the browser lists as mistakes of the companion. */
  async mistakes(): Promise<unknown[]> {
    const page = await this.settings();
    return page.evaluate(async (id) => {
      const { developerPrivate } = chrome as unknown as {
        developerPrivate: { getExtensionsInfo(): Promise<{ id: string; runtimeErrors: unknown[] }[]> };
      };
      return (
        (await developerPrivate.getExtensionsInfo()).find((one) => one.id === id)?.runtimeErrors ?? ['not installed']
      );
    }, COMPANION_ID);
  }

  /** Goes through pairing as a person would. */
  async pair(): Promise<void> {
    await this.shidi.next('hello');
    this.shidi.say({ type: 'pair', code: '482913' });
    this.shidi.say({ type: 'paired', token: 'the token' });
    this.shidi.say({ type: 'welcome' });
  }

  /** The form in front, as Shidi was told of it. */
  async form(): Promise<{ form: Page; page: Message }> {
    const form = await this.editor('/form.html');
    return { form, page: await this.shidi.next('page', ({ title }) => title === 'Order a bicycle') };
  }

  /** What a page holds: the pieces put together. */
  read(page: Message, ask = 'read-1'): Promise<Record<string, unknown>> {
    return contentOf(this.shidi, page, ask);
  }

  /** What came of an act of the companion itself. */
  act(page: Message, tool: string, given: object = {}): Promise<Record<string, unknown>> {
    return acted(this.shidi, page, tool, given);
  }

  /** The query editor in front with all its tools, as Shidi was told of it. */
  async told(): Promise<Message> {
    return this.shidi.next('page', ({ tools }) => Array.isArray(tools) && tools.length === 3);
  }
}

/** A call of a tool on a page that Shidi was told of. */
export function callOf(page: Message, call: string, tool: string, given: object = {}): Message {
  const site = new URL(String(page['url'])).origin;
  return { type: 'call', call, tab: page['tab'], document: page['document'], site, tool, arguments: given };
}

/** A call that the companion performs itself. */
export function ownCallOf(page: Message, call: string, tool: string, given: object = {}): Message {
  return { ...callOf(page, call, tool, given), own: true };
}

/** Asks for what a page holds. */
export function readOf(page: Message, ask: string): Message {
  const { tab, document, site } = callOf(page, ask, '');
  return { type: 'read', ask, tab, document, site };
}

/** What a page holds, whichever browser shows it. */
export async function contentOf(shidi: Shidi, page: Message, ask = 'read-1'): Promise<Record<string, unknown>> {
  shidi.say(readOf(page, ask));
  const pieces: string[] = [];
  let count = 1;
  while (pieces.length < count) {
    const message = await shidi.next('content', (heard) => heard['ask'] === ask);
    count = Number(message['count']);
    pieces[Number(message['index'])] = String(message['piece']);
  }
  return JSON.parse(pieces.join('')) as Record<string, unknown>;
}

/** The file of a PDF, whichever browser shows it: the pieces put together. */
export async function pdfOf(shidi: Shidi, page: Message, ask = 'pdf-1'): Promise<string> {
  shidi.say({ ...readOf(page, ask), type: 'read_pdf' });
  const pieces: string[] = [];
  let count = 1;
  while (pieces.length < count) {
    const message = await shidi.next('pdf_piece', (heard) => heard['ask'] === ask);
    count = Number(message['count']);
    pieces[Number(message['index'])] = String(message['piece']);
  }
  return Buffer.from(pieces.join(''), 'base64').toString();
}

/** What came of an act of the companion itself, whichever browser it is in. */
export async function acted(
  shidi: Shidi,
  page: Message,
  tool: string,
  given: object = {},
): Promise<Record<string, unknown>> {
  const call = `act-${shidi.heard.length}`;
  shidi.say(ownCallOf(page, call, tool, given));
  const answer = await shidi.next('returned', (heard) => heard['call'] === call);
  shidi.say({ type: 'settled', call });
  return answer['value'] as Record<string, unknown>;
}

/** How Chromium is started for every test. */
export function launch(
  profile: string,
  companion: string,
  { language = 'en-GB', native = false }: Options = {},
): Promise<BrowserContext> {
  return chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    headless: true,
    locale: language,
    // A person's browser has extensions, and keeps pages aside that one can go back to.
    ignoreDefaultArgs: ['--disable-extensions', '--disable-back-forward-cache'],
    args: [
      ...QUIET,
      '--headless=new',
      `--load-extension=${companion}`,
      `--lang=${language}`,
      ...(native ? ['--enable-features=WebMCP'] : []),
    ],
  });
}

/** A browser of its own for each test, closed after it. */
export function oneBrowser() {
  let browser: Browser | null = null;
  afterEach(async () => {
    await browser?.close();
    browser = null;
  });
  const opened = async (options: Options = {}): Promise<Browser> => {
    browser = await Browser.open(options);
    return browser;
  };
  /** Paired, with the query editor in front. */
  const ready = async (options: Options = {}) => {
    const at = await opened(options);
    await at.pair();
    const editor = await at.editor();
    return { at, shidi: at.shidi, editor, page: await at.told() };
  };
  return { opened, ready };
}

/** With a profile of its own, the browser looks for host programs within it. */
function installHost(profile: string, host: string, socket: string): void {
  writeHost(host, socket);
  writeManifest(`${profile}/NativeMessagingHosts`, host, { allowed_origins: [`chrome-extension://${COMPANION_ID}/`] });
}

/** Writes a program that reaches Shidi's part on that socket. */
export function writeHost(host: string, socket: string): void {
  mkdirSync(dirname(host), { recursive: true });
  writeFileSync(host, `#!/bin/sh\nexec '${process.execPath}' '${HERE}host.js' '${socket}'\n`);
  chmodSync(host, 0o700);
}

/** Tells a browser of the program, and who may start it. */
export function writeManifest(folder: string, host: string, allowed: object): void {
  mkdirSync(folder, { recursive: true });
  const manifest = { name: 'com.shidi.companion', description: 'Shidi', path: host, type: 'stdio', ...allowed };
  writeFileSync(`${folder}/com.shidi.companion.json`, JSON.stringify(manifest));
}

/** Serves the pages of this folder, and a page without tools. */
export async function pages(requested: string[]): Promise<Server> {
  const server = createServer((request, response) => {
    requested.push(`${request.url} for ${request.headers.referer}`);
    const [path = '/'] = (request.url ?? '/').split('?');
    const file = { '/page.html': 'text/html', '/form.html': 'text/html', '/page.js': 'text/javascript' }[path];
    // Of these two the first wants its reader to be signed in, the other is given once.
    const isDoor =
      (path === '/signed.pdf' && request.headers.cookie !== 'reader=mei') ||
      (path === '/once.pdf' && requested.filter((known) => known.startsWith('/once.pdf')).length > 1);
    if (path.endsWith('.pdf') && !isDoor) {
      response.setHeader('content-type', 'application/pdf');
      response.setHeader('cache-control', 'no-store');
      response.end(MANUAL);
      return;
    }
    response.setHeader('content-type', `${file ?? 'text/html'}; charset=utf-8`);
    response.end(
      file === undefined ? '<!doctype html><title>Plain</title><p>No tools here' : readFileSync(HERE + path.slice(1)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}
