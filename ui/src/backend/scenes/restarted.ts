/** A long session that is there when the program is started again: its formulas and diagrams are drawn after it is shown. */
import type { SessionDetail } from '../../bindings/SessionDetail';
import type { SessionSummary } from '../../bindings/SessionSummary';
import type { Language } from './language';
import { Script, sessionOf } from './play';
import { RICH } from './rich';

/** Questions of it. */
const TURNS = 6;

const AT = '2026-11-19T16:20:00.000Z';

export function restartedSession(language: Language, found: SessionSummary): SessionDetail {
  const runs = Array.from({ length: TURNS }, (_, at) => new Script(found.id, `run-${at + 1}`, AT));
  return sessionOf(
    found,
    runs.map((run) => run.start(found.title).segment('Express', RICH[language], null).ends('completed')),
  );
}
