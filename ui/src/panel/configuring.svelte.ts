/**
 * The settings page's side of the backend: reads entries, sets them, lists what is remembered and what was seen.
 *
 * A value that is refused stays in its field with the sentence that says why; nothing is kept here that the program
 * has not taken.
 */
import type { Backend } from '../backend/backend';
import type { ConfigEntry } from '../bindings/ConfigEntry';
import type { LookRecord } from '../bindings/LookRecord';
import type { RememberedRule } from '../bindings/RememberedRule';
import type { UserError } from '../bindings/UserError';
import { sectionsOf } from '../configuration';

/** Looks that are listed: a day of use. */
const LOOKS_SHOWN = 20;

export class Configuring {
  entries = $state.raw<readonly ConfigEntry[]>([]);
  path = $state('');
  query = $state('');
  rules = $state.raw<readonly RememberedRule[]>([]);
  looks = $state.raw<readonly LookRecord[]>([]);
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
    this.backend.send({ request: 'rule_list' }, (reply) => {
      if (reply.reply === 'rules') this.rules = reply.rules;
    });
    this.backend.send({ request: 'look_ledger', limit: LOOKS_SHOWN }, (reply) => {
      if (reply.reply === 'looks') this.looks = reply.looks;
    });
  }

  readEntries(): void {
    this.backend.send({ request: 'config_list' }, (reply) => {
      if (reply.reply === 'failed') this.error = reply.error;
      if (reply.reply !== 'config') return;
      this.error = null;
      this.entries = reply.entries;
      this.path = reply.path;
    });
  }

  /** Sets a value; an empty one goes back to the built-in. Resolves to whether it was taken. */
  set(key: string, value: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.backend.send({ request: 'config_set', key, value }, (reply) => {
        const { [key]: _, ...others } = this.errors;
        this.errors = reply.reply === 'failed' ? { ...others, [key]: reply.error } : others;
        if (reply.reply === 'config') this.entries = reply.entries;
        resolve(reply.reply !== 'failed');
      });
    });
  }

  /** Forgets a decision. Resolves to whether it is gone. */
  revoke(pattern: string): Promise<boolean> {
    return new Promise((resolve) => {
      this.backend.send({ request: 'rule_delete', pattern }, (reply) => {
        if (reply.reply === 'rules') this.rules = reply.rules;
        if (reply.reply === 'failed') this.error = reply.error;
        resolve(reply.reply === 'rules');
      });
    });
  }

  valueOf(key: string): string {
    return this.entries.find((entry) => entry.key === key)?.value ?? '';
  }
}
