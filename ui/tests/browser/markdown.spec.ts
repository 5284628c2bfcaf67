/** Formulas and diagrams: drawn from what the program brings along, under its policy, and never acting. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { ask, scenes, type View } from './stage';

const on = scenes();

/** The scene's own answer, once it is complete, and what was loaded for it. */
const shown = (view: View, act: (page: Page, loads: string[]) => Promise<void>) =>
  on(view, async (page) => {
    const loads: string[] = [];
    page.on('request', (request) => loads.push(request.url()));
    await ask(page);
    await page.locator('.after').waitFor();
    await act(page, loads);
  });

const elsewhere = (loads: string[]) =>
  loads.filter((address) => !/^(?:http:\/\/127\.0\.0\.1|blob:|data:)/.test(address));

describe('formulas', () => {
  test('are drawn in text, alone and in tables, and a price is none', () =>
    shown({ scene: 'rich' }, async (page, loads) => {
      await page.locator('.katex').first().waitFor();
      await expect.poll(() => page.locator('.math').count()).toBe(4);
      await expect.poll(() => page.locator('.math.display').count()).toBe(1);
      await expect.poll(() => page.locator('.answer').innerText()).toContain('$0.02');
      // KaTeX's own letters are there: without its style sheet the parts of a fraction stand in one line.
      const formula = await page.locator('.math.display').boundingBox();
      expect(formula?.height).toBeGreaterThan(30);
      await expect
        .poll(() =>
          page
            .locator('.math.display .mfrac')
            .evaluate((part) => getComputedStyle(part.closest('.katex') ?? part).fontFamily),
        )
        .toContain('KaTeX');
      expect(elsewhere(loads)).toEqual([]);
    }));

  test('are read out by MathML, and their source is not read a second time', () =>
    shown({ scene: 'rich' }, async (page) => {
      await page.locator('.katex').first().waitFor();
      await expect.poll(() => page.locator('.math.display math mfrac').count()).toBe(1);
      await expect.poll(() => page.locator('annotation').count()).toBe(0);
    }));

  test('one with a mistake is shown as its source', () =>
    shown({ scene: 'diagram' }, async (page) => {
      await page.locator('.note').waitFor();
      await expect.poll(() => page.locator('.answer .block code').innerText()).toBe('\\frac{1}{');
    }));
});

describe('diagrams', () => {
  test('are pictures, drawn without a network, with their source one key away', () =>
    shown({ scene: 'rich' }, async (page, loads) => {
      const picture = page.locator('.answer img');
      await picture.waitFor();
      await expect
        .poll(() =>
          picture.evaluate(async (image: HTMLImageElement) => image.decode().then(() => image.naturalWidth > 200)),
        )
        .toBe(true);
      await expect.poll(() => picture.getAttribute('alt')).toContain('flowchart LR');
      expect(elsewhere(loads)).toEqual([]);
      await page.getByRole('button', { name: 'Source' }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => page.locator('.answer figure pre').innerText()).toContain('A[read builds.csv]');
      await page.getByRole('button', { name: 'Picture' }).click();
      await picture.waitFor();
      await expect.poll(() => page.locator('.diagram-stage').count()).toBe(0);
    }));

  test('one with a mistake is shown as code with the reason', () =>
    shown({ scene: 'diagram' }, async (page) => {
      await page.locator('.note').waitFor();
      await expect.poll(() => page.locator('.note').innerText()).toContain('can’t be drawn');
      await expect.poll(() => page.locator('.answer figure pre').innerText()).toContain('A --> [');
      await expect.poll(() => page.locator('.answer img').count()).toBe(0);
    }));

  test('follow the theme', async () => {
    const grounds: string[] = [];
    for (const theme of ['light', 'dark'] as const) {
      await shown({ scene: 'rich', theme }, async (page) => {
        await page.locator('.answer img').waitFor();
        grounds.push(
          await page.locator('.answer img').evaluate(async (image: HTMLImageElement) => {
            await image.decode();
            const canvas = document.createElement('canvas');
            [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
            const context = canvas.getContext('2d');
            context?.drawImage(image, 0, 0);
            return [...(context?.getImageData(20, image.naturalHeight / 2, 1, 1).data ?? [])].join();
          }),
        );
      });
    }
    expect(grounds).toHaveLength(2);
    expect(grounds[0]).not.toBe(grounds[1]);
  });
});
