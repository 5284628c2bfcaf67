/** Does what the panel is asked for from outside: by the ball, the tray, a notification, or a link. */
import type { AssistantCall, AssistantChoice } from '../assistants/assistant-choice.svelte';
import { CALL_SIGN, usable } from '../assistants/assistants';
import type { ShellCommand } from '../backend/backend';
import type { SessionId } from '../bindings/SessionId';
import type { DraftStore } from '../composer/draft-store.svelte';
import type { ConversationStore } from '../conversation/conversation-store.svelte';
import type { SettingsStore } from '../settings/settings-store.svelte';
import type { I18n } from '../i18n/i18n';
import type { Toasts } from '../shared/toasts.svelte';
import type { Focus } from './focus.svelte';
import { takeSelected, type Stores as SelectionStores } from './selected-text';
import type { Navigation } from './navigation.svelte';

/** The stores that commands from outside act on. */
export interface Stores extends SelectionStores {
  readonly assistants: AssistantChoice;
  readonly assistantCall: AssistantCall;
  readonly conversation: ConversationStore;
  readonly draft: DraftStore;
  readonly focus: Focus;
  readonly navigation: Navigation;
  readonly settingsStore: SettingsStore;
  readonly toasts: Toasts;
  readonly i18n: I18n;
}

export function applyCommand(stores: Stores, command: ShellCommand): void {
  switch (command.command) {
    case 'card':
      bringInFront(stores, command.session);
      stores.focus.toCard();
      return;
    case 'run':
      bringInFront(stores, command.session);
      return;
    case 'new_session':
      stores.conversation.newSession();
      return;
    case 'settings':
      stores.navigation.show('settings');
      stores.settingsStore.query = command.find;
      return;
    case 'text':
      // Another program may have written it: it waits for the user's own Enter.
      if (command.text === CALL_SIGN) offerAssistants(stores);
      else addToInput(stores, command.text);
      return;
    case 'assistant':
      chooseAssistant(stores, command.name, command.text);
      return;
    case 'link_refused':
      stores.navigation.toInput();
      stores.toasts.say(stores.i18n.say('link_asks_nothing'));
      return;
    case 'selected':
      takeSelected(stores, command, command.view);
      return;
  }
}

function bringInFront({ conversation, navigation }: Stores, session: SessionId): void {
  if (conversation.view.session !== session) conversation.openSession(session);
  else navigation.show('conversation');
}

/** Puts a text behind what its user is writing, which stays. */
function addToInput({ draft, navigation }: Stores, text: string): void {
  const { text: begun } = draft.view;
  if (text !== '') draft.type(begun.trim() === '' ? text : `${begun.trimEnd()}\n${text}`);
  navigation.toInput();
}

/** Offers the assistants. They are listed where a question begins, so their sign goes above what is being written. */
function offerAssistants({ assistantCall, draft, navigation }: Stores): void {
  draft.type(assistantCall.above(draft.view.text));
  navigation.toInput();
}

/**
 * Chooses whom a link names. A name that nobody usable has stays in the input to be corrected, and so does each while an
 * incognito conversation is under way: another one would end it for good.
 */
function chooseAssistant(stores: Stores, name: string, text: string): void {
  const { assistants, conversation, incognito, navigation } = stores;
  navigation.toInput();
  const { session } = conversation.view;
  assistants.read((all) => {
    if (conversation.view.session !== session) return;
    const isThere = usable(all).some((one) => one.name === name);
    const mayChoose = isThere && (incognito.session === null || conversation.isEmpty());
    if (mayChoose) conversation.askWith(name);
    addToInput(stores, mayChoose ? text : `@${name} ${text}`.trim());
    if (!isThere) stores.toasts.say(stores.i18n.say('link_knows_nobody', { name }));
  });
}
