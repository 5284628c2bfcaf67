/** A long session that is there when the program is started again: its formulas and diagrams are drawn after it is shown. */
import type { SessionDetail } from '../../bindings/SessionDetail';
import type { SessionSummary } from '../../bindings/SessionSummary';
import type { Language } from '../../settings';
import { segmentOf } from './play';
import { RICH } from './rich';

/** Questions of it. */
const TURNS = 6;

const AT = '2026-11-19T16:20:00.000Z';

export function restartedSession(language: Language, found: SessionSummary): SessionDetail {
  const runs = Array.from({ length: TURNS }, (_, at) => `run-${at + 1}`);
  return {
    summary: found,
    segments: runs.flatMap((run, at) => [segmentOf(run, 2 * at + 1, 'User', found.title, null, AT), segmentOf(run, 2 * at + 2, 'Express', RICH[language], null, AT)]),
    calls: [],
    runs: runs.map((id) => ({ id, status: 'completed', reason: null, usage: { input: 900, cached: 0, output: 40, model_calls: 1 }, offline: false, waiting: [], seq: 9 })),
    variables: {},
  };
}
