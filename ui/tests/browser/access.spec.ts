/** Assistive technology finds nothing broken in any state of chips, find anything, models, settings and first run. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Stage } from './stage';
import { STATES } from './states';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open();
});
afterAll(() => stage.close());

/** What the page breaks of the rules, in a form that says where. */
async function broken(page: Page): Promise<string[]> {
  // As the debugger's own script: the policy of the page allows none but its own.
  const client = await page.context().newCDPSession(page);
  await client.send('Runtime.evaluate', { expression: AXE });
  const findings = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run: (options: unknown) => Promise<{ violations: Finding[] }> } };
    return (await axe.run({ resultTypes: ['violations'] })).violations;
  });
  return findings.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} | ${node.failureSummary.split('\n')[1] ?? ''}`));
}

for (const state of STATES) {
  for (const theme of ['light', 'dark'] as const) {
    test(`${state.name}, ${theme}`, async () => {
      const page = await stage.page({ scene: state.scene, lang: theme === 'light' ? 'zh' : 'en', theme, speed: state.speed ?? 0 });
      await page.locator('textarea, .welcome').first().waitFor();
      await state.act?.(page);
      // Cards rise for 160 ms, and what is half there has half its contrast.
      await page.waitForTimeout(250);
      expect(await broken(page)).toEqual([]);
      await page.context().close();
    });
  }
}
