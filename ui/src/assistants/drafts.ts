/** Forms of assistants that were left with something typed and not saved, by the row that they belong to. Pure. */
import type { AssistantDetail } from '../bindings/AssistantDetail';
import type { AssistantFault } from '../bindings/AssistantFault';
import type { Draft, Step } from './form';

/** A form as it was left. */
export interface Open {
  draft: Draft;
  step: Step;
  asFile: boolean;
  faults: readonly AssistantFault[];
}

export type Drafts = ReadonlyMap<string, Open>;

export const NO_DRAFTS: Drafts = new Map();

/** The row of one that has no name yet: no assistant is called so. */
export const NEW = '';

export function put(drafts: Drafts, place: string, open: Open): Drafts {
  return new Map(drafts).set(place, open);
}

/** The drafts after one was saved; one that was typed on meanwhile is a draft of what was kept. */
export function savedIn(drafts: Drafts, place: string, before: Draft, kept: AssistantDetail): Drafts {
  const left = drafts.get(place);
  const rest = without(drafts, place);
  if (left === undefined || left.draft === before) return rest;
  return put(rest, kept.assistant.name, { ...left, draft: { ...left.draft, earlier: kept.digest } });
}

export function without(drafts: Drafts, place: string): Drafts {
  const rest = new Map(drafts);
  rest.delete(place);
  return rest;
}
