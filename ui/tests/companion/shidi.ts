/**
 * Plays Shidi's part on the socket that the host program reaches: says what a test tells it to, and keeps what it hears.
 *
 * Decides nothing by itself, so that a test can also play a Shidi that is late, gone or wrong.
 */
import { createServer, type Server, type Socket } from 'node:net';

export type Message = { type: string } & Record<string, unknown>;

/** Longest wait for one message; the companion's longest pause is half of it only after five failures. */
const WAIT_MS = 15_000;

export class Shidi {
  /** All that was ever heard, as it came over the wire. */
  readonly heard: Message[] = [];
  connections = 0;
  private server: Server | null = null;
  private browser: Socket | null = null;
  /** Who said hello and was not let in yet. */
  private waiting: Socket | null = null;
  private isWelcoming = false;
  private read = 0;
  private wake: () => void = () => undefined;

  constructor(private readonly path: string) {}

  async start(): Promise<void> {
    const server = createServer((browser) => {
      this.browser = browser;
      this.connections += 1;
      let rest = '';
      browser.setEncoding('utf8');
      browser.on('error', () => undefined);
      browser.on('data', (text: string) => {
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.hear(browser, JSON.parse(line) as Message);
        this.wake();
      });
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.path, resolve));
  }

  /** Ends as a killed program does: the connection breaks, and nobody listens. */
  async stop(): Promise<void> {
    this.browser?.destroy();
    this.browser = null;
    this.waiting = null;
    this.isWelcoming = false;
    await new Promise<void>((resolve) => (this.server === null ? resolve() : this.server.close(() => resolve())));
    this.server = null;
  }

  say(message: Message): void {
    this.browser?.write(`${JSON.stringify(message)}\n`);
  }

  /** The next message of that kind which was not read yet; those before it are passed over. */
  async next(type: string, fits: (message: Message) => boolean = () => true): Promise<Message> {
    const until = Date.now() + WAIT_MS;
    for (;;) {
      while (this.read < this.heard.length) {
        const message = this.heard[this.read++];
        if (message?.type === type && fits(message)) return message;
      }
      const left = until - Date.now();
      if (left <= 0)
        throw new Error(
          `No ${type} came; heard were ${this.heard.map((one) => JSON.stringify(one).slice(0, 120)).join('\n')}`,
        );
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Lets a browser in that was here before, as often as it says hello: one that is just ending may have said it too. */
  async welcome(): Promise<Message> {
    this.isWelcoming = true;
    this.letIn();
    return this.next('hello');
  }

  private hear(browser: Socket, message: Message): void {
    this.heard.push(message);
    if (message.type === 'hello') this.waiting = browser;
    if (this.isWelcoming) this.letIn();
  }

  private letIn(): void {
    this.waiting?.write(`${JSON.stringify({ type: 'welcome' })}\n`);
    this.waiting = null;
  }
}
