/** What was spent today, read anew after every run. */
import { createContext } from 'svelte';
import type { Backend } from '../backend/backend';

export class Spending {
  /** Dollars, as far as prices are known. */
  today = $state(0);

  constructor(private readonly backend: Backend) {
    this.read();
  }

  read(): void {
    this.backend.ask({ request: 'spending', days: 1 }, (reply) => {
      const now = new Date();
      const today = `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, '0')}-${String(now.getDate()).padStart(2, '0')}`;
      const spent = reply.days.find(({ day }) => day === today)?.spent ?? [];
      this.today = spent.reduce((sum, { usage }) => sum + (usage.cost ?? 0), 0);
    });
  }
}

export const [useSpending, provideSpending] = createContext<Spending>();
