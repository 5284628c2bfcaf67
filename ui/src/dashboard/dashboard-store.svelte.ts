/** The section of the dashboard: the period that is looked at, its figures, and taking them out as a file. Draws nothing. */
import { createContext } from 'svelte';
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { Dashboard } from '../bindings/Dashboard';
import type { UserError } from '../bindings/UserError';
import type { I18n } from '../i18n/i18n';
import type { Toasts } from '../shared/toasts.svelte';
import type { PeriodDays } from './dashboard';

/** Wait after a run has ended before all is counted anew, in milliseconds: a busy program ends several at once. */
const COUNT_WAIT_MS = 1_000;

export class DashboardStore {
  days = $state<PeriodDays>(30);
  /** `null` until they are counted. */
  figures = $state.raw<Dashboard | null>(null);
  trouble = $state.raw<UserError | null>(null);
  isExporting = $state(false);

  private timer = 0;

  constructor(
    private readonly backend: Backend,
    private readonly toasts: Toasts,
    private readonly i18n: I18n,
  ) {}

  read(): void {
    const { days } = this;
    this.backend.ask(
      { request: 'dashboard', action: { action: 'show', days } },
      ({ dashboard }: ReplyNamed<'dashboard'>) => {
        // An answer about another period is too late.
        if (days !== this.days) return;
        this.trouble = null;
        this.figures = dashboard;
      },
      (error) => (this.trouble = error),
    );
  }

  /** A run has ended: what is looked at is counted anew soon. */
  readSoon(): void {
    if (this.timer !== 0) return;
    this.timer = window.setTimeout(() => {
      this.timer = 0;
      this.read();
    }, COUNT_WAIT_MS);
  }

  choose(days: PeriodDays): void {
    this.days = days;
    this.read();
  }

  async export(): Promise<void> {
    if (this.isExporting) return;
    const { days } = this;
    const path = await this.backend.pickNewFile(`shidi-${days}.csv`);
    if (path === null) return;
    this.isExporting = true;
    this.backend.ask(
      { request: 'dashboard', action: { action: 'export', days, path } },
      ({ path, rows }: ReplyNamed<'dashboard_file'>) => {
        this.isExporting = false;
        this.trouble = null;
        this.toasts.say(this.i18n.say('dash_exported', { n: rows, path }));
      },
      (error) => {
        this.isExporting = false;
        this.trouble = error;
      },
    );
  }
}

export const [useDashboard, provideDashboard] = createContext<DashboardStore>();
