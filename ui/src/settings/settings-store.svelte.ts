/**
 * The settings page's side of the backend: reads entries, sets them, lists what is remembered and what was seen.
 *
 * A value that is refused stays in its field with the sentence that says why; nothing is kept here that the program
 * has not taken.
 */
import { createContext } from 'svelte';
import { answer } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { ConfigEntry } from '../bindings/ConfigEntry';
import type { HeldView } from '../bindings/HeldView';
import type { LookRecord } from '../bindings/LookRecord';
import type { RememberedRule } from '../bindings/RememberedRule';
import type { SensorView } from '../bindings/SensorView';
import type { UserError } from '../bindings/UserError';
import { sectionsOf } from './configuration';

/** Looks that are listed: a day of use. */
const LOOKS_SHOWN = 20;

export class SettingsStore {
  entries = $state.raw<readonly ConfigEntry[]>([]);
  path = $state('');
  query = $state('');
  rules = $state.raw<readonly RememberedRule[]>([]);
  looks = $state.raw<readonly LookRecord[]>([]);
  /** What is in memory of screen and pages, unsent. */
  held = $state.raw<readonly HeldView[]>([]);
  sensors = $state.raw<readonly SensorView[]>([]);
  /** What was refused, by key. */
  errors = $state.raw<Readonly<Record<string, UserError>>>({});
  /** What could not be read at all. */
  error = $state.raw<UserError | null>(null);

  readonly sections = $derived(sectionsOf(this.entries, this.query));

  constructor(private readonly backend: Backend) {}

  open(): void {
    this.query = '';
    this.errors = {};
    this.readEntries();
    this.backend.ask({ request: 'rule_list' }, ({ rules }) => (this.rules = rules));
    this.backend.ask({ request: 'look_ledger', limit: LOOKS_SHOWN }, ({ looks }) => (this.looks = looks));
    this.readSensors();
    this.readHeld();
  }

  readHeld(): void {
    this.backend.ask({ request: 'look_held' }, ({ views }) => (this.held = views));
  }

  /** Keeps a view until it is let go, or lets it go in time again. */
  pin(id: string, on: boolean): void {
    const done = ({ views }: { views: HeldView[] }) => (this.held = views);
    this.backend.ask({ request: 'look_pin', id, on }, done, (error) => (this.error = error));
  }

  letGo(id: string): void {
    this.backend.ask({ request: 'look_forget', id }, () => this.readHeld());
  }

  readEntries(): void {
    const done = ({ entries, path }: { entries: ConfigEntry[]; path: string }) => {
      this.error = null;
      this.entries = entries;
      this.path = path;
    };
    this.backend.ask({ request: 'config_list' }, done, (error) => (this.error = error));
  }

  readSensors(): void {
    this.backend.ask({ request: 'sensors' }, ({ sensors }) => (this.sensors = sensors));
  }

  /** Sets a value; an empty one goes back to the built-in. Resolves to whether it was taken. */
  async set(key: string, value: string): Promise<boolean> {
    const { reply, error } = await answer(this.backend, { request: 'config_set', key, value });
    const { [key]: _, ...others } = this.errors;
    this.errors = error === null ? others : { ...others, [key]: error };
    if (reply !== null) this.entries = reply.entries;
    if (this.sensors.some((sensor) => sensor.setting === key)) this.readSensors();
    return reply !== null;
  }

  /** Forgets a decision. Resolves to whether it is gone. */
  async revoke(pattern: string): Promise<boolean> {
    const { reply, error } = await answer(this.backend, { request: 'rule_delete', pattern });
    if (reply === null) this.error = error;
    else this.rules = reply.rules;
    return reply !== null;
  }

  /** The sensor that a setting switches. */
  sensorOf(key: string): SensorView | null {
    return this.sensors.find((sensor) => sensor.setting === key) ?? null;
  }

  valueOf(key: string): string {
    return this.entries.find((entry) => entry.key === key)?.value ?? '';
  }
}

export const [useSettingsStore, provideSettingsStore] = createContext<SettingsStore>();
