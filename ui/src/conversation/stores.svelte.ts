/** The stores that a conversation takes: what a question, its answer, or the change to another session concerns. */
import type { DecisionStore } from '../approval/decision-store.svelte';
import type { AssistantChoice } from '../assistants/assistant-choice.svelte';
import type { Backend } from '../backend/backend';
import type { DraftStore } from '../composer/draft-store.svelte';
import type { FindInPage } from '../find/find-in-page.svelte';
import type { FolderStore } from '../folders/folder-store.svelte';
import type { I18n } from '../i18n/i18n';
import type { ModelStore } from '../models/model-store.svelte';
import type { Focus } from '../panel/focus.svelte';
import type { Navigation } from '../panel/navigation.svelte';
import type { ActivityStore } from '../sessions/activity-store.svelte';
import type { Incognito } from '../sessions/incognito.svelte';
import type { Places } from '../sessions/places.svelte';
import type { SessionList } from '../sessions/session-list.svelte';
import type { Preferences } from '../settings/preferences.svelte';
import type { Toasts } from '../shared/toasts.svelte';
import type { EventStream } from './event-stream';

export interface Stores {
  readonly backend: Backend;
  readonly stream: EventStream;
  readonly i18n: I18n;
  readonly preferences: Preferences;
  readonly draft: DraftStore;
  readonly folders: FolderStore;
  readonly decisions: DecisionStore;
  readonly models: ModelStore;
  readonly assistants: AssistantChoice;
  readonly sessionList: SessionList;
  readonly activities: ActivityStore;
  readonly places: Places;
  readonly incognito: Incognito;
  readonly findInPage: FindInPage;
  readonly focus: Focus;
  readonly navigation: Navigation;
  readonly toasts: Toasts;
}
