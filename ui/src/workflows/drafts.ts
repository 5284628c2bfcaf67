/**
 * Texts of workflows that were edited and not saved yet, by name, each with what is wrong in it. Pure.
 */
import type { RunId } from '../bindings/RunId';
import type { WorkflowFault } from '../bindings/WorkflowFault';

export interface Draft {
  text: string;
  faults: readonly WorkflowFault[];
  /** What can't work as things stand; it may be kept. */
  warnings?: readonly WorkflowFault[] | undefined;
}

/** What a new workflow is made of. */
export interface Origin {
  run: RunId;
  /** The name under which the case calls it. */
  name: string;
  programs: readonly string[];
  /** A suite with the run as its first case. */
  evaluation: string;
}

export type Drafts = ReadonlyMap<string, Draft>;

export const noDrafts: Drafts = new Map();

/** The one that has no name yet: no file is called so. */
export const NEW = '';

/** The drafts with a text as it is typed now; one that is as it is kept again is none. */
export function typed(drafts: Drafts, name: string, text: string, kept: Draft | null): Drafts {
  if (text === kept?.text) return without(drafts, name);
  // What was wrong a moment ago stays shown until the new text is checked.
  const { faults = [], warnings } = drafts.get(name) ?? kept ?? {};
  return new Map(drafts).set(name, { text, faults, warnings });
}

/** The drafts with what is wrong in one, unless another text was typed meanwhile. */
export function checked(
  drafts: Drafts,
  name: string,
  text: string,
  faults: readonly WorkflowFault[],
  warnings?: readonly WorkflowFault[],
): Drafts {
  return drafts.get(name)?.text === text ? new Map(drafts).set(name, { text, faults, warnings }) : drafts;
}

/** The drafts after a text was saved; one that was typed on meanwhile stays. */
export function saved(drafts: Drafts, name: string, text: string): Drafts {
  return drafts.get(name)?.text === text ? without(drafts, name) : drafts;
}

/** The drafts after a new one was kept under a name; what was typed on meanwhile is its draft from now on. */
export function named(drafts: Drafts, text: string, name: string): Drafts {
  const begun = drafts.get(NEW);
  const rest = without(drafts, NEW);
  return begun === undefined || begun.text === text ? rest : new Map(rest).set(name, begun);
}

export function without(drafts: Drafts, name: string): Drafts {
  const rest = new Map(drafts);
  rest.delete(name);
  return rest;
}
