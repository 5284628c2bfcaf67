/**
 * The model picker: asks for providers, their models and the servers on this machine, and remembers what each
 * session has chosen.
 *
 * Nothing is asked before the picker is opened: looking for models may reach the network.
 */
import { createContext } from 'svelte';
import { answer, type Answer } from '../backend/ask';
import type { AnsweredRequest } from '../bindings/ReplyTo';
import type { Backend } from '../backend/backend';
import type { KeyKeeper } from '../bindings/KeyKeeper';
import type { LocalServer } from '../bindings/LocalServer';
import type { Provider } from '../bindings/Provider';
import type { SessionId } from '../bindings/SessionId';
import type { UserError } from '../bindings/UserError';
import { groupsOf, isSame, OWN_ADDRESS, withDefault, type Choice, type Offer } from './choices';

/** Lists younger than this are shown without asking again, in milliseconds: models come and go within days. */
const FRESH_MS = 5 * 60_000;

/** Sessions whose choice is remembered. */
const REMEMBERED_MAX = 100;

const REMEMBERED = 'models';

export class ModelStore {
  open = $state(false);
  query = $state('');
  providers = $state.raw<readonly Provider[]>([]);
  keeper = $state.raw<KeyKeeper>('keychain');
  servers = $state.raw<readonly LocalServer[]>([]);
  searching = $state(false);
  error = $state.raw<UserError | null>(null);
  /** What the session in front has chosen; `null` for what is configured. */
  chosen = $state.raw<Choice | null>(null);

  /** What answers where nothing is chosen. */
  private configured = $state.raw<Choice>('offline');
  private offers = $state.raw<Readonly<Record<string, Offer>>>({});
  private read = 0;
  private session: SessionId | null = null;
  /** Whether what is chosen is of an incognito session. */
  private forgets = false;

  private readonly answers = $derived(withDefault(this.configured, this.providers));
  readonly groups = $derived(groupsOf(this.providers, this.offers, this.servers, this.query, this.answers));
  /** What answers the next question. */
  readonly answering = $derived(this.chosen ?? this.answers);

  constructor(
    private readonly backend: Backend,
    private readonly preferred: () => Choice,
  ) {}

  show(): void {
    const configured = this.preferred();
    this.open = true;
    this.query = '';
    const isOld = !isSame(configured, this.configured) || Date.now() - this.read >= FRESH_MS;
    this.configured = configured;
    if (isOld) this.refresh(configured === 'offline' ? null : configured.provider);
  }

  /** Asks again who is there; a provider that answers at an address of its own is asked there. */
  refresh(configured: string | null): void {
    this.read = Date.now();
    this.error = null;
    const own = this.configured === 'offline' || this.configured.url === '' ? null : this.configured;
    if (own !== null) this.readModels(OWN_ADDRESS);
    void this.readProviders().then(() => {
      for (const { id, key } of this.providers) {
        if (id === own?.provider) continue;
        if (id === configured || key.kept === 'keychain' || key.kept === 'file' || key.kept === 'environment')
          this.readModels(id);
      }
    });
    this.findServers();
  }

  async readProviders(): Promise<void> {
    const { reply, error } = await answer(this.backend, { request: 'provider_list' });
    if (error !== null) this.error = error;
    if (reply === null) return;
    this.providers = reply.providers;
    this.keeper = reply.keeper;
  }

  readModels(provider: string): void {
    this.offers = { ...this.offers, [provider]: 'reading' };
    void answer(this.backend, { request: 'model_list', provider }).then(({ reply, error }) => {
      const offer: Offer = reply === null ? { error } : reply.models;
      this.offers = { ...this.offers, [provider]: offer };
    });
  }

  /** The models of a provider that were read. */
  modelsOf(provider: string): readonly string[] {
    const offer = this.offers[provider];
    return Array.isArray(offer) ? offer.map((model: { id: string }) => model.id) : [];
  }

  findServers(): void {
    this.searching = true;
    void answer(this.backend, { request: 'servers_find' }).then(({ reply }) => {
      this.searching = false;
      if (reply !== null) this.servers = reply.servers;
    });
  }

  choose(choice: Choice | null): void {
    this.chosen = choice;
    this.open = false;
    this.remember();
  }

  /** Follows the conversation to another session; a new one begins with what is configured. */
  follow(session: SessionId | null): void {
    if (session === this.session) return;
    const begun = this.session === null && session !== null && this.chosen !== null;
    this.session = session;
    // The session that was just begun keeps what was chosen for it.
    if (begun) this.remember();
    else this.chosen = session === null ? null : (remembered()[session] ?? null);
  }

  /** Before a new session takes the place of another. */
  reset(what: 'remembers' | 'forgets' = 'remembers'): void {
    this.forgets = what === 'forgets';
    this.session = null;
    this.chosen = null;
  }

  /** Asks a request that has one answer. */
  answer<R extends AnsweredRequest>(request: R): Promise<Answer<R>> {
    return answer(this.backend, request);
  }

  private remember(): void {
    if (this.session === null || this.forgets) return;
    const kept = Object.entries(remembered()).filter(([session]) => session !== this.session);
    if (this.chosen !== null) kept.push([this.session, this.chosen]);
    localStorage.setItem(REMEMBERED, JSON.stringify(Object.fromEntries(kept.slice(-REMEMBERED_MAX))));
  }
}

/** What earlier sessions have chosen; a broken memory is an empty one. */
function remembered(): Record<string, Choice> {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(REMEMBERED) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter((entry): entry is [string, Choice] => isChoice(entry[1])));
  } catch {
    return {};
  }
}

function isChoice(value: unknown): value is Choice {
  if (value === 'offline') return true;
  if (typeof value !== 'object' || value === null) return false;
  return ['provider', 'model', 'url'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string');
}

export const [useModels, provideModels] = createContext<ModelStore>();
