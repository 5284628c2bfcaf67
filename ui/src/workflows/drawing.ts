/**
 * Where the steps of a workflow stand in its drawing, and the ways between them; pure.
 *
 * Blocks hold one another, so each is laid out by itself, from the inside out: whoever places the steps of one sees a block
 * within it as one box. Corners are those of the plane that a box stands on, in CSS pixels.
 */
import type { DrawnArm } from '../bindings/DrawnArm';
import type { DrawnStep } from '../bindings/DrawnStep';

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Box extends Size {
  id: string;
}

export interface Link {
  from: string;
  to: string;
}

/** Where boxes stand, by their ids, and the points at which each link turns, in the order of the links. */
export interface Layout extends Size {
  corners: ReadonlyMap<string, Point>;
  bends: readonly (readonly Point[])[];
}

export type Place = (boxes: readonly Box[], links: readonly Link[]) => Layout;

/** A line from one box to another, with the head of its arrow. */
export interface Way {
  line: string;
  head: string;
}

export interface Drawing extends Size {
  nodes: readonly DrawnNode[];
  ways: readonly Way[];
}

/** A step; with arms it is a frame around them, and the step itself its head. */
export interface DrawnNode extends Point, Size {
  step: DrawnStep;
  head: Point & Size;
  arms: readonly PlacedArm[];
  ways: readonly Way[];
}

export interface PlacedArm extends Point, Size {
  number: number;
  /** What decides about it, where that is known. */
  arm: DrawnArm | undefined;
  /** Where its steps begin within it. */
  inner: Point;
  drawing: Drawing;
}

/** Pixels: of a step's two lines; around what a frame holds; between a frame's head and its arms. */
const STEP_HEIGHT = 48;
const FRAME_PAD = 10;
const ARMS_GAP = 26;
/** Pixels: of an arm's own line; around its steps; between arms; the least width that a line can be read in. */
const ARM_LINE = 24;
const ARM_PAD = 10;
const ARMS_BETWEEN = 14;
const ARM_WIDTH_MIN = 116;
/** Pixels that an arrow's head is long, and half of its width. */
const HEAD_LENGTH = 6;
const HEAD_HALF = 3.5;

/** Widths of a step in pixels, of which the first is taken whose drawing has room. */
const STEP_WIDTHS = [208, 172, 148] as const;

/** What all blocks of a drawing share. */
interface Given {
  steps: readonly DrawnStep[];
  width: number;
  place: Place;
}

/**
 * The drawing of steps in a pane of whatever width; it is wider where not even narrow steps fit. Hundreds of steps take
 * seconds to place, so each width of a step is placed once, however often the pane is resized.
 */
export function drawingsOf(steps: readonly DrawnStep[], place: Place): (room: number) => Drawing {
  const placed = new Map<number, Drawing>();
  const drawnWith = (width: number): Drawing => {
    const drawing = placed.get(width) ?? blockOf({ steps, width, place }, null, 0);
    placed.set(width, drawing);
    return drawing;
  };
  const [first, ...narrower] = STEP_WIDTHS;
  return (room) => {
    let drawing = drawnWith(first);
    for (const width of narrower) {
      if (drawing.width <= room) break;
      drawing = drawnWith(width);
    }
    return drawing;
  };
}

/** What a step waits for, without that for which something waits that it waits for itself. */
export function waitedFor(step: DrawnStep, own: readonly DrawnStep[]): readonly string[] {
  const reached = new Set<string>();
  const add = (id: string) => {
    for (const before of own.find((one) => one.id === id)?.after ?? []) {
      if (reached.has(before)) continue;
      reached.add(before);
      add(before);
    }
  };
  step.after.forEach(add);
  return step.after.filter((id) => !reached.has(id));
}

/** A step by which the keys go: the middle of what is pressed. */
export interface Spot extends Point {
  id: string;
}

/** The steps of a drawing in the order in which they are read. */
export function spotsOf(drawing: Drawing, at: Point = { x: 0, y: 0 }): readonly Spot[] {
  return drawing.nodes.flatMap((node) => {
    const corner = { x: at.x + node.x, y: at.y + node.y };
    const { head } = node;
    const own = {
      id: node.step.id,
      x: corner.x + head.x + head.width / 2,
      y: corner.y + head.y + head.height / 2,
    };
    const within = node.arms.flatMap((arm) =>
      spotsOf(arm.drawing, { x: corner.x + arm.x + arm.inner.x, y: corner.y + arm.y + arm.inner.y }),
    );
    return [own, ...within];
  });
}

/** What a pixel aside counts beside one ahead: the next rank comes before one straight below, a row before all else. */
const ASIDE = { down: 0.5, right: 2 };

/** The step that a key leads to; the same one where there is none, and for any other key. */
export function neighbourOf(spots: readonly Spot[], id: string, key: string): string {
  const from = spots.find((spot) => spot.id === id);
  if (key === 'Home') return spots[0]?.id ?? id;
  if (key === 'End') return spots.at(-1)?.id ?? id;
  const way = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[key];
  if (from === undefined || way === undefined) return id;
  const [right = 0, down = 0] = way;
  let found: { id: string; far: number } | null = null;
  for (const spot of spots) {
    const [x, y] = [spot.x - from.x, spot.y - from.y];
    const ahead = x * right + y * down;
    const far = ahead + ASIDE.down * Math.abs(x * down) + ASIDE.right * Math.abs(y * right);
    // To the left and right are steps of about the same height; the next one down may lie far to the side.
    const isAside = right !== 0 && 2 * Math.abs(y) > ahead;
    if (ahead > 1 && !isAside && (found === null || far < found.far)) found = { id: spot.id, far };
  }
  return found?.id ?? id;
}

function blockOf(of: Given, within: string | null, arm: number): Drawing {
  const own = of.steps.filter((step) => step.within === within && step.arm === arm);
  if (own.length === 0) return { width: 0, height: 0, nodes: [], ways: [] };
  const sized = own.map((step) => nodeOf(of, step));
  const links = own.flatMap((step) => waitedFor(step, own).map((from) => ({ from, to: step.id })));
  const layout = of.place(
    sized.map(({ step, width, height }) => ({ id: step.id, width, height })),
    links,
  );
  const nodes = sized.map((node) => ({ ...node, ...(layout.corners.get(node.step.id) ?? { x: 0, y: 0 }) }));
  const by = new Map(nodes.map((node) => [node.step.id, node]));
  const ways = links.flatMap(({ from, to }, at) => {
    const [above, below] = [by.get(from), by.get(to)];
    if (above === undefined || below === undefined) return [];
    return [wayOf([bottomOf(above), ...(layout.bends[at] ?? []), topOf(below)])];
  });
  return { width: layout.width, height: layout.height, nodes, ways };
}

/** A step with what stands within it; it is not placed yet. */
function nodeOf(of: Given, step: DrawnStep): DrawnNode {
  const held = of.steps.filter((one) => one.within === step.id);
  const numbers = [...new Set(held.map(({ arm }) => arm))].sort((a, b) => a - b);
  const alone = { x: 0, y: 0, width: of.width, height: STEP_HEIGHT };
  if (numbers.length === 0) return { step, ...alone, head: alone, arms: [], ways: [] };
  const top = FRAME_PAD + STEP_HEIGHT + ARMS_GAP;
  const arms: PlacedArm[] = [];
  let right = FRAME_PAD;
  for (const number of numbers) {
    const drawing = blockOf(of, step.id, number);
    const width = Math.max(drawing.width, ARM_WIDTH_MIN) + 2 * ARM_PAD;
    const inner = { x: Math.round((width - drawing.width) / 2), y: ARM_LINE };
    const height = ARM_LINE + drawing.height + ARM_PAD;
    arms.push({ number, arm: step.arms[number], x: right, y: top, width, height, inner, drawing });
    right += width + ARMS_BETWEEN;
  }
  const row = right - ARMS_BETWEEN - FRAME_PAD;
  const width = Math.max(row, of.width) + 2 * FRAME_PAD;
  const aside = Math.round((width - 2 * FRAME_PAD - row) / 2);
  const placed = arms.map((arm) => ({ ...arm, x: arm.x + aside }));
  const head = { ...alone, x: Math.round((width - of.width) / 2), y: FRAME_PAD };
  const height = top + Math.max(...arms.map((arm) => arm.height)) + FRAME_PAD;
  const ways = placed.map((arm) => wayOf([bottomOf(head), topOf(arm)]));
  return { step, x: 0, y: 0, width, height, head, arms: placed, ways };
}

const bottomOf = (box: Point & Size): Point => ({ x: box.x + box.width / 2, y: box.y + box.height });
const topOf = (box: Point & Size): Point => ({ x: box.x + box.width / 2, y: box.y });

/** A line down through points, straight where it leaves and arrives, with a head at its last. */
function wayOf(points: readonly Point[]): Way {
  const last = points.at(-1) ?? { x: 0, y: 0 };
  const through = [...points.slice(0, -1), { x: last.x, y: last.y - HEAD_LENGTH }];
  const pieces = through.map(({ x, y }, at) => {
    const before = through[at - 1];
    if (before === undefined) return `M${x} ${y}`;
    const middle = (before.y + y) / 2;
    return `C${before.x} ${middle} ${x} ${middle} ${x} ${y}`;
  });
  const base = last.y - HEAD_LENGTH;
  const head = `M${last.x - HEAD_HALF} ${base}L${last.x + HEAD_HALF} ${base}L${last.x} ${last.y}Z`;
  return { line: pieces.join(''), head };
}
