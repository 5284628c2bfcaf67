/** The drawing of a workflow without a window: where its steps stand, where keys lead, and how each stands in a run. */
import { describe, expect, test } from 'vitest';
import type { DrawnStep } from '../src/bindings/DrawnStep';
import type { WorkflowRunView } from '../src/bindings/WorkflowRunView';
import type { WorkflowStepView } from '../src/bindings/WorkflowStepView';
import { i18nOf } from '../src/i18n/i18n';
import { drawingsOf, neighbourOf, spotsOf, waitedFor, type Drawing, type DrawnNode } from '../src/workflows/drawing';
import { figuresOf, firstToSee, isSameDrawing } from '../src/workflows/figures';
import { armSaid, figureSaid } from '../src/workflows/labels';
import { placing } from '../src/workflows/placing';

const step = (id: string, after: string[] = [], part: Partial<DrawnStep> = {}): DrawnStep => ({
  id,
  kind: 'code',
  description: '',
  what: '',
  within: null,
  arm: 0,
  after,
  when: '',
  arms: [],
  line: 1,
  ...part,
});

/** A step, two that wait for it, a branch with two arms, a loop within one of them, and the end. */
const STEPS: readonly DrawnStep[] = [
  step('first'),
  step('left', ['first']),
  step('right', ['first']),
  step('branch', ['left', 'right'], {
    kind: 'branch',
    arms: [
      { kind: 'when', when: '{n} > 3' },
      { kind: 'otherwise', when: '' },
    ],
  }),
  step('yes', [], { within: 'branch' }),
  step('each', ['yes'], { within: 'branch', kind: 'loop', arms: [{ kind: 'round', when: '{done}' }] }),
  step('round', [], { within: 'each' }),
  step('no', [], { within: 'branch', arm: 1 }),
  step('end', ['branch', 'first']),
];

const place = await placing();
const drawn = (steps: readonly DrawnStep[], room = 2000) => drawingsOf(steps, place)(room);

const nodeOf = (drawing: Drawing, id: string): DrawnNode => {
  const found = drawing.nodes.find((node) => node.step.id === id);
  if (found === undefined) throw new Error(`${id} is not drawn`);
  return found;
};

describe('where steps stand', () => {
  const drawing = drawn(STEPS);

  test('each stands below what it waits for, and those that wait for none of each other beside each other', () => {
    const [first, left, right, branch, end] = ['first', 'left', 'right', 'branch', 'end'].map((id) =>
      nodeOf(drawing, id),
    ) as [DrawnNode, DrawnNode, DrawnNode, DrawnNode, DrawnNode];
    expect(left.y).toBe(right.y);
    expect(right.x, 'in the order of the file').toBeGreaterThan(left.x + left.width);
    for (const [above, below] of [
      [first, left],
      [left, branch],
      [branch, end],
    ] as const)
      expect(below.y).toBeGreaterThan(above.y + above.height);
    for (const node of drawing.nodes) {
      expect(node.x + node.width).toBeLessThanOrEqual(drawing.width);
      expect(node.y + node.height).toBeLessThanOrEqual(drawing.height);
    }
  });

  test('what a step within waits for already is not drawn twice', () => {
    expect(waitedFor(step('end', ['branch', 'first']), STEPS)).toEqual(['branch']);
    expect(drawing.ways).toHaveLength(5);
    for (const { line, head } of drawing.ways) expect(line + head).not.toMatch(/NaN|undefined/);
  });

  test('a block frames its arms in their order, each with its steps within it, however deep', () => {
    const branch = nodeOf(drawing, 'branch');
    const [yes, no] = branch.arms;
    if (yes === undefined || no === undefined) throw new Error('an arm is lost');
    expect([yes.arm?.when, no.arm?.kind]).toEqual(['{n} > 3', 'otherwise']);
    expect(yes.x + yes.width).toBeLessThan(no.x);
    expect(no.x + no.width).toBeLessThan(branch.width);
    expect(yes.y).toBeGreaterThan(branch.head.y + branch.head.height);
    expect(yes.inner.y + yes.drawing.height).toBeLessThan(yes.height);
    expect(nodeOf(nodeOf(yes.drawing, 'each').arms[0]?.drawing ?? drawing, 'round').step.id).toBe('round');
  });

  test('steps are narrower where the pane is, and the drawing is wider than a pane that has no room', () => {
    const wide = nodeOf(drawing, 'first').width;
    expect(nodeOf(drawn(STEPS, drawing.width - 1), 'first').width).toBeLessThan(wide);
    expect(drawn(STEPS, 100).width).toBeGreaterThan(100);
  });

  test('a pane that is resized has nothing placed anew', () => {
    let asked = 0;
    const drawings = drawingsOf(STEPS, (boxes, links) => {
      asked += 1;
      return place(boxes, links);
    });
    const wide = drawings(2000);
    drawings(100);
    const before = asked;
    for (let room = 100; room < 2000; room += 50) drawings(room);
    expect(drawings(2000)).toBe(wide);
    expect(asked).toBe(before);
  });

  test('a step may be called what objects have by themselves', () => {
    const named = drawn([step('constructor'), step('__proto__', ['constructor']), step('toString', ['__proto__'])]);
    expect(new Set(named.nodes.map(({ y }) => y)).size).toBe(3);
    expect(named.ways).toHaveLength(2);
  });
});

describe('where keys lead', () => {
  const spots = spotsOf(drawn(STEPS));
  const go = (...keys: string[]) => keys.reduce((id, key) => neighbourOf(spots, id, key), 'first');

  test('every step is reached in the order in which it is read', () => {
    expect(spots.map(({ id }) => id)).toEqual(STEPS.map(({ id }) => id));
    expect(new Set(spots.map(({ x, y }) => `${x} ${y}`)).size).toBe(spots.length);
  });

  test('down goes to the next rank and into a block, to the side within a rank, and back', () => {
    expect(go('ArrowDown', 'ArrowRight')).toBe('right');
    expect(go('ArrowDown', 'ArrowRight', 'ArrowLeft')).toBe('left');
    expect(go('ArrowDown', 'ArrowDown')).toBe('branch');
    expect(['yes', 'no']).toContain(go('ArrowDown', 'ArrowDown', 'ArrowDown'));
    expect(go('End')).toBe('end');
    expect(go('End', 'Home')).toBe('first');
  });

  test('a key that leads nowhere, or is another one, stays', () => {
    expect(go('ArrowUp')).toBe('first');
    expect(go('ArrowLeft')).toBe('first');
    expect(go('a')).toBe('first');
    expect(neighbourOf(spots, 'gone', 'ArrowDown')).toBe('gone');
  });
});

describe('how steps stand in a run', () => {
  const of = (id: string, state: WorkflowStepView['state'], rounds: number[] = []): WorkflowStepView => ({
    id,
    rounds,
    state,
    started: '2026-11-20T09:41:07Z',
    ended: null,
    outputs: {},
    reason: null,
    attempt: null,
    program: null,
    unknown: [],
  });
  const run = (steps: WorkflowStepView[], ended: string | null = null): WorkflowRunView => ({
    run: 'w1',
    name: 'n',
    title: 'N',
    status: ended === null ? 'running' : 'done',
    started: '2026-11-20T09:41:07Z',
    ended,
    inputs: {},
    result: {},
    error: null,
    usage: { input: 0, cached: 0, output: 0, model_calls: 0 },
    tainted: false,
    steps,
    waiting: [],
  });
  const standings = (steps: WorkflowStepView[], ended: string | null = null) =>
    Object.fromEntries([...figuresOf(run(steps, ended), STEPS)].map(([id, { standing }]) => [id, standing]));

  test('a step of an arm that was not taken is left out, and one that was never come to was not reached', () => {
    const steps = [
      of('first', 'done'),
      of('left', 'done'),
      of('branch', 'done'),
      of('no', 'done'),
      of('right', 'failed'),
    ];
    expect(standings(steps)).toEqual({
      first: 'done',
      left: 'done',
      right: 'failed',
      branch: 'done',
      yes: 'skipped',
      each: 'skipped',
      round: 'skipped',
      no: 'done',
    });
    expect(standings(steps, '2026-11-20T09:42:31Z')['end']).toBe('unreached');
    expect(figuresOf(null, STEPS).size).toBe(0);
  });

  test('a loop counts its rounds, and a round that needs somebody is not hidden by the next', () => {
    const rounds = [of('round', 'done', [0]), of('round', 'failed', [1]), of('round', 'done', [2])];
    const figure = figuresOf(run(rounds), STEPS).get('round');
    expect(figure).toMatchObject({ standing: 'done', times: 3, failed: 1 });
    const [zh, en] = ['zh', 'en'].map((language) => i18nOf(() => language));
    if (figure === undefined || zh === undefined || en === undefined) throw new Error('nothing to say');
    expect(figureSaid(en, figure)).toBe('done · 3 times · 1 failed');
    expect(figureSaid(zh, figure)).toBe('完成 · 3 次 · 1 次失败');
    const unknown = [of('round', 'uncertain', [0]), of('round', 'done', [1])];
    expect(figuresOf(run(unknown), STEPS).get('round')?.standing).toBe('uncertain');
  });

  test('a block of which only steps are on record is at work, and was cancelled with its run', () => {
    const steps = [of('first', 'done'), of('yes', 'done'), of('round', 'done', [0])];
    expect(standings(steps)).toMatchObject({ branch: 'begun', each: 'begun' });
    expect(standings(steps, '2026-11-20T09:42:31Z')).toMatchObject({
      branch: 'cancelled',
      each: 'cancelled',
      no: 'unreached',
    });
  });

  test('one that waits for a person says so, and what has to be looked at first is opened', () => {
    const waiting = { ...of('left', 'begun'), waits: true };
    const figures = figuresOf(run([of('first', 'failed'), waiting]), STEPS);
    expect(figures.get('left')?.standing).toBe('waiting');
    expect(firstToSee(figures)).toBe('left');
    expect(firstToSee(figuresOf(run([of('first', 'failed'), of('left', 'done')]), STEPS))).toBe('first');
    expect(firstToSee(figuresOf(run([of('first', 'done')]), STEPS))).toBe(null);
  });

  test('a file draws the same steps wherever they stand and in whatever language they are described', () => {
    const moved = STEPS.map((one) => ({ ...one, line: one.line + 7, description: 'x' }));
    expect(isSameDrawing(STEPS, moved)).toBe(true);
    expect(isSameDrawing(STEPS, STEPS.slice(1))).toBe(false);
    expect(isSameDrawing(STEPS, [{ ...step('first'), what: 'x.y' }, ...STEPS.slice(1)])).toBe(false);
  });

  test('an arm says what decides about it', () => {
    const en = i18nOf(() => 'en');
    const said = (kind: 'when' | 'otherwise' | 'round' | 'beside' | 'failed', when = '') => armSaid(en, { kind, when });
    expect(said('when', '{n} > 3')).toBe('if {n} > 3');
    expect([said('round'), said('round', '{done}')]).toEqual(['each round', 'each round, until {done}']);
    expect([said('otherwise'), said('beside'), said('failed'), armSaid(en, undefined)]).toEqual([
      'otherwise',
      'side by side',
      'if it fails',
      '',
    ]);
  });
});
