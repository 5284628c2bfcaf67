/**
 * The panel's stores: makes each with what it needs, and hands on what comes from the program and the desktop.
 *
 * Only the panel's first component knows it; every other one takes the store that it draws.
 */
import {
  AssistantCall,
  AssistantChoice,
  provideAssistantCall,
  provideAssistants,
} from '../assistants/assistant-choice.svelte';
import type { Backend, ShownBy } from '../backend/backend';
import { provideBackend } from '../backend/context';
import type { PageState } from '../bindings/PageState';
import type { RunEvent } from '../bindings/RunEvent';
import type { UserError } from '../bindings/UserError';
import { DecisionStore, provideDecisions } from '../approval/decision-store.svelte';
import { DraftStore, provideDraft } from '../composer/draft-store.svelte';
import { provideResources, ResourceStore } from '../composer/resource-store.svelte';
import { ConversationStore, provideConversation } from '../conversation/conversation-store.svelte';
import { EventStream, type StreamedReply } from '../conversation/event-stream';
import { commandsOf, perform } from '../find/commands';
import { FindInPage, provideFindInPage } from '../find/find-in-page.svelte';
import { PaletteStore, providePalette } from '../find/palette-store.svelte';
import { FolderStore, provideFolders } from '../folders/folder-store.svelte';
import { told } from '../shared/errors';
import { i18nOf, provideI18n } from '../i18n/i18n';
import { CatalogueStore, provideCatalogue } from '../models/catalogue-store.svelte';
import { ModelStore, provideModels } from '../models/model-store.svelte';
import { PagePreferenceStore, providePagePreferences } from '../page-preferences/page-preference-store.svelte';
import { PageStore, providePages } from '../pages/page-store.svelte';
import { PromptFilling, providePromptFilling } from '../prompts/filling.svelte';
import { ActivityStore, provideActivities } from '../sessions/activity-store.svelte';
import { Incognito, provideIncognito } from '../sessions/incognito.svelte';
import { Places, providePlaces } from '../sessions/places.svelte';
import { provideSessionList, SessionList } from '../sessions/session-list.svelte';
import { Preferences, providePreferences } from '../settings/preferences.svelte';
import type { Settings } from '../settings/settings';
import { provideSettingsStore, SettingsStore } from '../settings/settings-store.svelte';
import { provideSlashCall, SlashCall } from '../composer/slash-call.svelte';
import { provideToasts, Toasts } from '../shared/toasts.svelte';
import { Focus, provideFocus } from './focus.svelte';
import { Frame, provideFrame } from './frame.svelte';
import { Navigation, provideNavigation } from './navigation.svelte';
import { applyCommand } from './shell-commands';

export class PanelState {
  readonly preferences: Preferences;
  readonly i18n = i18nOf(() => this.preferences.settings.language);
  readonly focus = new Focus();
  readonly toasts = new Toasts();
  readonly places = new Places();
  readonly findInPage = new FindInPage();
  readonly activities = new ActivityStore();
  readonly stream: EventStream;
  readonly incognito: Incognito;
  readonly sessionList: SessionList;
  readonly frame: Frame;
  readonly pages: PageStore;
  readonly pagePreferences: PagePreferenceStore;
  readonly models: ModelStore;
  readonly catalogue: CatalogueStore;
  readonly settingsStore: SettingsStore;
  readonly palette: PaletteStore;
  readonly draft: DraftStore;
  readonly resources: ResourceStore;
  readonly folders: FolderStore;
  readonly promptFilling: PromptFilling;
  readonly slashCall: SlashCall;
  readonly assistants: AssistantChoice;
  readonly assistantCall: AssistantCall;
  readonly decisions: DecisionStore;
  readonly navigation: Navigation;
  readonly conversation: ConversationStore;

  /** Whether the configuration was read: the first run is offered once. */
  private isConfigured = false;

  constructor(readonly backend: Backend) {
    const fail = (error: UserError) => (this.conversation.trouble = error);
    this.stream = new EventStream(
      backend,
      (replies) => this.take(replies),
      (session) => {
        if (session === undefined) {
          this.pages.read();
          this.pagePreferences.readAgain();
        }
        this.conversation.readAgain(session);
      },
    );
    // First of all, so that nothing happens unheard while the others read.
    this.stream.watch();
    this.incognito = new Incognito(backend, fail);
    this.navigation = new Navigation(this.focus, {
      sessions: () => this.sessionList.browse(this.conversation.view.session),
      find: () => this.palette.open(commandsOf(this)),
      settings: () => this.settingsStore.open(),
    });
    this.draft = new DraftStore(backend, {
      toasts: this.toasts,
      incognito: this.incognito,
      i18n: this.i18n,
      navigation: this.navigation,
      send: () => this.conversation.send(),
    });
    this.resources = new ResourceStore(backend, (resource) => this.draft.attachments.resource(resource));
    this.folders = new FolderStore(backend, [], (why) => this.toasts.say(told(this.i18n.language, why)));
    this.promptFilling = new PromptFilling(backend, {
      i18n: this.i18n,
      text: () => this.draft.view.text,
      place: () => this.conversation.view.session,
      isIncognito: () => this.incognito.session !== null,
      chips: () => this.draft.view.chips,
      takeSelection: ({ id }) => this.draft.attachments.choose(id, 'selection'),
      write: (text) => this.draft.write(text),
      attach: (text, name) => this.draft.attachments.text(text, name),
    });
    this.slashCall = new SlashCall(
      backend,
      () => this.folders.paths,
      (prompt) => this.promptFilling.begin(prompt),
    );
    this.assistants = new AssistantChoice(backend);
    this.assistantCall = new AssistantCall(this.assistants, (name) => this.conversation.askWith(name));
    this.preferences = new Preferences(backend, (settings) => this.configured(settings));
    this.sessionList = new SessionList(backend, fail);
    this.frame = new Frame(backend);
    this.pages = new PageStore(backend);
    this.pagePreferences = new PagePreferenceStore(backend);
    this.models = new ModelStore(backend, () => this.preferences.settings.choice);
    this.catalogue = new CatalogueStore(backend);
    this.settingsStore = new SettingsStore(backend);
    this.palette = new PaletteStore(backend, (command) => perform(this, command));
    this.decisions = new DecisionStore((request) => {
      this.conversation.request(request);
      this.focus.toInput();
    });
    this.conversation = new ConversationStore(this);
    this.listen();
  }

  /** Gives every component below its store. */
  provide(): void {
    provideBackend(this.backend);
    provideI18n(this.i18n);
    providePreferences(this.preferences);
    provideFocus(this.focus);
    provideToasts(this.toasts);
    providePlaces(this.places);
    provideFindInPage(this.findInPage);
    provideActivities(this.activities);
    provideIncognito(this.incognito);
    provideSessionList(this.sessionList);
    provideFrame(this.frame);
    providePages(this.pages);
    providePagePreferences(this.pagePreferences);
    provideModels(this.models);
    provideCatalogue(this.catalogue);
    provideSettingsStore(this.settingsStore);
    providePalette(this.palette);
    provideDraft(this.draft);
    provideResources(this.resources);
    provideFolders(this.folders);
    providePromptFilling(this.promptFilling);
    provideSlashCall(this.slashCall);
    provideAssistants(this.assistants);
    provideAssistantCall(this.assistantCall);
    provideDecisions(this.decisions);
    provideNavigation(this.navigation);
    provideConversation(this.conversation);
  }

  private listen(): void {
    this.backend.onShown((by) => this.shown(by));
    this.backend.onLooked((looked) => this.draft.looked(looked));
    this.backend.onCommand((command) => applyCommand(this, command));
    this.backend.onFilesDropped((paths) => this.draft.attach(paths));
    this.backend.onFilesOver((held) => (this.draft.filesOver = held));
    this.sessionList.read(() => this.conversation.start());
    this.assistants.read();
  }

  private take(replies: StreamedReply[]): void {
    for (const { reply, from } of replies) {
      if (reply.reply === 'event') this.heard(reply.event, from);
      else if (reply.reply === 'config_changed') this.reconfigured();
      else if (reply.reply === 'assistants_changed') this.assistants.read();
      else if (reply.reply === 'local_model_changed') this.catalogue.changed();
      else if (reply.reply === 'pages') this.browsed(reply.pages);
      else if (reply.reply === 'preferences') this.pagePreferences.take(reply);
      else if (reply.reply === 'failed' && from !== 'watch') this.conversation.fail(reply.error, from);
    }
    this.conversation.settle();
  }

  private browsed(pages: PageState): void {
    this.pages.take(pages);
    this.draft.attachments.followPage(pages);
  }

  private heard(event: RunEvent, from: StreamedReply['from']): void {
    this.activities.heard(event);
    if (event.type === 'run_ended') {
      this.sessionList.read();
      this.folders.read();
    }
    this.conversation.take(event, from);
  }

  private shown(by: ShownBy): void {
    if (by === 'hotkey' || by === 'ball') {
      this.draft.attachments.seeFront();
      this.folders.read();
    }
    if (by === 'ball' && this.conversation.waiting.length > 0) this.focus.toCard();
    else this.focus.toInput();
  }

  private configured(settings: Settings): void {
    this.draft.configured(settings.mode);
    // Once at the start; whoever leaves it for the settings is not pulled back.
    if (settings.firstRun && !this.isConfigured) this.navigation.show('welcome');
    this.isConfigured = true;
  }

  /** A setting was changed, here or from the command line: it holds at once. */
  private reconfigured(): void {
    this.catalogue.changed();
    this.preferences.read();
    // Their words are those of the language that is set.
    this.assistants.read();
    this.draft.attachments.reconsider();
    if (this.navigation.view === 'settings') this.settingsStore.readEntries();
  }
}
