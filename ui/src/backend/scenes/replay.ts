/**
 * A run that was replayed with another file: what could be changed in it, what it brought then and now. In the scene
 * `replaywaits` the replay waits for its user. Used by the scripted backend alone.
 */
import type { Ask } from '../../bindings/Ask';
import type { Replay } from '../../bindings/Replay';
import type { SessionDetail } from '../../bindings/SessionDetail';
import type { Language } from './language';
import { now, Script, sessionOf, summary, type Play } from './play';

export const REPLAYED = 'run-met';
export const REPLAY = 'run-again';
export const REPLAY_SESSION = 'session-1';

const VALUES: Readonly<Record<string, unknown>> = {
  path: 'exports/october.csv',
  limit: 3,
  open_only: true,
  columns: ['order', 'amount'],
};

const PROGRAM = `path = "exports/october.csv"
limit = 3
open_only = True
columns = ["order", "amount"]
rows = await files.table(path=path)
if open_only:
    rows = [row for row in rows if row["state"] == "open"]
for row in rows[:limit]:
    print(*(row[name] for name in columns))
await files.write(path="exports/open.md", text=f"{len(rows)} open")`;

export function isReplayed(scene: string): boolean {
  return scene === 'replay' || scene === 'replaywaits';
}

export function replayPreview({ run, inputs }: Replay, language: Language): Play[] {
  if (run !== REPLAYED && run !== REPLAY) {
    const [message, hint] =
      language === 'zh'
        ? ['这次任务没有运行过程序', '可以把问题再问一次']
        : ['No program of this run ran to its end', 'Ask the question again instead'];
    return now({ reply: 'failed', error: { code: 'input', message, hint } });
  }
  const after = PROGRAM.split('\n').map((line) => {
    const name = line.split(' = ')[0] ?? '';
    return inputs[name] === undefined || !(name in VALUES)
      ? line
      : `${name} = ${inputs[name].replace(/\btrue\b/, 'True').replace(/\bfalse\b/, 'False')}`;
  });
  return now({
    reply: 'replay_preview',
    preview: {
      run,
      inputs: Object.entries(VALUES).map(([name, value]) => ({ name, value })),
      programs: [{ before: PROGRAM, after: after.join('\n') }],
      calls: [
        { tool: 'files.table', class: 'read', times: 1 },
        { tool: 'files.write', class: 'write', times: 1 },
      ],
    },
  });
}

/** The replay begins; where it waits, it says for what. */
export function replayed(ask: Ask, language: Language, scene: string): Play[] {
  const script = new Script(REPLAY_SESSION, REPLAY).start(
    language === 'zh' ? '重放：还有哪些订单没关' : 'Replay: which orders are open?',
  );
  if (scene === 'replaywaits') return script.ends('suspended').plays;
  return script.segment('Python', ask.replay === undefined ? '' : PROGRAM, 1).ends('completed').plays;
}

export function replayedSession(language: Language, scene: string): SessionDetail {
  const zh = language === 'zh';
  const at = '2026-11-20T09:41:07.000Z';
  const said = zh ? '3 个订单没关' : '3 orders are open';
  const then = new Script(REPLAY_SESSION, REPLAYED, at)
    .program('', 0)
    .prints('A-1041 310.50\nA-1077 96.00\nA-1102 1204.00\n', 1)
    .segment('Express', said, 1);
  const again = new Script(REPLAY_SESSION, REPLAY, at)
    .program('', 0)
    .prints('A-1190 88.20\nA-1201 412.00\n', 1)
    .segment('Express', said, 1);
  const found = summary(REPLAY_SESSION, zh ? '还有哪些订单没关' : 'Which orders are open?', at, 2);
  return { ...sessionOf(found, [then, ...(scene === 'replaywaits' ? [] : [again])]), runs: [] };
}
