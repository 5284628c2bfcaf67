/**
 * Who answers: the models that can be chosen for a session, grouped by who offers them.
 *
 * Pure. What a session has chosen goes with each question as overrides; the configuration stays as it is.
 */
import type { LocalServer } from '../bindings/LocalServer';
import type { ModelEntry } from '../bindings/ModelEntry';
import type { Provider } from '../bindings/Provider';
import type { UserError } from '../bindings/UserError';

/** A model of a provider; `url` only where it is not the provider's own, and without a provider nobody's but itself. */
export type Named = { provider: string; model: string; url: string };

export type Choice = Named | 'offline';

/** Under which the models at the configured address are offered: they are asked for without a provider's name. */
export const OWN_ADDRESS = '';

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

/**
 * The groups with what fits the words that were typed; groups without any row are left out unless they still read.
 * What is configured is among them whatever its server says.
 */
export function groupsOf(
  providers: readonly Provider[],
  offers: Readonly<Record<string, Offer>>,
  servers: readonly LocalServer[],
  query: string,
  configured: Choice = 'offline',
): Group[] {
  const words = query
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const own = configured === 'offline' || configured.url === '' ? null : configured;
  const here = servers.filter((server) => own === null || !isSameAddress(server.url, own.url));
  const local = here.map((server): Group => {
    const rows = server.models.map((model) => rowOf({ provider: server.provider, model, url: server.url }, null));
    return { provider: `${server.provider}@${server.url}`, name: server.name, local: true, state: 'ready', rows };
  });
  const remote = providers
    .filter(
      ({ id }) => offers[id] !== undefined && own?.provider !== id && !servers.some((server) => server.provider === id),
    )
    .map((provider) =>
      groupOf(
        { provider: provider.id, name: provider.name, local: provider.local },
        { provider: provider.id, url: '' },
        offers[provider.id] ?? 'reading',
      ),
    );
  return [...(own === null ? [] : [ownGroup(own, providers, offers)]), ...local, ...remote]
    .map((group) =>
      configured === 'offline' || own !== null || group.provider !== configured.provider
        ? group
        : withConfigured(group, configured),
    )
    .map((group) => ({
      ...group,
      rows: group.rows.filter((row) => fits(`${group.name} ${row.name}`)).slice(0, ROWS_SHOWN),
    }))
    .filter((group) => group.rows.length > 0 || (group.state !== 'ready' && words.length === 0));
}

/** The models at the configured address. */
function ownGroup(own: Named, providers: readonly Provider[], offers: Readonly<Record<string, Offer>>): Group {
  const host = hostOf(own.url);
  const known = providers.find(({ id }) => id === own.provider);
  const head = {
    provider: `${own.provider}@${own.url}`,
    name: known === undefined ? host : `${known.name} · ${host}`,
    local: false,
  };
  return withConfigured(groupOf(head, own, offers[OWN_ADDRESS] ?? 'reading'), own);
}

function groupOf(
  head: Pick<Group, 'provider' | 'name' | 'local'>,
  at: Pick<Named, 'provider' | 'url'>,
  offer: Offer,
): Group {
  if (offer === 'reading') return { ...head, state: 'reading', rows: [] };
  if ('error' in offer) return { ...head, state: offer, rows: [] };
  return {
    ...head,
    state: 'ready',
    rows: offer.map((model) => rowOf({ provider: at.provider, model: model.id, url: at.url }, model)),
  };
}

/** With the configured model, which a list may not tell of. Without a name it is the first of its server. */
function withConfigured(group: Group, configured: Named): Group {
  if (group.rows.some(({ choice }) => isSame(choice, configured)) || (configured.model === '' && group.rows.length > 0))
    return group;
  const row = rowOf(configured, null);
  return { ...group, rows: [{ ...row, name: configured.model === '' ? group.name : row.name }, ...group.rows] };
}

/** The name under which the key of a server at an own address is kept, when it belongs to no provider. */
export const OWN = 'custom';

/** The host of that server, if it answers. */
export function ownAddress(choice: Choice): string | null {
  return choice === 'offline' || choice.url === '' || (choice.provider !== '' && choice.provider !== OWN)
    ? null
    : hostOf(choice.url);
}

/** The host of an address, with its port; what is no address stands for itself. */
function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

function isSameAddress(one: string, other: string): boolean {
  const bare = (address: string) => address.replace(/\/+$/, '');
  return bare(one) === bare(other);
}

function rowOf(choice: Named, model: ModelEntry | null): Row {
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

/** With the model that a provider answers with where none is named. */
export function withDefault(choice: Choice, providers: readonly Provider[]): Choice {
  if (choice === 'offline' || choice.model !== '') return choice;
  return { ...choice, model: providers.find(({ id }) => id === choice.provider)?.default_model ?? '' };
}

/** Whether `choice` is what answers, when `answering` was chosen or configured; without a name it is the first row of its server. */
export function isAnswering(choice: Choice, answering: Choice, groups: readonly Group[]): boolean {
  if (isSame(choice, answering)) return true;
  if (choice === 'offline' || answering === 'offline' || answering.model !== '') return false;
  const group = groups.find(({ rows }) => rows.some((row) => row.choice === choice));
  return group?.rows[0]?.choice === choice && choice.provider === answering.provider && choice.url === answering.url;
}

/** The row `steps` away from the one with that id, stopping at the ends. */
export function moved(rows: readonly string[], selected: string | null, steps: number): string | null {
  const at = selected === null ? -1 : rows.indexOf(selected);
  return rows[Math.min(rows.length - 1, Math.max(0, at + steps))] ?? null;
}
