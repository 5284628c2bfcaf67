/**
 * The names that may stand between braces at a place of a workflow. They are what its run is given, and what the steps
 * before the place always leave. The same rules as in `src-tauri/workflow/src/validation`, which alone decides. Pure.
 */
import type { Way } from './completion-schema';
import { textOf, valueOf, type ListNode, type MapNode, type Node } from './outline';

export interface Known {
  name: string;
  /** The step that leaves it; empty for what the run is given. */
  step: string;
  /** Parts that its example has. */
  parts: readonly string[];
}

interface Made extends Known {
  /** Whether every way through the step makes it. */
  isCertain: boolean;
  hasDefault: boolean;
}

/** Keys whose list is one of steps. A list in a list is one, too: a branch of several. */
const STEP_LISTS: readonly string[] = ['steps', 'then', 'else', 'on_error'];

export function namesAt(ways: readonly Way[]): Known[] {
  const names = new Map<string, Known>();
  const add = (known: readonly Known[]) => known.forEach((one) => names.set(one.name, one));
  ways.forEach((way, depth) => {
    if ('list' in way) {
      // What stands before a branch or a case is another way, and leaves nothing here.
      if (isStepList(ways, depth)) add(way.list.items.slice(0, way.index).flatMap(made).filter(isCertain));
    } else if (depth === 0) add(given(way.map));
    else add(within(way.map, way.entry.key, ways.slice(depth + 1)));
  });
  add([{ name: 'dialogue', step: '', parts: [] }]);
  return [...names.values()];
}

/** The ids of the other steps in the list of the step at hand. */
export function stepsBeside(ways: readonly Way[]): string[] {
  const depth = ways.findLastIndex((way, at) => 'list' in way && isStepList(ways, at));
  const way = ways[depth];
  if (way === undefined || !('list' in way)) return [];
  const others = way.list.items.filter((_, index) => index !== way.index);
  return others.map((step) => textOf(valueOf(step, 'id'))).filter((id) => id !== '');
}

/** Whether a list of the way is one of steps, rather than of branches, cases, inputs or outputs. */
function isStepList(ways: readonly Way[], depth: number): boolean {
  const above = ways[depth - 1];
  return above !== undefined && ('list' in above || STEP_LISTS.includes(above.entry.key));
}

/** What a step gives to its own keys, or to the steps within it. */
function within(step: MapNode, key: string, further: readonly Way[]): Known[] {
  const type = textOf(valueOf(step, 'type'));
  if (type === 'llm' && ['prompt', 'system'].includes(key)) return keysOf(valueOf(step, 'inputs', 'input'));
  if (key === 'on_error' && further.length > 0) return [{ name: 'error', step: '', parts: [] }];
  if (type !== 'loop' || !['steps', 'until', 'output', 'outputs'].includes(key)) return [];
  const item = textOf(valueOf(step, 'as'));
  const own = item === '' ? [] : [{ name: item, step: textOf(valueOf(step, 'id')), parts: [] }];
  return key === 'steps' ? own : [...own, ...listed(valueOf(step, 'steps')).flatMap(made).filter(isCertain)];
}

function keysOf(node: Node | null): Known[] {
  if (node?.kind !== 'map') return [];
  return node.entries.filter(({ hasColon }) => hasColon).map(({ key }) => ({ name: key, step: '', parts: [] }));
}

function given(workflow: MapNode): Known[] {
  return outputsOf(valueOf(workflow, 'inputs', 'parameters'), '');
}

/** What a step leaves for those after it. */
function made(step: Node | null): Made[] {
  if (step?.kind !== 'map') return [];
  const type = textOf(valueOf(step, 'type'));
  const own = outputsOf(valueOf(step, 'outputs', 'output'), textOf(valueOf(step, 'id')));
  const names = [...own, ...(type === 'branch' ? ofBranch(step) : type === 'parallel' ? ofParallel(step) : [])];
  const instead = valueOf(step, 'on_error');
  const isLeftOut = type !== 'branch' && valueOf(step, 'if') !== null;
  const isCarriedOn = textOf(instead) === 'continue';
  const others = stepsIn(instead).flatMap(made).filter(isCertain);
  const isReplaced = instead?.kind === 'list' || instead?.kind === 'map';
  return names.map((one) => {
    const isLost = isReplaced && !others.some(({ name }) => name === one.name);
    return isLeftOut || isCarriedOn || isLost ? { ...one, isCertain: one.isCertain && one.hasDefault } : one;
  });
}

/** Where one way of several is gone, what each of them makes. */
function ofBranch(step: MapNode): Made[] {
  const cases = listed(valueOf(step, 'cases')).map((arm) => valueOf(arm, 'steps'));
  const arms = [...cases, valueOf(step, 'then')].filter((arm) => arm !== null);
  const otherwise = valueOf(step, 'else');
  const ways = [...arms, ...(otherwise === null ? [] : [otherwise])].map((arm) => stepsIn(arm).flatMap(made));
  const isEverywhere = (name: string) =>
    otherwise !== null && ways.every((way) => way.some((one) => one.name === name && one.isCertain));
  return ways.flat().map((one) => ({ ...one, isCertain: isEverywhere(one.name) || one.hasDefault }));
}

function ofParallel(step: MapNode): Made[] {
  return listed(valueOf(step, 'branches')).flatMap(stepsIn).flatMap(made);
}

/** Steps as they are written: a list of them, or a map that has one. */
function stepsIn(node: Node | null): (Node | null)[] {
  return node?.kind === 'list' ? node.items : listed(valueOf(node, 'steps'));
}

function listed(node: Node | null): ListNode['items'] {
  return node?.kind === 'list' ? node.items : [];
}

function outputsOf(node: Node | null, step: string): Made[] {
  const all = node?.kind === 'list' ? node.items : [node];
  const read = (one: Node | null): Made => ({
    name: textOf(valueOf(one, 'name')),
    step,
    parts: keysOf(valueOf(one, 'example')).map(({ name }) => name),
    isCertain: true,
    hasDefault: one?.kind === 'map' && one.entries.some(({ key }) => key === 'default'),
  });
  return all.map(read).filter(({ name }) => name !== '');
}

function isCertain(one: Made): boolean {
  return one.isCertain;
}
