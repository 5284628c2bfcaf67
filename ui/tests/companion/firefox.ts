/**
 * A real Firefox with the companion as it ships, driven over WebDriver BiDi, which it speaks itself.
 *
 * Everything lives in a folder of its own and ends with the test; nothing reaches a network.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { pages, writeHost, writeManifest } from './browser';
import { COMPANION } from './place';
import { Shidi } from './shidi';

/** Where the system's package manager puts Firefox; another place can be named. */
export const FIREFOX = [process.env['FIREFOX'], '/usr/bin/firefox-esr', '/usr/bin/firefox'].find(
  (path) => path !== undefined && existsSync(path),
);

const START_WAIT_MS = 60_000;
const ADDRESS = /WebDriver BiDi listening on (ws:\S+)/;

/** Keeps Firefox from looking for its makers' servers. */
const QUIET = {
  'services.settings.server': 'http://127.0.0.1:1',
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'app.normandy.enabled': false,
  'extensions.update.enabled': false,
};

/** Its own WebMCP, in an older form. */
const NATIVE = { 'dom.modelcontext.enabled': true, 'dom.modelcontext.testing.enabled': true };

/** As WebDriver names the key. */
export const END = '\uE010';

interface Reply {
  id?: number;
  result?: Record<string, unknown>;
  error?: string;
}

export class Firefox {
  private sent = 0;
  private readonly waiting = new Map<number, (reply: Reply) => void>();
  private tab = '';

  private constructor(
    readonly shidi: Shidi,
    readonly address: string,
    private readonly program: ChildProcess,
    private readonly socket: WebSocket,
    private readonly server: Server,
    private readonly folder: string,
  ) {
    socket.addEventListener('message', ({ data }) => {
      const reply = JSON.parse(String(data)) as Reply;
      this.waiting.get(reply.id ?? -1)?.(reply);
    });
  }

  static async open({ native }: { native: boolean }): Promise<Firefox> {
    const folder = mkdtempSync(`${tmpdir()}/shidi-firefox-`);
    writeHost(`${folder}/host`, `${folder}/companion.sock`);
    writeManifest(`${folder}/home/.mozilla/native-messaging-hosts`, `${folder}/host`, {
      allowed_extensions: ['companion@shidi.app'],
    });
    mkdirSync(`${folder}/profile`);
    const preferences = Object.entries({ ...QUIET, ...(native ? NATIVE : {}) });
    writeFileSync(
      `${folder}/profile/user.js`,
      preferences.map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`).join(''),
    );
    const shidi = new Shidi(`${folder}/companion.sock`);
    await shidi.start();
    const server = await pages([]);
    const program = spawn(
      FIREFOX ?? '',
      ['--headless', '--no-remote', '--profile', `${folder}/profile`, '--remote-debugging-port=0'],
      { env: { ...process.env, HOME: `${folder}/home` } },
    );
    const socket = new WebSocket(`${await listening(program)}/session`);
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', reject);
    });
    const firefox = new Firefox(
      shidi,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      program,
      socket,
      server,
      folder,
    );
    await firefox.begin();
    return firefox;
  }

  async go(path: string): Promise<void> {
    await this.command('browsingContext.navigate', {
      context: this.tab,
      url: path.startsWith('/') ? this.address + path : path,
      wait: 'complete',
    });
  }

  async back(): Promise<void> {
    await this.command('browsingContext.traverseHistory', { context: this.tab, delta: -1 });
  }

  /** The value of an expression on the page. */
  async evaluate(expression: string): Promise<unknown> {
    const { result } = await this.command('script.evaluate', {
      expression,
      target: { context: this.tab },
      awaitPromise: true,
    });
    return (result as { value?: unknown } | undefined)?.value;
  }

  /** Brings the tab to the front, as a person who works in it has it. */
  async activate(): Promise<void> {
    await this.command('browsingContext.activate', { context: this.tab });
  }

  /** Clicks the middle of an element, as the mouse does. */
  async click(selector: string): Promise<void> {
    const found = `document.querySelector(${JSON.stringify(selector)})`;
    await this.evaluate(`void ${found}.scrollIntoView({ block: 'center', behavior: 'instant' })`);
    const { result } = await this.command('script.evaluate', {
      expression: found,
      target: { context: this.tab },
      awaitPromise: false,
    });
    const { sharedId } = result as { sharedId: string };
    const actions = [
      { type: 'pointerMove', x: 0, y: 0, origin: { type: 'element', element: { sharedId } } },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.perform({ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions });
  }

  /** Presses keys one after the other, as the keyboard does. */
  async press(...keys: string[]): Promise<void> {
    const actions = keys.flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.perform({ type: 'key', id: 'keyboard', actions });
  }

  /** Addresses of all tabs. */
  async addresses(): Promise<string[]> {
    const { contexts } = await this.command('browsingContext.getTree', { maxDepth: 0 });
    return (contexts as { url: string }[]).map(({ url }) => url);
  }

  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.program.once('exit', resolve));
    this.program.kill();
    await ended;
    await this.shidi.stop();
    this.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async begin(): Promise<void> {
    await this.command('session.new', { capabilities: {} });
    await this.command('webExtension.install', { extensionData: { type: 'path', path: COMPANION.replace(/\/$/, '') } });
    const { contexts } = await this.command('browsingContext.getTree', {});
    this.tab = (contexts as { context: string }[])[0]?.context ?? '';
  }

  private async perform(source: object): Promise<void> {
    await this.command('input.performActions', { context: this.tab, actions: [source] });
  }

  private async command(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++this.sent;
    const reply = await new Promise<Reply>((resolve) => {
      this.waiting.set(id, resolve);
      this.socket.send(JSON.stringify({ id, method, params }));
    });
    if (reply.result === undefined) throw new Error(`${method}: ${JSON.stringify(reply)}`);
    return reply.result;
  }
}

/** Where the program listens, as soon as it says so. */
function listening(program: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => {
      program.kill();
      reject(new Error(`Firefox did not start: ${said}`));
    }, START_WAIT_MS);
    program.stderr?.on('data', (text) => {
      said += String(text);
      const [, address] = ADDRESS.exec(said) ?? [];
      if (address === undefined) return;
      clearTimeout(timer);
      resolve(address);
    });
  });
}
