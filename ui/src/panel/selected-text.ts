/** What becomes of a text that was selected in another window, when its bar asks for something: a chip, and a question. */
import type { ReplyNamed } from '../backend/ask';
import type { Backend, SelectionAct } from '../backend/backend';
import type { ScreenView } from '../bindings/ScreenView';
import type { DraftStore } from '../composer/draft-store.svelte';
import type { ConversationStore } from '../conversation/conversation-store.svelte';
import type { I18n, WordKey } from '../i18n/i18n';
import type { Incognito } from '../sessions/incognito.svelte';
import type { PromptFilling } from '../prompts/filling.svelte';

/** The stores that it goes through. */
export interface Stores {
  readonly backend: Backend;
  readonly conversation: ConversationStore;
  readonly draft: DraftStore;
  readonly i18n: I18n;
  readonly incognito: Incognito;
  readonly promptFilling: PromptFilling;
}

/** The questions that need no more words of the user. That no program is needed is said: small models wrote them in vain. */
const QUESTIONS: Partial<Record<SelectionAct['act'], WordKey>> = {
  explain: 'selection_explain',
  translate: 'selection_translate',
  rewrite: 'selection_rewrite',
};

/**
 * Takes the text along. A question that stands is asked at once, for that is what its button says, each in a session of
 * its own; unless something was typed there already, which would be sent with it.
 */
export function takeSelected(stores: Stores, act: SelectionAct, view: ScreenView): void {
  const { conversation, draft, i18n, incognito } = stores;
  if (view.blocked !== undefined) return draft.looked({ view });
  const question = QUESTIONS[act.act];
  if (question === undefined) {
    draft.looked({ view });
    if (act.act === 'prompt') fillIn(stores, act.name);
    return;
  }
  // An incognito session is not left for one that is kept.
  if (incognito.session === null) conversation.newSession();
  // What was attached and not sent waits for its own question.
  const isAlone = draft.view.chips.every(({ what }) => what === 'front');
  draft.looked({ view });
  const typed = draft.view.text.trim();
  draft.write(typed === '' ? i18n.say(question) : `${i18n.say(question)}\n${typed}`);
  if (typed === '' && isAlone) conversation.send();
}

function fillIn({ backend, promptFilling }: Stores, name: string): void {
  backend.ask(
    { request: 'saved_prompts', action: { action: 'list' } },
    ({ prompts }: ReplyNamed<'saved_prompts'>) => {
      const prompt = prompts.find((known) => known.name === name);
      if (prompt !== undefined) promptFilling.begin(prompt);
    },
    () => undefined,
  );
}
