/**
 * Who is asked: the assistant of the session in front, or the one that was chosen for a new session. Also what an `@` at the
 * beginning of a question may mean.
 */
import { createContext } from 'svelte';
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { ListedAssistant } from '../bindings/ListedAssistant';
import { NameCall } from '../composer/name-call.svelte';
import { CALL_SIGN, offeredFor, usable, USUAL } from './assistants';

export class AssistantChoice {
  all = $state.raw<readonly ListedAssistant[]>([]);
  /** Whether an answer has come yet. */
  known = $state(false);
  /** The one that a new session is begun with; `null` is the usual one. */
  chosen = $state<string | null>(null);

  readonly usable = $derived(usable(this.all));

  constructor(private readonly backend: Backend) {}

  read(take: (all: readonly ListedAssistant[]) => void = () => undefined): void {
    this.backend.ask(
      { request: 'assistants', action: { action: 'list' } },
      ({ assistants }: ReplyNamed<'assistants'>) => {
        this.all = assistants;
        this.known = true;
        take(assistants);
      },
      // Without them the usual one is asked.
      () => {
        this.known = true;
        take([]);
      },
    );
  }

  choose(name: string | null): void {
    this.chosen = name === USUAL ? null : name;
  }

  /** The listed one of that name. */
  named(name: string | null): ListedAssistant | null {
    return this.all.find((one) => one.name === (name ?? USUAL)) ?? null;
  }
}

export class AssistantCall extends NameCall<ListedAssistant> {
  constructor(choice: AssistantChoice, chosen: (name: string) => void) {
    super({
      sign: CALL_SIGN,
      offeredFor,
      read: (take) => choice.read(take),
      call: ({ name }) => {
        chosen(name);
        return '';
      },
    });
  }
}

export const [useAssistants, provideAssistants] = createContext<AssistantChoice>();
export const [useAssistantCall, provideAssistantCall] = createContext<AssistantCall>();
