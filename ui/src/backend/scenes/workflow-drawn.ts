/** The steps of the scripted workflow as they are drawn, and a run that was stopped. Used by the scripted backend alone. */
import type { DrawnStep } from '../../bindings/DrawnStep';
import type { WorkflowRunView } from '../../bindings/WorkflowRunView';
import type { WorkflowStepView } from '../../bindings/WorkflowStepView';

/** When runs that are over had ended. */
export const OVER = '2026-11-20T09:42:31Z';

type Told = Readonly<Record<string, string>>;

/** The steps of the file as it is. */
export function drawnNow(told: Told): DrawnStep[] {
  const step = stepOf(told);
  const arms: DrawnStep['arms'] = [
    { kind: 'when', when: '{customer.opted_in}' },
    { kind: 'otherwise', when: '' },
  ];
  return [
    step('find', 'tool', 'find', 'crm.customers', []),
    step('write', 'llm', 'write', 'general', ['find']),
    step('ask_first', 'approval', 'ask', '', ['write']),
    { ...step('by_size', 'branch', '', '', ['ask_first']), arms },
    { ...step('send', 'tool', 'send', 'sms.send', []), within: 'by_size' },
    { ...step('later', 'wait', '', '', []), within: 'by_size', arm: 1 },
    step('answer', 'output', '', '', ['by_size']),
  ];
}

/** The steps of the file as it was before: it wrote to each customer by themselves. */
export function drawnBefore(told: Told): DrawnStep[] {
  const step = stepOf(told);
  const within = { within: 'each', arm: 0 };
  return [
    step('find', 'tool', 'find', 'crm.customers', []),
    { ...step('each', 'loop', '', '', ['find']), arms: [{ kind: 'round', when: '' }] },
    { ...step('write', 'llm', 'write', 'general', []), ...within },
    { ...step('send', 'tool', 'send', 'sms.send', ['write']), ...within },
    step('note', 'tool', '', 'crm.note', ['find']),
    step('answer', 'output', '', '', ['each', 'note']),
  ];
}

/** A run that was stopped, and with it what was under way. */
export function cancelled(run: WorkflowRunView): WorkflowRunView {
  const end = (step: WorkflowStepView): WorkflowStepView =>
    step.state === 'asked' || step.state === 'begun'
      ? { ...step, state: 'cancelled', waits: false, ended: OVER }
      : step;
  return { ...run, status: 'cancelled', ended: OVER, waiting: [], steps: run.steps.map(end) };
}

const stepOf =
  (told: Told) =>
  (id: string, kind: string, description: string, what: string, after: string[]): DrawnStep => ({
    id,
    kind,
    description: told[description] ?? '',
    what,
    within: null,
    arm: 0,
    after,
    when: '',
    arms: [],
    line: 1,
  });
