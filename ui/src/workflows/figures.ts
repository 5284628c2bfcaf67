/** How each step of a drawing stands in a run, over all its rounds, and whether the drawing is still that of the file. Pure. */
import type { DrawnStep } from '../bindings/DrawnStep';
import type { WorkflowRunView } from '../bindings/WorkflowRunView';
import type { WorkflowStepState } from '../bindings/WorkflowStepState';
import type { WorkflowStepView } from '../bindings/WorkflowStepView';

/** What a record says of a step, that it waits for a person, or that a run which is over never came to it. */
export type Standing = WorkflowStepState | 'waiting' | 'unreached';

export interface Figure {
  standing: Standing;
  /** How often it was done or begun, and how often it failed. */
  times: number;
  failed: number;
  /** What became of it in each round. */
  rounds: readonly WorkflowStepView[];
}

export type Figures = ReadonlyMap<string, Figure>;

export const NO_FIGURES: Figures = new Map();

/** States of one round that say more than that of the last one, the first before all. */
const URGENT: readonly Standing[] = ['uncertain', 'waiting', 'retrying', 'begun', 'asked'];

/** The steps that a run has come to, those that it left out, and, once it is over, those that it never reached. */
export function figuresOf(run: WorkflowRunView | null, drawn: readonly DrawnStep[]): Figures {
  if (run === null) return NO_FIGURES;
  const figures = new Map<string, Figure>();
  for (const { id } of drawn) {
    const rounds = run.steps.filter((step) => step.id === id);
    if (rounds.length > 0) figures.set(id, figureOf(rounds));
  }
  const by = new Map(drawn.map((step) => [step.id, step]));
  const entered = enteredOf(by, figures);
  for (const step of drawn) {
    if (figures.has(step.id)) continue;
    const standing = withoutRecord(run, step, { by, figures, entered });
    if (standing !== null) figures.set(step.id, { standing, times: 0, failed: 0, rounds: [] });
  }
  return figures;
}

/** How one round stands. */
export function standingOfRound({ state, waits }: Pick<WorkflowStepView, 'state' | 'waits'>): Standing {
  return waits === true ? 'waiting' : state;
}

/** The step that a person has to look at: of which nobody knows, that waits, or that has failed. */
export function firstToSee(figures: Figures): string | null {
  for (const wanted of ['uncertain', 'waiting', 'failed'] as const) {
    for (const [id, { standing }] of figures) if (standing === wanted) return id;
  }
  return null;
}

/** Whether two files draw the same steps, wherever these stand in them and in whatever language they are described. */
export function isSameDrawing(one: readonly DrawnStep[], other: readonly DrawnStep[]): boolean {
  const told = (steps: readonly DrawnStep[]) =>
    JSON.stringify(steps.map((step) => ({ ...step, description: '', line: 0 })));
  return told(one) === told(other);
}

function figureOf(rounds: readonly WorkflowStepView[]): Figure {
  const standings = rounds.map(standingOfRound);
  const urgent = URGENT.find((standing) => standings.includes(standing));
  return {
    standing: urgent ?? standings.at(-1) ?? 'done',
    times: standings.filter((standing) => standing !== 'skipped').length,
    failed: standings.filter((standing) => standing === 'failed').length,
    rounds,
  };
}

/** The steps within which something is on record: of these themselves only their end is told. */
function enteredOf(by: ReadonlyMap<string, DrawnStep>, figures: Figures): ReadonlySet<string> {
  const entered = new Set<string>();
  for (const id of figures.keys()) {
    let within = by.get(id)?.within ?? null;
    while (within !== null && !entered.has(within)) {
      entered.add(within);
      within = by.get(within)?.within ?? null;
    }
  }
  return entered;
}

interface Known {
  by: ReadonlyMap<string, DrawnStep>;
  figures: Figures;
  entered: ReadonlySet<string>;
}

/** A block that is over has left out what has no record; of any other step only an ended run can say that. */
function withoutRecord(run: WorkflowRunView, step: DrawnStep, { by, figures, entered }: Known): Standing | null {
  if (entered.has(step.id)) return run.ended === null ? 'begun' : 'cancelled';
  const above = step.within === null ? undefined : by.get(step.within);
  if (above !== undefined) {
    const known = figures.get(above.id)?.standing;
    if (known === 'done' || known === 'skipped') return 'skipped';
  }
  return run.ended === null ? null : 'unreached';
}
