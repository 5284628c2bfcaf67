/** Workflows: two of the user's, one of them with a fault, one that ships, files that come in, and runs. Used by the scripted backend alone. */
import { cancelled, drawnBefore, drawnNow, OVER } from './workflow-drawn';
import { draftOf, inputsOf, TEXT } from './workflow-text';
import type { ListedWorkflow } from '../../bindings/ListedWorkflow';
import type { WorkflowDetail } from '../../bindings/WorkflowDetail';
import type { WorkflowFault } from '../../bindings/WorkflowFault';
import type { WorkflowPlan } from '../../bindings/WorkflowPlan';
import type { WorkflowRequest } from '../../bindings/WorkflowRequest';
import type { WorkflowRunView } from '../../bindings/WorkflowRunView';
import type { WorkflowStepView } from '../../bindings/WorkflowStepView';
import type { Language } from '../../i18n/i18n';
import { now, Script, type Play } from './play';
import { TOLD } from './workflow-words';

/** Calls that each makes without asking. */
const PERMISSIONS: Record<string, string[]> = {
  'customer-marketing': ['crm.customers'],
  'refund-approval': ['orders.show', 'orders.refund(amount=*)'],
};

/** The run of the step that waits. */
export const STEP_RUN = 'step-run';

/** The run of the step whose program makes two calls at once. */
export const BOTH_RUN = 'both-run';

/** Long enough to type on, and to choose another one, before a text is kept. */
const SAVE_MS = 400;

const AT = '2026-11-20T09:41:07Z';

/** A name as that of a file. */
const fileName = (name: string) => (name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join('-');

/** What a file says of itself under a key at its top. */
const top = (text: string, key: string) => new RegExp(`^${key}:\\s*'?(.*?)'?\\s*$`, 'm').exec(text)?.[1] ?? '';

/** A conversation in which a workflow was called by its name, and a step of it asks. */
export function atWorkflow(language: Language, session: string): Play[] {
  const zh = language === 'zh';
  const call = { exec: 1, call: 1, toolkit: 'workflows', method: 'customer_marketing', args: {}, line: 1 };
  return new Script(session, 'run-1')
    .start(zh ? '/customer-marketing 老客户' : '/customer-marketing regulars')
    .add({ type: 'code', exec: 1, program: 'result = await workflows.customer_marketing()' })
    .add({ type: 'call', ...call })
    .ends('suspended', { reason: zh ? '工作流在等你决定' : 'A workflow waits for you to decide' }).plays;
}

/** It went on by itself, and has ended before it was gone on with. */
export function overAlready(): Play[] {
  return now({ reply: 'failed', error: { code: 'input', message: 'This run is over', hint: '' } });
}

export class Workflows {
  readonly #told: Record<string, string>;
  #all: ListedWorkflow[];
  /** Texts that were saved, by name. */
  readonly #kept = new Map<string, string>();

  constructor(language: Language) {
    this.#told = TOLD[language] ?? TOLD['en'] ?? {};
    const { tag = '', need = '' } = this.#told;
    const parameter = (name: string, description: string) => ({
      name,
      kind: 'str',
      description,
      required: true,
      default: null,
      example: null,
    });
    this.#all = [
      {
        ...this.#one('customer-marketing', 'title', 'description'),
        built_in: false,
        parameters: [parameter('user_tag', tag), parameter('marketing_need', need)],
        open: { waiting: 4, resting: 0 },
      },
      { ...this.#one('weekly-report', 'broken', 'broken'), built_in: false, on: false, problem: this.#said('fault') },
      {
        ...this.#one('refund-approval', 'refund_title', 'refund'),
        on: false,
        open: { waiting: 0, resting: 1 },
      },
    ];
  }

  answer(action: WorkflowRequest): Play[] {
    switch (action.action) {
      case 'list':
      case 'remove':
        if (action.action === 'remove') this.#all = this.#all.filter(({ name }) => name !== action.name);
        break;
      case 'switch':
        this.#all = this.#all.map((one) => (one.name === action.name ? { ...one, on: action.on } : one));
        break;
      case 'show':
        return now({ reply: 'workflow', workflow: this.#detail(action.name, this.#kept.get(action.name) ?? TEXT) });
      case 'save':
        return this.#save(action);
      case 'check':
        return now({ reply: 'workflow', workflow: this.#detail(action.name, action.text) });
      case 'from_run':
        return now(draftOf(TEXT, action.name));
      case 'import':
        return this.#import(action);
      case 'plan':
        return now({ reply: 'workflow_plan', plan: this.#plan(action.inputs) });
      case 'runs': {
        const own = [this.#waiting(), this.#over('w2'), this.#unknown('w3'), this.#both(), this.#unknown('w5')];
        const runs = action.name === 'refund-approval' ? [this.#resting()] : [...own, this.#older()];
        return now({ reply: 'workflow_runs', runs });
      }
      case 'of_call':
      case 'of_program':
        return now({ reply: 'workflow_run', run: this.#whole(this.#waiting()) });
      case 'run_show':
        return now({ reply: 'workflow_run', run: this.#whole(this.#shown(action.run)) });
      case 'run': {
        const run = this.#whole(this.#waiting());
        const steps = run.steps.map((step): Play => ({
          after_ms: 30,
          reply: { reply: 'workflow_step', run: run.run, step },
        }));
        return [...steps, { after_ms: 30, reply: { reply: 'workflow_run', run } }];
      }
      case 'resume':
      case 'settle':
        return now({ reply: 'workflow_run', run: this.#whole(this.#over(action.run)) });
      case 'cancel':
        return now({ reply: 'workflow_run', run: this.#whole(cancelled(this.#shown(action.run))) });
      case 'run_delete':
        return now({ reply: 'done' });
    }
    return now({ reply: 'workflows', workflows: structuredClone(this.#all) });
  }

  #save({ name, text, replace }: Extract<WorkflowRequest, { action: 'save' }>): Play[] {
    const kept = fileName(name);
    if (!replace && this.#isThere(kept, text)) return this.#failed('taken', 'replace', kept);
    return [{ after_ms: SAVE_MS, reply: { reply: 'workflow', workflow: this.#keep(kept, text) } }];
  }

  #import({ text, replace }: Extract<WorkflowRequest, { action: 'import' }>): Play[] {
    const isOurs = /^steps:/m.test(text);
    const title = top(text, isOurs ? 'name' : 'title');
    if (title === '') return this.#failed('unknown', 'known');
    const name = fileName(title);
    const own = isOurs ? text : TEXT.replace('Customer marketing', title);
    if (!replace && this.#isThere(name, own)) return this.#failed('taken', 'replace', name);
    const leftOut = [this.#fault(6, 1, 'left_out', 'left_hint'), this.#fault(9, 1, 'left_model', 'model_hint')];
    return now({
      reply: 'workflow_imported',
      new: this.#kept.get(name) !== own,
      workflow: this.#keep(name, own),
      source: isOurs ? 'shidi' : 'goose',
      left_out: isOurs ? [] : leftOut,
    });
  }

  /** Whether one of the user's has the name, with another text. */
  #isThere(name: string, text: string): boolean {
    const there = this.#all.some((one) => one.name === name && !one.built_in);
    return there && (this.#kept.get(name) ?? TEXT) !== text;
  }

  #keep(name: string, text: string): WorkflowDetail {
    this.#kept.set(name, text);
    if (!this.#all.some((one) => one.name === name)) this.#all = [...this.#all, this.#loose(name, text)];
    return this.#detail(name, text);
  }

  #failed(message: string, hint: string, name = ''): Play[] {
    const error = { message: this.#said(message).replace('{name}', name), hint: this.#said(hint) };
    return now({ reply: 'failed', error: { code: 'input', ...error } });
  }

  #fault(line: number, column: number, message: string, hint: string): WorkflowFault {
    return { line, column, message: this.#said(message), hint: this.#said(hint) };
  }

  #loose(name: string, text: string): ListedWorkflow {
    const said = { title: top(text, 'name'), description: top(text, 'description') };
    return { ...this.#one(name, 'title', 'description'), ...said, built_in: false, parameters: inputsOf(text) };
  }

  #said(key: string): string {
    return this.#told[key] ?? '';
  }

  #one(name: string, title: string, description: string): ListedWorkflow {
    return {
      name,
      title: this.#said(title),
      description: this.#said(description),
      built_in: true,
      on: true,
      parameters: [],
      problem: null,
      open: { waiting: 0, resting: 0 },
    };
  }

  #detail(name: string, text: string): WorkflowDetail {
    const listed = this.#all.find((one) => one.name === name) ?? this.#loose(name, text);
    const faults = this.#faults(text, listed.problem !== null);
    return {
      workflow: listed,
      text,
      permissions: PERMISSIONS[name] ?? [],
      steps: faults.length > 0 ? [] : drawnNow(this.#told),
      faults,
      warnings: [],
    };
  }

  /** What is wrong in a text: it has no steps, or a name that is misspelt. */
  #faults(text: string, isFaulty: boolean): WorkflowFault[] {
    if (!/^steps:/m.test(text)) return [this.#fault(1, 1, 'no_steps', 'steps_hint')];
    const at = text.split('\n').findIndex((line) => line.includes('custmer'));
    return at >= 0 || isFaulty ? [this.#fault(at >= 0 ? at + 1 : 16, 19, 'fault', 'hint')] : [];
  }

  /** What the runtime makes of the text above. */
  #plan(inputs: Record<string, unknown>): WorkflowPlan {
    const step = (id: string, told: string, outputs: Record<string, unknown> = {}) => ({
      id,
      rounds: [],
      told,
      outputs,
    });
    const given = (name: string) => JSON.stringify(inputs[name] ?? 'text');
    return {
      steps: [
        step('find', `find: crm.customers(tag=${given('user_tag')})`, { customer: {} }),
        step('write', `write: ${this.#said('asks')}Tell text of ${given('marketing_need')}`, { article: 'text' }),
        step('ask_first', `ask_first: ${this.#said('asked')}`),
        step('send', 'send: sms.send(body="text", mobile="text")', { sent: 'text' }),
      ],
      error: null,
    };
  }

  #step(id: string, state: WorkflowStepView['state'], outputs: Record<string, unknown> = {}): WorkflowStepView {
    const isOver = state === 'done';
    return {
      id,
      rounds: [],
      state,
      started: AT,
      ended: isOver ? OVER : null,
      outputs,
      reason: null,
      attempt: isOver ? null : 7,
      program: id === 'find' ? 'run-1' : null,
      unknown:
        state === 'uncertain' ? [{ tool: 'sms.send', args: { mobile: '555-0100', body: this.#said('article') } }] : [],
    };
  }

  #run(run: string, status: WorkflowRunView['status'], steps: WorkflowStepView[]): WorkflowRunView {
    return {
      run,
      name: 'customer-marketing',
      title: this.#said('title'),
      status,
      started: AT,
      ended: status === 'done' ? OVER : null,
      inputs: { user_tag: 'regulars', marketing_need: 'autumn' },
      result: status === 'done' ? { sent: this.#said('sent') } : {},
      error: null,
      usage: { input: 412, cached: 0, output: 38, model_calls: 1 },
      tainted: false,
      steps,
      waiting: [],
    };
  }

  #found(): WorkflowStepView[] {
    const customer = { mobile: '555-0100', preferences: 'warm dishes' };
    return [this.#step('find', 'done', { customer }), this.#step('write', 'done', { article: this.#said('article') })];
  }

  #waiting(): WorkflowRunView {
    const options = [{ label: this.#said('approve') }, { label: this.#said('refuse') }];
    const fields = { card: 'operations', facts: [['text', this.#said('article')]], options };
    return {
      ...this.#run('w1', 'waiting', [...this.#found(), { ...this.#step('ask_first', 'asked'), waits: true }]),
      waiting: [
        {
          event: {
            type: 'question',
            call: 1,
            text: this.#said('question'),
            fields,
            run: STEP_RUN,
            seq: 4,
            time: AT,
          },
        },
      ],
    };
  }

  #shown(run: string): WorkflowRunView {
    if (run === 'w1') return this.#waiting();
    if (run === 'w4') return this.#both();
    if (run === 'w6') return this.#resting();
    if (run === 'w7') return this.#older();
    return run === 'w3' || run === 'w5' ? this.#unknown(run) : this.#over(run);
  }

  /** A run with the steps of the file that it was begun with. */
  #whole(run: WorkflowRunView): WorkflowRunView {
    return { ...run, drawn: run.run === 'w7' ? drawnBefore(this.#told) : drawnNow(this.#told) };
  }

  /** One of the file as it was before, which was stopped in the third round of its loop. */
  #older(): WorkflowRunView {
    const [find, write] = this.#found();
    const round = (step: WorkflowStepView | undefined, at: number) =>
      step === undefined ? [] : [{ ...step, rounds: [at] }];
    const send = this.#step('send', 'done', { sent: this.#said('sent') });
    const failed = { ...this.#step('send', 'failed'), ended: OVER, reason: this.#said('refused') };
    const steps = [
      ...(find === undefined ? [] : [find]),
      ...[0, 1, 2].flatMap((at) => [
        ...round(write, at),
        ...round([send, failed, this.#step('send', 'begun')][at], at),
      ]),
    ];
    return cancelled(this.#run('w7', 'running', steps));
  }

  /** One that the process left when it ended. */
  #resting(): WorkflowRunView {
    return this.#run('w6', 'resting', this.#found());
  }

  #over(run: string): WorkflowRunView {
    const sent = this.#step('send', 'done', { sent: this.#said('sent') });
    return this.#run(run, 'done', [...this.#found(), this.#step('ask_first', 'done'), sent]);
  }

  #unknown(run: string): WorkflowRunView {
    const step = this.#step('send', 'uncertain');
    return this.#run(run, 'waiting', [...this.#found(), this.#step('ask_first', 'done'), step]);
  }

  /** Two calls of one program wait: their events are seen before they are told, so that both have the same number. */
  #both(): WorkflowRunView {
    const card = (call: number, mobile: string): WorkflowRunView['waiting'][number] => ({
      event: {
        type: 'approval_needed',
        call,
        tool: 'sms.send',
        args: { mobile, body: this.#said('article') },
        class: 'send',
        origin: [],
        family: '',
        run: BOTH_RUN,
        seq: 9,
        time: AT,
      },
    });
    return {
      ...this.#run('w4', 'waiting', [...this.#found(), { ...this.#step('send', 'begun'), waits: true }]),
      waiting: [card(1, '555-0100'), card(2, '555-0101')],
    };
  }
}
