/** The focus of a section: what stands in the place of an element that has gone has it next. Drawn by a page without layout. */
// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdFocus } from '../src/workbench/held-focus';
import { walk } from '../src/workbench/stops';

/** Without layout nothing is drawn: here everything is that stands on the page and is not covered. */
const isDrawn = (element: Element) => element.isConnected && element.closest('.covered') === null;

let main: HTMLElement;
let letGo: () => void;

const on = (name: string): HTMLElement => {
  const found = document.querySelector<HTMLElement>(`.${name}`);
  if (found === null) throw new Error(`Nothing is called ${name}`);
  return found;
};
const held = () => document.activeElement?.className;

/** Until a look that is due has been taken: it is asked for after this, and comes with the next frame. */
async function looked(): Promise<void> {
  for (let frame = 0; frame < 3; frame += 1) {
    await new Promise((done) => setTimeout(done));
    await new Promise((drawn) => requestAnimationFrame(drawn));
  }
}

/** As an element goes in a browser: its focus is nobody's then. */
function remove(name: string): void {
  const gone = on(name);
  if (gone.contains(document.activeElement)) (document.activeElement as HTMLElement).blur();
  gone.remove();
}

beforeEach(() => {
  HTMLElement.prototype.getClientRects = function rects(this: HTMLElement) {
    return (isDrawn(this) ? [{}] : []) as unknown as DOMRectList;
  };
  document.body.innerHTML = `<main>
    <div class="list" role="listbox" tabindex="0" data-stop></div>
    <section class="detail" tabindex="-1" data-stop>
      <button class="trust"></button><button class="run"></button>
    </section>
  </main>`;
  main = document.querySelector('main') as HTMLElement;
  letGo = holdFocus(main);
});
afterEach(() => letGo());

test('a button that goes with what it has done leaves the focus to the part in which it stood', async () => {
  on('trust').focus();
  remove('trust');
  await expect.poll(held).toBe('detail');
});

test('a part that goes leaves the focus to the one that stands there now, and the last thing to what can be done', async () => {
  on('run').focus();
  remove('detail');
  main.insertAdjacentHTML('beforeend', '<form class="editor" tabindex="-1" data-stop><input class="name" /></form>');
  await expect.poll(held).toBe('editor');
  on('name').focus();
  remove('list');
  remove('editor');
  main.insertAdjacentHTML('beforeend', '<div class="none"><button class="begin"></button></div>');
  await expect.poll(held).toBe('begin');
});

test('whoever takes the focus as soon as it is drawn has it', async () => {
  on('run').focus();
  remove('run');
  on('detail').insertAdjacentHTML('beforeend', '<button class="keep"></button>');
  on('keep').focus();
  await looked();
  expect(held()).toBe('keep');
});

test('a list that is covered leaves it to the thing that covers it', async () => {
  on('list').focus();
  on('list').classList.add('covered');
  await expect.poll(held).toBe('detail');
});

test('a button that was off while it waited has the focus again', async () => {
  const run = on('run') as HTMLButtonElement;
  run.focus();
  // As in a browser: what is switched off has no focus. A page without layout takes it only from what is on.
  run.blur();
  run.disabled = true;
  await looked();
  expect(document.activeElement, 'it waits').toBe(document.body);
  run.disabled = false;
  await expect.poll(held).toBe('run');
});

test('a place outside that has the focus keeps it, whatever goes in the section', async () => {
  document.body.insertAdjacentHTML('beforeend', '<button class="outside"></button>');
  on('run').focus();
  on('outside').focus();
  remove('detail');
  await looked();
  expect(held()).toBe('outside');
});

test('nothing is given back to somebody who pressed beside everything', async () => {
  on('run').focus();
  on('run').blur();
  await looked();
  remove('run');
  await looked();
  expect(document.activeElement).toBe(document.body);
});

test("a key that goes through a list is the list's from the thing beside it, and nobody's where a thing stands alone", () => {
  const trouble: unknown[] = [];
  const press = () => {
    on('detail').focus();
    on('detail').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true, cancelable: true }));
  };
  main.addEventListener('keydown', (event) => {
    try {
      walk(event, main, undefined, () => undefined);
    } catch (error) {
      trouble.push(error);
    }
  });
  press();
  expect(held()).toBe('list');
  remove('list');
  press();
  expect(held()).toBe('detail');
  expect(trouble).toEqual([]);
});

test('nothing is taken by a section in which nobody had the focus', async () => {
  remove('trust');
  await looked();
  expect(document.activeElement).toBe(document.body);
});
