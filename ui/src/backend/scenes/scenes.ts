/** All scenes by name. A scene answers every request that the panel may send while it plays. */
import type { Request } from '../../bindings/Request';
import type { Language } from './language';
import { hostile, longAnswer, repeating, streaming } from './answers';
import { ASKING_SCENES } from './asking';
import { arranged, Changes, changed, delegated } from './changes';
import { approval, approved, form, question, writesOutside } from './cards';
import { dashboard } from './dashboard';
import { data } from './data';
import { Experiences } from './experience';
import { Folders } from './folders';
import { Inside } from './inside';
import { Bases } from './knowledge';
import { Memory } from './memory';
import {
  keysOf,
  localModel,
  modelCatalogue,
  modelRemoved,
  models,
  providers,
  servers,
  spending,
  tested,
} from './models';
import { DroppedGuesses, isOfGuesses } from './dropped-guesses';
import { isOfPreferences, PagePreferences } from './page-preferences';
import { atPage, changesPage, Pages } from './pages';
import { pictured } from './pictures';
import { now, type Play, type Scene } from './play';
import { recalled, recollection } from './recall';
import { isReplayed, REPLAY_SESSION, replayed, replayedSession, replayPreview } from './replay';
import { brokenDiagram, LONG_ANSWERS, richAnswer, streamedDocument } from './rich';
import { configuration, heldViews, looks, memories, rules, sensors, setting } from './settings';
import { branchedSession, sessionList, storedSession, switchedSession } from './stored';
import { frontView, inspection, proposal, wholeView } from './things';
import { traceList, traceStep, traceSteps } from './traces';
import {
  gaveUp,
  lockedKeys,
  offline,
  offlineHelp,
  refusedByLock,
  rejectedKey,
  suspended,
  tainted,
  unreached,
  withdrawn,
} from './trouble';
import { compacted, elsewhere, working } from './working';
import { Schedules } from './schedules';
import { Servers } from './servers';
import { Assistants } from './assistants';
import { Plugins } from './plugins';
import { BadCases } from './bad-cases';
import { Prompts } from './prompts';
import { Skills } from './skills';
import { atWorkflow, overAlready, STEP_RUN, Workflows } from './workflows';
import { Tools } from './tools';
import { limited, reads } from './waiting';

type Asked = (language: Language, session: string) => Play[];

const RUNS: Record<string, Asked> = {
  summoned: streaming,
  streaming,
  long: longAnswer,
  repeating,
  hostile,
  rich: richAnswer,
  diagram: brokenDiagram,
  data,
  ...ASKING_SCENES,
  ...Object.fromEntries(
    LONG_ANSWERS.map((kind): [string, Asked] => [
      kind,
      (language, session) => streamedDocument(kind, language, session),
    ]),
  ),
  working,
  inside: longAnswer,
  insideempty: longAnswer,
  insideslow: longAnswer,
  limited,
  reads,
  changed,
  arranged,
  delegated,
  recalled,
  pictured,
  approval,
  journey: approval,
  tainted,
  question,
  form,
  error: rejectedKey,
  locked: lockedKeys,
  lockedrun: lockedKeys,
  offline,
  offlinehelp: offlineHelp,
  gaveup: gaveUp,
  withdrawn,
  unreached,
  servers: longAnswer,
  context: longAnswer,
  pageallowed: longAnswer,
  pageprefers: longAnswer,
  pagefills: longAnswer,
  pagemisses: longAnswer,
  pagepdf: longAnswer,
  pageproposed: longAnswer,
  pageguesses: longAnswer,
  pagewaits: atPage,
  workflowasks: atWorkflow,
  pagechange: changesPage,
  work: longAnswer,
  workunconfined: longAnswer,
  workwrite: writesOutside,
};

export function sceneNamed(name: string, language: Language): Scene {
  const session = 'session-1';
  const keys = keysOf(name);
  const bases = new Bases(language, name);
  const memory = new Memory(language, name);
  const experiences = new Experiences(language, name);
  const tools = new Tools(name);
  const mcpServers = new Servers(language, name);
  const badCases = new BadCases(language, name);
  const prompts = new Prompts(language, name);
  const plugins = new Plugins(language);
  const skills = new Skills(language);
  const workflows = new Workflows(language);
  const schedules = new Schedules(language, name);
  const assistants = new Assistants(language);
  const pages = new Pages(language, name);
  const pagePreferences = new PagePreferences(language, name, memory);
  const droppedGuesses = new DroppedGuesses(language, name);
  const changes = new Changes(language, name);
  const inside = new Inside(language, name);
  const folders = new Folders(language, name);
  let asked = 0;
  return {
    question: questionOf((RUNS[name] ?? streaming)(language, session)),
    picked:
      name === 'strangersfile' ? ['/home/ming/memory.jsonl'] : ['/home/lin/work/builds.csv', '/home/lin/work/notes.md'],
    answer(request: Request): Play[] {
      switch (request.request) {
        case 'replay_preview':
          return replayPreview(request, language);
        case 'ask':
          if (request.replay !== undefined) return replayed(request, language, name);
          if (name === 'locked' && keys.keeper === 'locked_file') return refusedByLock(language);
          if (name === 'barred' && typeof request.assistant === 'string') return now(assistants.bar(request.assistant));
          asked += 1;
          return ofRun(
            `run-${asked}`,
            (name.startsWith('locked') && keys.keeper === 'file' ? longAnswer : (RUNS[name] ?? streaming))(
              language,
              request.session ?? session,
            ),
          );
        case 'incognito':
        case 'try_out':
          return now({ reply: 'incognito', session: 'session-unseen' });
        case 'session_list':
          return now({ reply: 'sessions', sessions: sessionList(language, name) });
        case 'session_search': {
          const found = sessionList(language, name).filter((known) => known.title.includes(request.text));
          return now({ reply: 'sessions', sessions: found });
        }
        case 'session_branch':
          return now({ reply: 'session', session: branchedSession(language, request.session, request.before, name) });
        case 'session_switch':
          return now({ reply: 'session', session: switchedSession(language, request.session, request.run) });
        case 'session_show':
          if (isReplayed(name) && request.session === REPLAY_SESSION)
            return now({ reply: 'session', session: replayedSession(language, name) });
          return now({
            reply: 'session',
            session: memory.session(request.session) ?? storedSession(language, request.session, name),
          });
        case 'config_list':
          return now(configuration(name, language));
        case 'session_compact':
          return compacted(request.session);
        case 'resume':
          if (name === 'workflowasks') return overAlready();
          return suspended(language, 'session-7');
        case 'approve':
          return [
            ...decision(request.run, { call: request.call, approved: true, reason: null }),
            ...(name === 'journey' ? approved(language, session, LATER_SEQ) : []),
          ];
        case 'refuse':
          return decision(request.run, { call: request.call, approved: false, reason: request.reason });
        case 'answer':
          return [
            ...decision(request.run, { call: 1, approved: true, reason: request.text }),
            ...(request.run === STEP_RUN ? now({ reply: 'ended', run: request.run, status: 'completed' }) : []),
          ];
        case 'cancel':
          return [...cancelled(request.run), ...now({ reply: 'cancelled' })];
        case 'key_list':
          return now({ reply: 'keys', keys: [{ provider: 'dashscope', kept: 'keychain', tail: '3f9c' }] });
        case 'spending':
          return now(spending());
        case 'memory_search':
          return now({ reply: 'memories', hits: memories(language, request.text) });
        case 'knowledge':
          return bases.answer(request.action);
        case 'memory':
          if (isOfPreferences(request.action)) return pagePreferences.answer(request.action);
          if (isOfGuesses(request.action)) return now(droppedGuesses.answer(request.action));
          return name === 'recalled' && request.action.action === 'show'
            ? recollection(language, request.action.memory)
            : memory.answer(request.action);
        case 'experience':
          return experiences.answer(request.action);
        case 'tools':
          return now(tools.answer(request.action));
        case 'assistants':
          return now(assistants.answer(request.action));
        case 'bad_cases':
          return badCases.answer(request.action);
        case 'saved_prompts':
          return now(prompts.answer(request.action));
        case 'plugins':
          return now(plugins.answer(request.action));
        case 'skills':
          return now(skills.answer(request.action));
        case 'workflows':
          return workflows.answer(request.action);
        case 'schedules':
          return schedules.answer(request.action);
        case 'variables':
        case 'jobs':
          return now(inside.answer(request));
        case 'changes':
          return now(changes.answer(request.action));
        case 'folders':
          return now(folders.answer(request.action));
        case 'pages':
          return now(pages.answer(request.action));
        case 'mcp':
          return now(mcpServers.answer(request.action));
        case 'rule_list':
          return now({ reply: 'rules', rules: rules() });
        case 'rule_set':
          return now({ reply: 'rules', rules: rules() });
        case 'rule_delete':
          return now({ reply: 'rules', rules: rules().filter((rule) => rule.pattern !== request.pattern) });
        case 'inspect':
          return inspection(language, request.source);
        case 'look':
          return now({ reply: 'looked', view: frontView(name, language) });
        case 'look_show':
          return now({ reply: 'looked', view: wholeView(language, request.id, name) });
        case 'look_suggest':
          return proposal(name, language);
        case 'look_insert':
          return now({ reply: 'done' });
        case 'look_held':
        case 'look_pin':
          return now({ reply: 'held_views', views: heldViews(language, request) });
        case 'look_ledger':
          return now({ reply: 'looks', looks: looks() });
        case 'sensors':
          return now({ reply: 'sensors', sensors: sensors(language) });
        case 'config_set':
          return now(setting(name, language, request.key, request.value));
        case 'keys_unlock':
          return now(keys.unlock(request.passphrase, language));
        case 'provider_list':
          return now(providers(name, keys.keeper));
        case 'model_list':
          return now(models(request.provider, language, name));
        case 'model_test':
          return [{ after_ms: 300, reply: tested(request.model ?? '') }];
        case 'local_model_show':
        case 'local_model_use':
          return now(localModel(name));
        case 'local_model_catalogue':
        case 'local_model_download':
        case 'local_model_download_stop':
          return now(modelCatalogue());
        case 'local_model_remove':
          return now(modelRemoved());
        case 'servers_find':
          return [{ after_ms: 200, reply: servers(name) }];
        case 'dashboard':
          return now(dashboard(name, request.action));
        case 'trace_list':
          return now(traceList(name, language, request));
        case 'trace_steps':
          return now(traceSteps(name, language, request.run, request.after, request.limit));
        case 'trace_step':
          return now(traceStep(language, request.run, request.span));
        case 'watch':
          return name === 'elsewhere' ? elsewhere(language) : [];
        case 'look_remember':
        case 'look_watch':
          return [];
        case 'look_forget':
        case 'exec':
        case 'session_delete':
        case 'session_export':
        case 'session_import':
        case 'session_rename':
        case 'key_set':
        case 'key_test':
        case 'key_delete':
        case 'trace_show':
        case 'trace_statistics':
        case 'doctor':
        case 'desktop':
          return now({ reply: 'done' });
      }
    },
  };
}

/** The same run under another id: a question that is asked again begins another run. */
function ofRun(run: string, plays: Play[]): Play[] {
  return plays.map((play): Play => {
    if (play.reply.reply === 'event') return { ...play, reply: { ...play.reply, event: { ...play.reply.event, run } } };
    return play.reply.reply === 'ended' ? { ...play, reply: { ...play.reply, run } } : play;
  });
}

function questionOf(plays: Play[]): string {
  for (const { reply } of plays) {
    if (reply.reply === 'event' && reply.event.type === 'segment' && reply.event.kind === 'User')
      return reply.event.text;
  }
  return '';
}

/** Far above anything a scene counts to: what follows a decision is always new. */
const LATER_SEQ = 10_000;

function decision(run: string, made: { call: number; approved: boolean; reason: string | null }): Play[] {
  const time = '2026-11-20T09:41:40Z';
  return now({ reply: 'event', event: { type: 'decided', ...made, run, seq: LATER_SEQ, time } });
}

function cancelled(run: string): Play[] {
  const usage = { input: 3120, cached: 2048, output: 96, cost: 0.001, model_calls: 1 };
  const time = '2026-11-20T09:41:40Z';
  return now({
    reply: 'event',
    event: { type: 'run_ended', status: 'cancelled', usage, ms: 4000, run, seq: LATER_SEQ, time },
  });
}
