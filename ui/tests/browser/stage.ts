/** Opens the built windows over the scripted backend, as a person would use them, each in a page of its own. */
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';

export const PANEL = { width: 420, height: 640 };

/** Longer than an approval needs before its keys work (400 ms): there is nothing on the page that tells. */
export const READY_MS = 500;

/** Longest wait for one thing on a page: shorter than a test may take, so that its failure says what was waited for. */
const WAIT_MS = 15_000;

export interface View {
  scene: string;
  /** `qps` is English, stretched and marked: another language, as the scripted build makes it. */
  lang?: 'zh' | 'en' | 'qps';
  theme?: 'light' | 'dark';
  /** 0 plays the scene at once. */
  speed?: number;
  /** Pixels of the screen for one of the page; pictures are drawn at twice the size. */
  scale?: number;
  /** The time that it is on the page, and stays. */
  at?: string;
}

export class Stage {
  /** Pages that are free to play another scene: a new one takes three times as long to open. */
  private readonly free = new Map<string, Page[]>();

  private constructor(
    readonly browser: Browser,
    private readonly address: string,
  ) {}

  static async open(folder: 'dist' | 'dist-scripted' = 'dist-scripted'): Promise<Stage> {
    const theatre = inject('theatre');
    return new Stage(await chromium.connect(theatre.browser), theatre[folder]);
  }

  /** Plays a scene on a page that remembers nothing of the one before it. */
  async play(view: View, act: (page: Page) => Promise<void>, file = 'panel.html'): Promise<void> {
    const kind = `${view.lang ?? 'zh'}-${view.scale ?? 1}-${view.at ?? ''}`;
    const page = this.free.get(kind)?.pop() ?? (await this.page(view));
    try {
      if (view.at !== undefined) await page.clock.setFixedTime(view.at);
      const query = new URLSearchParams({
        scene: view.scene,
        lang: view.lang ?? 'zh',
        theme: view.theme ?? 'light',
        speed: String(view.speed ?? 0),
      });
      await page.goto(`${this.address}${file}?${query}`);
      await page.evaluate(() => document.fonts.ready);
      await act(page);
      page.removeAllListeners();
      await page.emulateMedia({ reducedMotion: null, forcedColors: null });
      await page.setViewportSize(PANEL);
      await page.mouse.move(-1, -1);
    } catch (cause) {
      // What went wrong on it may go on: nobody plays on this page again.
      await page.context().close();
      throw cause;
    }
    this.free.set(kind, [...(this.free.get(kind) ?? []), page]);
  }

  private async page(view: View): Promise<Page> {
    const context = await this.browser.newContext({
      viewport: PANEL,
      deviceScaleFactor: view.scale ?? 1,
      locale: view.lang === 'en' ? 'en-GB' : 'zh-CN',
      timezoneId: 'Asia/Shanghai',
    });
    context.setDefaultTimeout(WAIT_MS);
    await context.addInitScript(() => localStorage.clear());
    return context.newPage();
  }

  /** A page that has gone nowhere yet. */
  async bare(): Promise<Page> {
    return (await this.browser.newContext({ viewport: PANEL })).newPage();
  }

  addressOf(file: string): string {
    return `${this.address}${file}`;
  }

  async close(): Promise<void> {
    await this.browser.close();
  }
}

/** The stage of one file of tests, open while they run. */
export function stageOf(folder: 'dist' | 'dist-scripted' = 'dist-scripted'): () => Stage {
  let stage: Stage | null = null;
  beforeAll(async () => {
    stage = await Stage.open(folder);
  });
  afterAll(() => stage?.close());
  return () => {
    if (stage === null) throw new Error('The stage is open only while tests run');
    return stage;
  };
}

/** Plays scenes for one file of tests, in English unless told otherwise. */
export function scenes(): (view: View, act: (page: Page) => Promise<void>) => Promise<void> {
  const stage = stageOf();
  return (view, act) =>
    stage().play({ lang: 'en', ...view }, async (page) => {
      await page.locator('textarea, .welcome').first().waitFor();
      await act(page);
    });
}

/** Asks the scene's own question. */
export async function ask(page: Page): Promise<void> {
  const question = await page.evaluate(() => window.scripted.question);
  await page.locator('textarea').first().fill(question);
  await page.keyboard.press('Enter');
}

/** What the panel has sent of one kind. */
export function sent(page: Page, request: string): Promise<unknown[]> {
  return page.evaluate((name) => window.scripted.sent.filter((one) => one.request === name), request);
}

/** What was decided about one kind of thing: its actions, without those that only ask what there is. */
export async function deedsAbout(page: Page, request: string): Promise<unknown[]> {
  const asked = (await sent(page, request)) as { action: { action: string } }[];
  return asked.map(({ action }) => action).filter(({ action }) => action !== 'list');
}

/** What has the focus: its role, else its tag. */
export function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(
    () => document.activeElement?.getAttribute('role') ?? document.activeElement?.tagName.toLowerCase(),
  );
}

/** Waits until nothing moves that comes to an end: a card that is half there has half its contrast. */
export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter((one) => Number.isFinite(Number(one.effect?.getComputedTiming().endTime ?? 0)));
    await Promise.allSettled(ending.map((one) => one.finished));
  });
}
