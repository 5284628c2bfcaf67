/** Which section of the workbench is shown, and the ways that lead from one section into another. */
import { createContext } from 'svelte';
import type { BadCaseStore } from '../bad-cases/bad-case-store.svelte';
import type { AssistantStore } from '../assistants/assistant-store.svelte';
import type { ReplyNamed } from '../backend/ask';
import type { Backend, BenchPlace } from '../backend/backend';
import type { ExperienceId } from '../bindings/ExperienceId';
import type { RunId } from '../bindings/RunId';
import type { TraceOutcome } from '../bindings/TraceOutcome';
import type { ExperienceStore } from '../experience/experience-store.svelte';
import type { TraceStore } from '../traces/trace-store.svelte';
import type { SkillStore } from '../skills/skill-store.svelte';
import type { WorkflowStore } from '../workflows/workflow-store.svelte';

/** The sections in the order of their keys, by the names that stand in the window's address; a newer one comes last. */
export const SECTIONS = [
  'memory',
  'experience',
  'knowledge',
  'tools',
  'connections',
  'traces',
  'skills',
  'workflows',
  'assistants',
  'schedules',
  'prompts',
  'plugins',
  'dashboard',
  'bad_cases',
] as const;
export type Section = (typeof SECTIONS)[number];

/** The digit that opens a section with Ctrl: the tenth has 0, as it stands on a keyboard, and later ones have none. */
export function digitOf(section: Section): string | null {
  const place = SECTIONS.indexOf(section) + 1;
  return place > 10 ? null : String(place % 10);
}

export class Sections {
  shown = $state<Section>('traces');

  constructor(
    private readonly backend: Backend,
    private readonly traces: TraceStore,
    private readonly experience: ExperienceStore,
    private readonly assistants: AssistantStore,
    private readonly workflows: WorkflowStore,
    private readonly skills: SkillStore,
    private readonly badCases: BadCaseStore,
  ) {
    this.follow();
    addEventListener('hashchange', () => this.follow());
    backend.onPlaceWanted((place) => this.show(place));
  }

  showTrace(run: RunId): void {
    location.hash = 'traces';
    this.traces.choose(run);
  }

  /** Lists the runs that hold a text, or that ended so. */
  showTraces(text: string, outcome: TraceOutcome | null): void {
    location.hash = 'traces';
    this.traces.find(text, outcome);
  }

  showReplay(run: RunId): void {
    location.hash = 'traces';
    this.traces.replay(run);
  }

  showExperience(experience: ExperienceId): void {
    location.hash = 'experience';
    this.experience.show(experience);
  }

  /** Shows a run among those of its workflow. */
  showWorkflowRun(name: string, run: RunId): void {
    location.hash = 'workflows';
    this.workflows.showRun(name, run);
  }

  /** Makes a new workflow of a run that is over, for a look. */
  makeWorkflow(run: RunId): void {
    location.hash = 'workflows';
    this.workflows.beginFrom(run);
  }

  /** Writes a run that is over as a skill, for a look. */
  makeSkill(run: RunId): void {
    location.hash = 'skills';
    this.skills.beginFrom(run);
  }

  /** Begins a bad case of a run that is over. */
  keepCase(run: RunId): void {
    location.hash = 'bad_cases';
    this.badCases.beginFrom(run);
  }

  private showAssistant(name: string): void {
    location.hash = 'assistants';
    this.assistants.show(name);
  }

  /** Makes a candidate of a run that is over, and shows it for review. */
  learnFrom(run: RunId): void {
    const done = ({ experiences: [made] }: ReplyNamed<'experiences'>) => {
      if (made !== undefined) this.showExperience(made.id);
    };
    this.backend.ask(
      { request: 'experience', action: { action: 'take', run } },
      done,
      (error) => (this.traces.trouble = error),
    );
  }

  private show(place: BenchPlace): void {
    if (place.at === 'experience') this.showExperience(place.experience);
    else if (place.at === 'assistant') this.showAssistant(place.assistant);
    else if (place.at === 'bad_case') this.keepCase(place.run);
    else if (place.at === 'section') location.hash = place.section;
    else if (place.at === 'replay') this.showReplay(place.run);
    else this.showTrace(place.run);
  }

  private follow(): void {
    this.shown = SECTIONS.find((name) => location.hash === `#${name}`) ?? 'traces';
  }
}

export const [useSections, provideSections] = createContext<Sections>();
