/** How workflows are told of: what kind a step is, and how it and its run stand. */
import type { DrawnArm } from '../bindings/DrawnArm';
import type { ListedWorkflow } from '../bindings/ListedWorkflow';
import type { WorkflowStatus } from '../bindings/WorkflowStatus';
import type { I18n, WordKey } from '../i18n/i18n';
import type { IconName } from '../shared/icons';
import { isOfPlugin } from '../shared/plugins';
import type { Figure, Standing } from './figures';

const ICONS: Readonly<Record<string, IconName>> = {
  input: 'keyboard',
  plugin: 'plug',
  custom: 'braces',
  llm: 'thought',
  code: 'code',
  tool: 'wrench',
  branch: 'branch',
  loop: 'retry',
  parallel: 'layers',
  approval: 'person',
  wait: 'clock',
  output: 'answer',
};

/** What a kind of step is called. */
export const KINDS: Readonly<Record<string, WordKey>> = {
  input: 'step_input',
  plugin: 'step_plugin',
  custom: 'step_custom',
  llm: 'step_llm',
  code: 'step_code',
  tool: 'step_tool',
  branch: 'step_branch',
  loop: 'step_loop',
  parallel: 'step_parallel',
  approval: 'step_approval',
  wait: 'step_wait',
  output: 'step_output',
};

export function iconOf(kind: string): IconName {
  return ICONS[kind] ?? 'cube';
}

export const STANDING_ICONS: Readonly<Record<Standing, IconName>> = {
  asked: 'clock',
  begun: 'play',
  done: 'check',
  skipped: 'chevron_right',
  failed: 'cross',
  retrying: 'retry',
  uncertain: 'ask',
  cancelled: 'stop',
  waiting: 'person',
  unreached: 'more',
};

/** How a step stands in words, with how often it was done and failed where that was more than once. */
export function figureSaid(i18n: I18n, { standing, times, failed }: Figure): string {
  const said = [i18n.say(`step_is_${standing}`)];
  if (times > 1) said.push(i18n.say('step_times', { count: times }));
  if (times > 1 && failed > 0) said.push(i18n.say('step_failed_times', { count: failed }));
  return said.join(' · ');
}

/** What decides about the steps of an arm; nothing where that is not known. */
export function armSaid(i18n: I18n, arm: DrawnArm | undefined): string {
  if (arm === undefined) return '';
  const { kind, when } = arm;
  if (kind === 'round' && when !== '') return i18n.say('arm_round_until', { when });
  return i18n.say(`arm_${kind}`, { when });
}

export const STATUS_ICONS: Readonly<Record<WorkflowStatus, IconName>> = {
  running: 'play',
  waiting: 'person',
  resting: 'pause',
  done: 'check',
  failed: 'cross',
  cancelled: 'stop',
};

const SOURCES: Readonly<Record<string, WordKey>> = {
  shidi: 'workflow_from_shidi',
  goose: 'workflow_from_goose',
  dify: 'workflow_from_dify',
};

/** Whose a file was that was brought in. */
export function sourceOf(i18n: I18n, source: string): string {
  const key = SOURCES[source];
  return key === undefined ? source : i18n.say(key);
}

/** Of runs that stand until a person does something, how many and why; empty where there are none. */
export function openSaid(i18n: I18n, { open: { waiting, resting } }: Pick<ListedWorkflow, 'open'>): string {
  if (waiting > 0 && resting > 0) return i18n.say('workflow_open', { count: waiting + resting });
  if (waiting > 0) return i18n.say('workflow_waiting', { count: waiting });
  return resting > 0 ? i18n.say('workflow_resting', { count: resting }) : '';
}

/** Where one comes from. */
export function originOf({ built_in, name }: Pick<ListedWorkflow, 'built_in' | 'name'>): IconName {
  if (built_in) return 'branch';
  return isOfPlugin(name) ? 'plug' : 'person';
}

/** In a word, what is to be known of one beside its name; empty where all is well. */
export function standingOf(i18n: I18n, { built_in, name, on, problem }: ListedWorkflow): string {
  if (problem !== null) return i18n.say('workflow_faulty');
  if (built_in) return i18n.say('workflow_built_in');
  if (!on) return i18n.say('workflow_is_off');
  return isOfPlugin(name) ? i18n.say('workflow_of_plugin') : '';
}
