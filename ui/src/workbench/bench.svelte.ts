/**
 * What the workbench's sections share: settings, what was spent today, and the news of runs. Draws nothing.
 */
import { createContext } from 'svelte';
import type { Backend, BenchPlace } from '../backend/backend';
import type { ExperienceId } from '../bindings/ExperienceId';
import type { RunEvent } from '../bindings/RunEvent';
import type { RunId } from '../bindings/RunId';
import { Pages } from '../panel/pages.svelte';
import { Preferences } from '../panel/preferences.svelte';
import { Toasts } from '../panel/toasts.svelte';
import type { Settings } from '../settings';
import { say, type WordKey } from '../words/words';
import { Experiencing } from './experience/experiencing.svelte';
import { Knowing } from './knowledge/knowing.svelte';
import { Remembering } from './memory/remembering.svelte';
import { Tooling } from './tools/tooling.svelte';
import { Tracing } from './traces/tracing.svelte';

/** The sections in the order of the rail, by the names that stand in the window's address. */
export const SECTIONS = ['memory', 'experience', 'knowledge', 'tools', 'connections', 'traces'] as const;
export type Section = (typeof SECTIONS)[number];

/** A broken stream of news is opened again after this long, in milliseconds. */
const WATCH_AGAIN_MS = 500;

export class Bench {
  /** Dollars of today, as far as prices are known. */
  spentToday = $state(0);
  budget = $state(0);
  keptDays = $state(0);
  exportedTo = $state('');
  /** The model that gives texts their vectors, if one is chosen. */
  embedding = $state('');
  paused = $state(false);
  section = $state<Section>('traces');

  readonly preferences: Preferences;
  readonly tracing: Tracing;
  readonly knowing: Knowing;
  readonly remembering: Remembering;
  readonly experiencing: Experiencing;
  readonly tooling: Tooling;
  readonly pages: Pages;
  readonly toasts = new Toasts();

  constructor(readonly backend: Backend) {
    this.preferences = new Preferences(backend, () => this.readConfiguration());
    this.tracing = new Tracing(backend, () => this.settings.language);
    this.knowing = new Knowing(backend, this.toasts, (key, holes) => this.say(key, holes));
    this.remembering = new Remembering(backend, this.toasts, (key, holes) => this.say(key, holes));
    this.experiencing = new Experiencing(backend, this.toasts, (key, holes) => this.say(key, holes));
    this.tooling = new Tooling(backend);
    this.pages = new Pages(backend);
    this.follow();
    addEventListener('hashchange', () => this.follow());
    this.watch();
    this.readSpending();
    backend.onPlaceWanted((place) => this.show(place));
  }

  get settings(): Settings {
    return this.preferences.settings;
  }

  /** Where what is remembered and imported lies, and who reads it. */
  stays(): string {
    return this.embedding === '' ? this.say('memory_stays') : this.say('stays_but', { model: this.embedding });
  }

  say(key: WordKey, holes?: Record<string, string | number>): string {
    return say(this.settings.language, key, holes);
  }

  show(place: BenchPlace): void {
    if (place.at === 'experience') this.showExperience(place.experience);
    else if (place.at === 'replay') this.showReplay(place.run);
    else this.showTrace(place.run);
  }

  showTrace(run: RunId): void {
    location.hash = 'traces';
    this.tracing.choose(run);
  }

  showReplay(run: RunId): void {
    location.hash = 'traces';
    this.tracing.replay(run);
  }

  showExperience(experience: ExperienceId): void {
    location.hash = 'experience';
    this.experiencing.show(experience);
  }

  /** Makes a candidate of a run that is over, and shows it for review. */
  learnFrom(run: RunId): void {
    this.backend.send({ request: 'experience', action: { action: 'take', run } }, (reply) => {
      if (reply.reply === 'failed') this.tracing.trouble = reply.error;
      const [made] = reply.reply === 'experiences' ? reply.experiences : [];
      if (made !== undefined) this.showExperience(made.id);
    });
  }

  togglePause(): void {
    this.backend.send({ request: 'desktop', signal: this.paused ? 'resume' : 'pause' }, () => undefined);
  }

  private follow(): void {
    this.section = SECTIONS.find((name) => location.hash === `#${name}`) ?? 'traces';
  }

  private watch(): void {
    const stream = this.backend.send({ request: 'watch' }, (reply) => {
      if (reply.reply === 'event') this.heard(reply.event);
      else if (reply.reply === 'config_changed') this.preferences.read();
      else if (reply.reply === 'pages') this.pages.take(reply.pages);
      else if (reply.reply === 'tools_changed' && this.section === 'tools') this.tooling.read();
    });
    void stream.closed.then(() =>
      setTimeout(() => {
        this.watch();
        this.tracing.readAgain();
        this.pages.read();
      }, WATCH_AGAIN_MS),
    );
  }

  private heard(event: RunEvent): void {
    this.tracing.heard(event);
    if (event.type !== 'run_ended') return;
    this.readSpending();
    if (this.section === 'memory') this.remembering.read();
    this.experiencing.read();
  }

  private readSpending(): void {
    this.backend.send({ request: 'spending', days: 1 }, (reply) => {
      if (reply.reply !== 'spending') return;
      const today = new Date();
      const name = `${today.getFullYear()}-${String(today.getMonth() + 1).padStart(2, '0')}-${String(today.getDate()).padStart(2, '0')}`;
      const day = reply.days.find(({ day }) => day === name);
      this.spentToday = (day?.spent ?? []).reduce((sum, { usage }) => sum + (usage.cost ?? 0), 0);
    });
  }

  private readConfiguration(): void {
    this.budget = Number(this.preferences.valueOf('budget_usd')) || 0;
    this.keptDays = Number(this.preferences.valueOf('trace_days')) || 0;
    this.exportedTo = this.preferences.valueOf('otlp.endpoint');
    this.embedding = this.preferences.valueOf('role.embedding');
    this.paused = this.preferences.valueOf('privacy.sensing') === 'paused';
  }
}

export const [benchOf, layBench] = createContext<Bench>();
