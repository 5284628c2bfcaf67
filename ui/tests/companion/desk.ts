/**
 * The real program for whole journeys: a data folder of its own, a played model over HTTP, and the browser with the
 * companion that the program installed and that is let in by its code.
 *
 * Everything ends with the test, the last first; nothing reaches a network.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { BrowserContext } from 'playwright-core';
import { expect } from 'vitest';
import { launch } from './browser';
import { COMPANION_ID } from './place';

const SHIDI = process.env['SHIDI'] ?? fileURLToPath(new URL('../../../target/debug/shidi', import.meta.url));

/** Whether there is a program; tests say NOT RUN without one. */
export const isBuilt = existsSync(SHIDI);
if (!isBuilt) process.stdout.write(`NOT RUN: the companion with the real program: there is no ${SHIDI}\n`);

/** What ends with the test. */
const endings: (() => unknown)[] = [];

export function endsWithTest(end: () => unknown): void {
  endings.push(end);
}

export async function endAll(): Promise<void> {
  for (const end of endings.splice(0).toReversed()) await end();
}

/** What a model says to a prompt. */
export type Speaks = (prompt: string) => string;

/** One text after the other, whatever is asked. */
export function inTurn(texts: string[]): Speaks {
  return () => texts.shift() ?? 'Done.';
}

/** A program as a model writes it. */
export function written(program: string, thought = 'I change it.'): string {
  return `[Thought]: ${thought}\n\`\`\`python\n${program}\n\`\`\``;
}

/** A model in the form of OpenAI, at this address. */
export async function model(speaks: Speaks): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (text: string) => (body += text));
    request.on('end', () => {
      const content = speaks(promptOf(body));
      response.setHeader('content-type', 'text/event-stream');
      const chunk = (delta: object, finish_reason: string | null) =>
        `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
      response.end(`${chunk({ content }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`);
    });
  });
  return listening(server);
}

/** All words of a request, the newest last. */
function promptOf(body: string): string {
  if (body === '') return '';
  const { messages = [] } = JSON.parse(body) as { messages?: { content: unknown }[] };
  return messages
    .map(({ content }) =>
      Array.isArray(content)
        ? content.map((part: { text?: string }) => part.text ?? '').join('\n')
        : String(content ?? ''),
    )
    .join('\n\n');
}

export async function listening(server: Server): Promise<string> {
  if (!server.listening) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endsWithTest(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A data folder of its own, with the program as a user calls it. */
export class Desk {
  readonly folder = mkdtempSync(`${tmpdir()}/shidi-journey-`);
  readonly data = `${this.folder}/data`;
  /** Programs that the program itself starts are looked for here first. */
  readonly programs = `${this.folder}/bin`;

  constructor(
    url: string,
    /** What the system and the browser speak. */
    private readonly language: 'en' | 'zh' = 'en',
  ) {
    endsWithTest(() => rmSync(this.folder, { recursive: true, force: true }));
    mkdirSync(this.data);
    mkdirSync(this.programs);
    writeFileSync(`${this.data}/config.toml`, `provider = "openai"\nmodel = "scripted"\nmodel_url = "${url}"\n`);
  }

  /** What a command printed, in full. */
  run(...command: string[]): Promise<string> {
    return new Promise((resolve) => {
      execFile(SHIDI, command, { env: this.environment() }, (_cause, stdout, stderr) => resolve(stdout + stderr));
    });
  }

  /** The lines that a command printed with `--json`. */
  lines<Line>(...command: string[]): Promise<Line[]> {
    return new Promise((resolve, reject) => {
      execFile(SHIDI, [...command, '--json'], { env: this.environment() }, (_cause, stdout, stderr) => {
        const lines = stdout.split('\n').filter((line) => line !== '');
        if (lines.length === 0 && stderr !== '') reject(new Error(`${command.join(' ')}: ${stderr}`));
        else resolve(lines.map((line) => JSON.parse(line) as Line));
      });
    });
  }

  start(...command: string[]): ChildProcess {
    const child = spawn(SHIDI, command, { env: this.environment() });
    endsWithTest(() => child.kill('SIGKILL'));
    return child;
  }

  /** A browser with the companion that the program installed. */
  async browser(): Promise<BrowserContext> {
    const profile = `${this.folder}/profile`;
    expect(await this.run('companion', 'install', '--profile', profile)).toContain('companion');
    const language = this.language === 'zh' ? 'zh-CN' : 'en-GB';
    const context = await launch(profile, `${this.data}/companion`, { language });
    endsWithTest(() => context.close());
    return context;
  }

  /** Lets the browser in: the code on both sides is the same. */
  async letIn(context: BrowserContext): Promise<void> {
    const asking = this.start('companion', 'pair');
    let said = '';
    asking.stderr?.on('data', (text) => (said += String(text)));
    const popup = await context.newPage();
    await popup.goto(`chrome-extension://${COMPANION_ID}/popup.html`);
    const code = await popup
      .locator('#code')
      .filter({ hasText: /\d{3} \d{3}/ })
      .textContent();
    await expect.poll(() => said, { timeout: 15_000 }).toContain(code);
    asking.stdin?.end('y\n');
    await popup.locator('#forget').waitFor();
    await popup.close();
  }

  private environment(): NodeJS.ProcessEnv {
    const { PATH } = process.env;
    return {
      PATH: `${this.programs}:${PATH ?? ''}`,
      HOME: this.folder,
      XDG_RUNTIME_DIR: `${this.folder}/run`,
      SHIDI_DATA_DIR: this.data,
      SHIDI_KEY_OPENAI: 'sk-test-0000000000001234',
      LANG: this.language === 'zh' ? 'zh_CN.UTF-8' : 'en_US.UTF-8',
      TZ: 'UTC',
    };
  }
}
