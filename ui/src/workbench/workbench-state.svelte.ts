/**
 * The workbench's stores: makes each with what it needs, and hands on the news of runs.
 *
 * Only the workbench's first component knows it; every other one takes the store that it draws.
 */
import { AssistantStore, provideAssistantStore } from '../assistants/assistant-store.svelte';
import { BadCaseStore, provideBadCases } from '../bad-cases/bad-case-store.svelte';
import type { Backend } from '../backend/backend';
import { provideBackend } from '../backend/context';
import type { RunEvent } from '../bindings/RunEvent';
import { DashboardStore, provideDashboard } from '../dashboard/dashboard-store.svelte';
import { ExperienceStore, provideExperience } from '../experience/experience-store.svelte';
import { i18nOf, provideI18n } from '../i18n/i18n';
import { KnowledgeStore, provideKnowledge } from '../knowledge/knowledge-store.svelte';
import { ClientStore, provideClients } from '../mcp/client-store.svelte';
import { provideServers, ServerStore } from '../mcp/server-store.svelte';
import { MemoryStore, provideMemory } from '../memory/memory-store.svelte';
import { PagePreferenceStore, providePagePreferences } from '../page-preferences/page-preference-store.svelte';
import type { Known } from '../page-preferences/page-preferences';
import { PageStore, providePages } from '../pages/page-store.svelte';
import { Preferences, providePreferences } from '../settings/preferences.svelte';
import { provideToasts, Toasts } from '../shared/toasts.svelte';
import { provideSchedules, ScheduleStore } from '../schedules/schedule-store.svelte';
import { PluginStore, providePlugins } from '../plugins/plugin-store.svelte';
import { PromptStore, providePrompts } from '../prompts/prompt-store.svelte';
import { provideSkills, SkillStore } from '../skills/skill-store.svelte';
import { provideTools, ToolStore } from '../tools/tool-store.svelte';
import { provideWorkflows, WorkflowStore } from '../workflows/workflow-store.svelte';
import { provideTraces, TraceStore } from '../traces/trace-store.svelte';
import { provideSections, Sections } from './sections.svelte';
import { provideSpending, Spending } from './spending.svelte';

/** A broken stream of news is opened again after this long, in milliseconds. */
const WATCH_AGAIN_MS = 500;

export class WorkbenchState {
  readonly preferences: Preferences;
  readonly i18n = i18nOf(() => this.preferences.settings.language);
  readonly toasts = new Toasts();
  readonly traces: TraceStore;
  readonly knowledge: KnowledgeStore;
  readonly memory: MemoryStore;
  readonly experience: ExperienceStore;
  readonly tools: ToolStore;
  readonly plugins: PluginStore;
  readonly prompts: PromptStore;
  readonly skills: SkillStore;
  readonly workflows: WorkflowStore;
  readonly schedules: ScheduleStore;
  readonly assistants: AssistantStore;
  readonly pages: PageStore;
  readonly pagePreferences: PagePreferenceStore;
  readonly servers: ServerStore;
  readonly clients: ClientStore;
  readonly dashboard: DashboardStore;
  readonly badCases: BadCaseStore;
  readonly spending: Spending;
  readonly sections: Sections;

  constructor(readonly backend: Backend) {
    this.preferences = new Preferences(backend, () => undefined);
    this.traces = new TraceStore(backend, this.i18n);
    this.knowledge = new KnowledgeStore(backend, this.toasts, this.i18n);
    this.memory = new MemoryStore(backend, this.toasts, this.i18n);
    this.experience = new ExperienceStore(backend, this.toasts, this.i18n);
    this.tools = new ToolStore(backend);
    this.plugins = new PluginStore(backend);
    this.prompts = new PromptStore(backend);
    this.skills = new SkillStore(backend);
    this.workflows = new WorkflowStore(backend);
    this.schedules = new ScheduleStore(backend);
    this.assistants = new AssistantStore(backend);
    this.pages = new PageStore(backend);
    this.pagePreferences = new PagePreferenceStore(backend, (by) => this.memory.follow(by));
    this.servers = new ServerStore(backend);
    this.clients = new ClientStore(backend);
    this.badCases = new BadCaseStore(backend);
    this.dashboard = new DashboardStore(backend, this.toasts, this.i18n);
    this.spending = new Spending(backend);
    this.sections = new Sections(
      backend,
      this.traces,
      this.experience,
      this.assistants,
      this.workflows,
      this.skills,
      this.badCases,
    );
    this.workflows.count();
    this.schedules.count();
    this.clients.read();
    this.watch();
  }

  /** Gives every component below its store. */
  provide(): void {
    provideBackend(this.backend);
    provideI18n(this.i18n);
    providePreferences(this.preferences);
    provideToasts(this.toasts);
    provideTraces(this.traces);
    provideKnowledge(this.knowledge);
    provideMemory(this.memory);
    provideExperience(this.experience);
    provideTools(this.tools);
    providePlugins(this.plugins);
    providePrompts(this.prompts);
    provideSkills(this.skills);
    provideWorkflows(this.workflows);
    provideSchedules(this.schedules);
    provideAssistantStore(this.assistants);
    providePages(this.pages);
    providePagePreferences(this.pagePreferences);
    provideServers(this.servers);
    provideClients(this.clients);
    provideDashboard(this.dashboard);
    provideBadCases(this.badCases);
    provideSpending(this.spending);
    provideSections(this.sections);
  }

  private watch(): void {
    const stream = this.backend.send({ request: 'watch' }, (reply) => {
      if (reply.reply === 'event') this.heard(reply.event);
      else if (reply.reply === 'config_changed') this.preferences.read();
      else if (reply.reply === 'pages') this.pages.take(reply.pages);
      else if (reply.reply === 'preferences') this.preferencesChanged(reply);
      else if (reply.reply === 'tools_changed') this.toolsChanged();
      else if (reply.reply === 'assistants_changed' && this.sections.shown === 'assistants') this.assistants.read();
      else if (reply.reply === 'saved_prompts_changed' && this.sections.shown === 'prompts') this.prompts.read();
      else if (reply.reply === 'skills_changed' && this.sections.shown === 'skills') this.skills.read();
      else if (reply.reply === 'workflows_changed') this.workflowsChanged();
      else if (reply.reply === 'schedule_changed') this.schedulesChanged();
    });
    void stream.closed.then(() =>
      setTimeout(() => {
        this.watch();
        this.traces.readAgain();
        this.pages.read();
        this.pagePreferences.readAgain();
        this.workflows.count();
        this.schedules.count();
        this.clients.read();
      }, WATCH_AGAIN_MS),
    );
  }

  /** A kept preference is a memory, and a changed one another memory. */
  private preferencesChanged(known: Known): void {
    this.pagePreferences.take(known);
    if (this.sections.shown === 'memory') this.memory.read();
  }

  private toolsChanged(): void {
    if (this.sections.shown === 'tools') this.tools.read();
    if (this.sections.shown === 'connections') void this.servers.readAgain();
  }

  /** Runs that wait are counted in the rail, whatever section is looked at. */
  private workflowsChanged(): void {
    if (this.sections.shown === 'workflows') this.workflows.changed();
    else this.workflows.count();
  }

  /** One that waits is counted in the rail, whatever section is looked at. */
  private schedulesChanged(): void {
    if (this.sections.shown === 'schedules') this.schedules.read();
    else this.schedules.count();
  }

  private heard(event: RunEvent): void {
    this.traces.heard(event);
    if (event.type !== 'run_ended') return;
    this.spending.read();
    if (this.sections.shown === 'memory') this.memory.read();
    if (this.sections.shown === 'dashboard') this.dashboard.readSoon();
    this.experience.read();
  }
}
