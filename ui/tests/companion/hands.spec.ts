/** What Shidi does in a page, in a real Chromium: by name, shown before, taken back, and never with what is secret. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { oneBrowser } from './browser';

const { opened } = oneBrowser();

async function onForm() {
  const at = await opened();
  await at.pair();
  const { form, page } = await at.form();
  const act = (tool: string, given: object = {}) => at.act(page, tool, given);
  return { at, shidi: at.shidi, form, page, act };
}

const value = (form: Page, name: string) => form.locator(`[name=${name}]`).inputValue();

/** What stood around the outline whenever one was drawn. */
async function watchOutlines(form: Page): Promise<() => Promise<string[]>> {
  await form.evaluate(() => {
    const drawn: string[] = [];
    Object.assign(window, { drawn });
    new MutationObserver((records) => {
      for (const { addedNodes } of records)
        for (const node of addedNodes)
          if (node instanceof Element && node.localName === 'shidi-outline')
            if (node.matches(':popover-open'))
              drawn.push(document.querySelector<HTMLInputElement>('[name=name]')?.value ?? '');
    }).observe(document.documentElement, { childList: true });
  });
  return () => form.evaluate(() => (window as unknown as { drawn: string[] }).drawn);
}

test('elements are found by role and name, in shadow roots and frames too', async () => {
  const { act } = await onForm();
  expect(await act('find', { role: 'button', name: 'send' })).toMatchObject([
    { role: 'button', name: 'Send the order', states: [], ref: expect.stringMatching(/^Send-the-order-/) },
  ]);
  expect(await act('find', { role: 'combobox' })).toMatchObject([{ name: 'Model', value: 'Town' }]);
  expect(await act('find', { name: 'Depth', role: '', text: '' })).toMatchObject([{ value: 'deep' }]);
  expect(await act('find', { name: 'Tone' })).toMatchObject([{ value: 'high' }]);
  expect(await act('find', { text: 'built by hand', role: '', name: '' })).toMatchObject([{ role: 'paragraph' }]);
  expect(await act('find', { role: '', name: '', text: '' })).toEqual([]);
  expect(await act('find', { name: 'Nobody is called so' })).toEqual([]);
});

test('links are told once each, by name and address', async () => {
  const { at, act } = await onForm();
  expect(await act('links')).toEqual([{ text: 'Terms of the workshop', url: `${at.address}/terms.html` }]);
});

test('a field is shown first, then filled as typing fills it, and put back', async () => {
  const { form, act } = await onForm();
  const outlines = await watchOutlines(form);
  const filled = await act('fill', { field: 'Your name', value: 'Lin' });
  expect(filled).toMatchObject({ done: true, what: 'filled textbox "Your name"' });
  expect(await outlines()).toEqual(['Mei']);
  expect(await value(form, 'name')).toBe('Lin');
  expect(await form.locator('#typed').textContent()).toBe('1');
  expect(await form.locator('#changed').textContent()).toBe('1');
  expect(await act('undo', { undo: filled['undo'] })).toMatchObject({ done: true });
  expect(await value(form, 'name')).toBe('Mei');
  expect(await act('undo', { undo: filled['undo'] })).toMatchObject({ done: false });
});

test('what was more than text is filled, and not put back as plain text', async () => {
  const { form, act } = await onForm();
  await form.locator('#note').evaluate((note) => note.insertAdjacentHTML('beforeend', ' <b>bold</b>'));
  const filled = await act('fill', { field: 'Note to the workshop', value: 'Plain' });
  expect(filled).toEqual({ done: true, what: 'filled textbox "Note to the workshop"' });
  expect(await form.locator('#note').textContent()).toBe('Plain');
});

test('pages that watch a field by a property of its own hear what was filled', async () => {
  const { form, act } = await onForm();
  await act('fill', { field: 'Wishes', value: 'A basket\nand a lamp' });
  expect(await value(form, 'wishes')).toBe('A basket\nand a lamp');
  expect(await form.locator('[name=wishes]').getAttribute('data-heard')).toBe('new');
});

test('choices, ticks, days and free texts are filled and put back', async () => {
  const { form, act } = await onForm();
  const back: unknown[] = [];
  const fill = async (field: string, text: string) => {
    const filled = await act('fill', { field, value: text });
    expect(filled, field).toMatchObject({ done: true });
    back.push(filled['undo']);
  };
  await fill('Model', 'Long road');
  await fill('With a bell', 'true');
  await fill('Colour', 'Green');
  await fill('Delivered on', '2026-12-24');
  await fill('Note to the workshop', 'Good day');
  await fill('Depth', 'deeper');
  await fill('Tone', 'low');
  expect(await value(form, 'model')).toBe('Long road');
  expect(await form.locator('[name=bell]').isChecked()).toBe(true);
  expect(await form.locator('[value=g]').isChecked()).toBe(true);
  expect(await value(form, 'day')).toBe('2026-12-24');
  expect(await form.locator('#note').textContent()).toBe('Good day');
  expect(await form.locator('part-s input').inputValue()).toBe('deeper');
  expect(await form.frameLocator('iframe').locator('#tone').inputValue()).toBe('low');
  for (const undo of back.toReversed()) expect(await act('undo', { undo }), String(undo)).toMatchObject({ done: true });
  expect(await value(form, 'model')).toBe('Town');
  expect(await form.locator('[name=bell]').isChecked()).toBe(false);
  expect(await form.locator('[value=g]').isChecked()).toBe(false);
  expect(await value(form, 'day')).toBe('');
  expect(await form.locator('#note').textContent()).toBe('Hello');
  expect(await form.frameLocator('iframe').locator('#tone').inputValue()).toBe('high');
});

test('what does not fit is refused with its reason, and nothing has changed', async () => {
  const { form, act } = await onForm();
  const refused = async (field: string, text: string) => {
    const { done, what } = await act('fill', { field, value: text });
    expect(done, field).toBe(false);
    return String(what);
  };
  expect(await refused('Delivered on', 'tomorrow')).toContain('2026-01-31');
  expect(await refused('Model', 'Tandem')).toContain('Town, Long road');
  expect(await refused('Model', 'Cargo')).toContain('disabled');
  expect(await refused('Your name', 'x'.repeat(21))).toContain('at most 20');
  expect(await refused('Closed', 'y')).toContain('disabled');
  expect(await refused('Nowhere', 'y')).toContain('nothing on the page is called');
  expect(await value(form, 'name')).toBe('Mei');
});

test('secret fields are never filled, found with their value, or put into', async () => {
  const { form, act } = await onForm();
  for (const field of ['Password', 'Card number', 'Code from your phone'])
    expect(await act('fill', { field, value: 'mine' }), field).toMatchObject({ done: false });
  await form.locator('[name=password]').focus();
  expect(await act('insert', { text: 'mine' })).toMatchObject({ done: false });
  expect(await value(form, 'password')).toBe('hunter2-secret');
  expect(await value(form, 'number')).toBe('4929 1111 2222 3333');
  expect(await value(form, 'code')).toBe('482913');
});

test('what the user has changed since is not put back', async () => {
  const { form, act } = await onForm();
  const { undo } = await act('fill', { field: 'Your name', value: 'Lin' });
  await form.locator('[name=name]').fill('Mine');
  expect(await act('undo', { undo })).toMatchObject({ done: false, what: expect.stringContaining('changed since') });
  expect(await value(form, 'name')).toBe('Mine');
});

test('buttons are clicked by their whole name, in shadow roots and frames too', async () => {
  const { form, act } = await onForm();
  expect(await act('click', { ref: '', role: 'button', name: 'send the order' })).toMatchObject({ done: true });
  expect(await form.locator('#sent').textContent()).toBe('1');
  expect(await act('click', { name: 'Deep button' })).toMatchObject({ done: true });
  expect(await form.locator('#sent').textContent()).toBe('2');
  expect(await act('click', { name: 'Ring' })).toMatchObject({ done: true });
  expect(await form.locator('#sent').textContent()).toBe('3');
  expect(await act('click', { name: 'Send' })).toMatchObject({ done: false });
  expect(await act('click', { name: 'Twin' })).toMatchObject({ done: false, what: expect.stringContaining('several') });
  const [twin] = (await act('find', { name: 'Twin' })) as unknown as { ref: string }[];
  expect(await act('click', { ref: twin?.ref })).toMatchObject({ done: true });
});

test('a link leads on, and its call has its answer', async () => {
  const { form, act } = await onForm();
  expect(await act('click', { role: 'link', name: 'Terms of the workshop' })).toMatchObject({ done: true });
  await form.waitForURL('**/terms.html');
});

test('what is no longer called as it was approved, is covered or gone, is not clicked', async () => {
  const { form, act } = await onForm();
  const [send] = (await act('find', { name: 'Send the order' })) as unknown as { ref: string }[];
  const [gone] = (await act('find', { name: 'Remove me' })) as unknown as { ref: string }[];
  await form.evaluate(() => document.getElementById('gone')?.replaceWith('nothing'));
  expect(await act('click', { ref: gone?.ref })).toMatchObject({
    done: false,
    what: expect.stringContaining('no longer'),
  });
  await form.evaluate(() => document.body.insertAdjacentHTML('beforeend', '<div id="cover">Before everything</div>'));
  expect(await act('click', { ref: send?.ref })).toMatchObject({
    done: false,
    what: expect.stringContaining('covered'),
  });
  await form.evaluate(() => {
    document.getElementById('cover')?.remove();
    const button = document.getElementById('send');
    if (button !== null) button.textContent = 'Pay at once';
  });
  expect(await act('click', { ref: send?.ref })).toMatchObject({
    done: false,
    what: 'the element was called "Send the order" and is called "Pay at once" now: read the page again',
  });
  expect(await form.locator('#sent').textContent()).toBe('0');
});

test('a button that is called otherwise once it is shown is not clicked', async () => {
  const { form, act } = await onForm();
  await form.evaluate(() => {
    new MutationObserver(() => {
      const button = document.getElementById('send');
      if (button !== null) button.textContent = 'Pay at once';
    }).observe(document.documentElement, { childList: true });
  });
  expect(await act('click', { role: 'button', name: 'Send the order' })).toMatchObject({ done: false });
  expect(await form.locator('#sent').textContent()).toBe('0');
});

test('a text is selected where it stands', async () => {
  const { form, act } = await onForm();
  expect(await act('select', { text: 'built by  hand' })).toMatchObject({ done: true });
  expect(await form.evaluate(() => String(document.getSelection()))).toBe('built by hand');
  expect(await act('select', { text: 'hunter2' })).toMatchObject({ done: false });
});

test('an answer goes to the caret of the field that the user left, and can be taken back', async () => {
  const { form, act } = await onForm();
  await form.locator('[name=wishes]').evaluate((field: HTMLTextAreaElement) => {
    field.focus();
    field.setSelectionRange(3, 9);
    field.blur();
  });
  const inserted = await act('insert', { text: 'lamp' });
  expect(inserted).toMatchObject({ done: true });
  expect(await value(form, 'wishes')).toBe('No lamp');
  await act('undo', { undo: inserted['undo'] });
  expect(await value(form, 'wishes')).toBe('No basket');
  await form.locator('#note').click();
  await form.keyboard.press('End');
  await act('insert', { text: ', workshop' });
  expect(await form.locator('#note').textContent()).toBe('Hello, workshop');
});

test('where no field had the focus, nothing is inserted', async () => {
  const { act } = await onForm();
  expect(await act('insert', { text: 'lamp' })).toEqual({ done: false, what: 'no field had the focus' });
});

test('an address is opened beside the page, and only one of the web', async () => {
  const { at, act, shidi, page } = await onForm();
  expect(await act('open', { url: `${at.address}/terms.html` })).toEqual({
    done: true,
    url: `${at.address}/terms.html`,
  });
  await expect.poll(() => at.context.pages().map((tab) => tab.url())).toContain(`${at.address}/terms.html`);
  for (const url of ['file:///etc/passwd', 'javascript:alert(1)', 'chrome://settings', '']) {
    shidi.say({
      ...page,
      type: 'call',
      call: `open-${url.slice(0, 4)}x`,
      tool: 'open',
      arguments: { url },
      own: true,
      site: at.address,
    });
    expect(await shidi.next('failed')).toMatchObject({ message: 'only an address of the web can be opened' });
  }
});

test('a field that becomes a secret while it is shown is not filled', async () => {
  const { form, act } = await onForm();
  await form.evaluate(() => {
    new MutationObserver(() => document.querySelector('[name=name]')?.setAttribute('type', 'password')).observe(
      document.documentElement,
      { childList: true },
    );
  });
  expect(await act('fill', { field: 'Your name', value: 'mine' })).toMatchObject({ done: false });
  expect(await value(form, 'name')).toBe('Mei');
});

test('secrets that are dressed as something else are known all the same', async () => {
  const { form, act } = await onForm();
  await form.evaluate(() =>
    document.querySelector('main')?.insertAdjacentHTML(
      'beforeend',
      `<label>Favourite bird <input id="bird" type="password" value="hunter2"></label>
       <label>Favourite river <input id="river" style="-webkit-text-security: disc" value="hunter2"></label>
       <label>Favourite hill <input id="hill" value="4929 1111 2222 3333"></label>`,
    ),
  );
  for (const field of ['Favourite bird', 'Favourite river', 'Favourite hill'])
    expect(await act('fill', { field, value: 'mine' }), field).toMatchObject({ done: false });
  expect(JSON.stringify(await act('find', { name: 'Favourite' }))).not.toMatch(/hunter2|4929/);
});

test('pages that take over clicks, names and setters gain nothing, and thousands of buttons take no longer', async () => {
  const { at, form, act } = await onForm();
  await form.evaluate(() => {
    const stolen = () => document.body.setAttribute('data-stolen', 'yes');
    for (const type of [Element, HTMLElement, HTMLInputElement, Document, Node])
      for (const name of ['click', 'matches', 'getAttribute', 'closest', 'focus', 'contains', 'createElement'])
        if (Object.hasOwn(type.prototype, name)) Object.defineProperty(type.prototype, name, { value: stolen });
    Object.defineProperty(HTMLInputElement.prototype, 'value', { get: () => 'forged', set: stolen });
    const main = document.querySelector('main');
    for (const name of ['querySelectorAll', 'defaultView', 'addEventListener'])
      main?.insertAdjacentHTML('beforeend', `<img name="${name}" alt="">`);
    main?.insertAdjacentHTML('beforeend', '<button type="button">Buy</button>'.repeat(20_000));
  });
  expect(await act('find', { role: 'button', name: 'Buy' })).toHaveLength(20);
  expect(await act('fill', { field: 'Your name', value: 'Lin' })).toMatchObject({ done: true });
  expect(await act('click', { role: 'button', name: 'Buy' })).toMatchObject({ done: false });
  expect(await act('click', { role: 'button', name: 'Send the order' })).toMatchObject({ done: true });
  expect(await form.locator('#sent').textContent()).toBe('1');
  expect(await form.locator('body').getAttribute('data-stolen')).toBeNull();
  expect(await at.mistakes()).toEqual([]);
});
