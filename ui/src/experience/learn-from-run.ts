/** Making an experience of a run at the user's wish: a candidate, which is reviewed in the workbench. */
import type { UserError } from '../bindings/UserError';
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { RunId } from '../bindings/RunId';
import type { ConversationStore } from '../conversation/conversation-store.svelte';
import type { I18n } from '../i18n/i18n';
import type { Toasts } from '../shared/toasts.svelte';

/** What becomes of it is told as a toast, and what failed at the conversation. */
export interface Stores {
  readonly backend: Backend;
  readonly conversation: ConversationStore;
  readonly i18n: I18n;
  readonly toasts: Toasts;
}

export function learnFrom({ backend, conversation, i18n, toasts }: Stores, run: RunId): void {
  conversation.trouble = null;
  const failed = (error: UserError) => (conversation.trouble = error);
  const done = ({ experiences: [made] }: ReplyNamed<'experiences'>) => {
    if (made === undefined) return;
    const place = { at: 'experience', experience: made.id } as const;
    toasts.offer(i18n.say(made.state === 'candidate' ? 'experience_made' : 'experience_known'), 'review', () =>
      backend.openWorkbench(place),
    );
  };
  backend.ask({ request: 'experience', action: { action: 'take', run } }, done, failed);
}
