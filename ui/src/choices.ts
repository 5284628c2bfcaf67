/**
 * Who answers: the models that can be chosen for a session, grouped by who offers them.
 *
 * Pure. What a session has chosen goes with each question as overrides; the configuration stays as it is.
 */
import type { LocalServer } from './bindings/LocalServer';
import type { ModelEntry } from './bindings/ModelEntry';
import type { Provider } from './bindings/Provider';
import type { UserError } from './bindings/UserError';

export type Choice = { provider: string; model: string; url: string } | 'offline';

/** What is known of one provider's models. */
export type Offer = readonly ModelEntry[] | 'reading' | { error: UserError };

export interface Group {
  provider: string;
  name: string;
  local: boolean;
  state: 'ready' | 'reading' | { error: UserError };
  rows: readonly Row[];
}

export interface Row {
  id: string;
  choice: Choice;
  name: string;
  vision: boolean;
  /** Tokens that it takes at once. */
  reach: number | null;
  /** Input and output, in US dollars per million tokens. */
  prices: readonly [number, number] | null;
}

/** Models of one group that are shown; the rest is found by typing. */
const ROWS_SHOWN = 60;

/** The groups with what fits the words that were typed; groups without any row are left out unless they still read. */
export function groupsOf(
  providers: readonly Provider[],
  offers: Readonly<Record<string, Offer>>,
  servers: readonly LocalServer[],
  query: string,
): Group[] {
  const words = query.trim().toLowerCase().split(/\s+/).filter((word) => word !== '');
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const local = servers.map((server): Group => {
    const rows = server.models.map((model) => rowOf({ provider: server.provider, model, url: server.url }, null));
    return { provider: `${server.provider}@${server.url}`, name: server.name, local: true, state: 'ready', rows };
  });
  const remote = providers
    .filter((provider) => offers[provider.id] !== undefined && !servers.some((server) => server.provider === provider.id))
    .map((provider): Group => {
      const offer = offers[provider.id];
      const head = { provider: provider.id, name: provider.name, local: provider.local };
      if (offer === undefined || offer === 'reading') return { ...head, state: 'reading', rows: [] };
      if ('error' in offer) return { ...head, state: offer, rows: [] };
      return { ...head, state: 'ready', rows: offer.map((model) => rowOf({ provider: provider.id, model: model.id, url: '' }, model)) };
    });
  return [...local, ...remote]
    .map((group) => ({ ...group, rows: group.rows.filter((row) => fits(`${group.name} ${row.name}`)).slice(0, ROWS_SHOWN) }))
    .filter((group) => group.rows.length > 0 || (group.state !== 'ready' && words.length === 0));
}

function rowOf(choice: Exclude<Choice, 'offline'>, model: ModelEntry | null): Row {
  const { input_price: input, output_price: output } = model ?? {};
  return {
    id: `${choice.provider} ${choice.url} ${choice.model}`,
    choice,
    name: choice.model,
    vision: model?.vision ?? false,
    reach: model?.window ?? null,
    prices: input === undefined || output === undefined ? null : [input, output],
  };
}

/** What goes with a question so that this choice answers it. */
export function overridesOf(choice: Choice | null): Record<string, string> {
  if (choice === null) return {};
  if (choice === 'offline') return { provider: '', model: '', model_url: '' };
  return { provider: choice.provider, model: choice.model, model_url: choice.url };
}

export function isSame(one: Choice | null, other: Choice | null): boolean {
  if (one === null || other === null || one === 'offline' || other === 'offline') return one === other;
  return one.provider === other.provider && one.model === other.model && one.url === other.url;
}

/** The row `steps` away from the one with that id, stopping at the ends. */
export function moved(rows: readonly string[], selected: string | null, steps: number): string | null {
  const at = selected === null ? -1 : rows.indexOf(selected);
  return rows[Math.min(rows.length - 1, Math.max(0, at + steps))] ?? null;
}
