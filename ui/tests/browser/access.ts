/** What a page breaks of the rules for assistive technology, and what of it reaches beyond its window. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { still } from './stage';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Rules whose outcome is another one in other colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** What the page breaks of the rules, in a form that says where. */
export async function broken(page: Page): Promise<string[]> {
  // As the debugger's own script: the policy of the page allows none but its own.
  const client = await page.context().newCDPSession(page);
  await client.send('Runtime.evaluate', { expression: AXE });
  return found(page, {});
}

/** The same in the other theme, on a page that was looked at: of the rules that a theme can break. It stays in that theme. */
export async function brokenInOtherTheme(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    const { dataset } = document.documentElement;
    dataset['theme'] = dataset['theme'] === 'dark' ? 'light' : 'dark';
  });
  await still(page);
  return found(page, { runOnly: { type: 'rule', values: OF_COLOURS } });
}

async function found(page: Page, options: object): Promise<string[]> {
  const findings = await page.evaluate(async (options) => {
    const { axe } = window as unknown as { axe: { run: (options: unknown) => Promise<{ violations: Finding[] }> } };
    return (await axe.run({ ...options, resultTypes: ['violations'] })).violations;
  }, options);
  return findings.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 160)} | ${node.failureSummary.split('\n')[1] ?? ''}`),
  );
}

/** Elements that reach beyond the window, other than what scrolls by itself. */
export const beyond = (page: Page, root: '.panel' | '.workbench') =>
  page.evaluate(
    (root) =>
      [...document.querySelectorAll<HTMLElement>(`${root} *`)]
        .filter((element) => {
          const box = element.getBoundingClientRect();
          if (box.width === 0 || box.height === 0 || element.closest('.spoken, .katex, svg, [hidden]') !== null)
            return false;
          for (let up = element.parentElement; up !== null; up = up.parentElement) {
            if (
              /auto|scroll|hidden|clip/.test(getComputedStyle(up).overflowX) &&
              !up.matches(`${root}, .scroller, html, body`)
            )
              return false;
          }
          return box.right > innerWidth + 1 || box.left < -1;
        })
        .map((element) => `${element.tagName}.${element.className}`),
    root,
  );
