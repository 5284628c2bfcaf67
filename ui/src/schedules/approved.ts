/**
 * Lines of what a schedule may do without asking, and which of them its workflow brought. Pure.
 */

export interface Approved {
  /** One family of calls in each line. */
  approve: string;
  /** Those of its lines that the workflow brought. */
  brought: readonly string[];
}

/** Puts what a workflow wants in the place of what the one before it brought. A line that the user typed stays theirs. */
export function bringing({ approve, brought }: Approved, permissions: readonly string[]): Approved {
  const own = without(approve, brought);
  const fresh = permissions.filter((line) => !has(own, line));
  // The user's own lines come last: the caret stays in them when the others come while something is typed.
  return { approve: [...fresh, ...rowsOf(own)].join('\n'), brought: fresh };
}

/** Takes out what the workflow brought and still stands there: something else is to happen now. */
export function takenOut({ approve, brought }: Approved): Approved {
  const standing = brought.filter((line) => has(approve, line));
  return { approve: without(approve, standing), brought: standing };
}

/** Puts what was taken out in again. */
export function putBack({ approve, brought }: Approved): Approved {
  return bringing({ approve, brought: [] }, brought);
}

/** The same lines, with the knowledge which of them a workflow brings. */
export function recognised({ approve }: Approved, permissions: readonly string[]): Approved {
  return { approve, brought: permissions.filter((line) => has(approve, line)) };
}

/** Lines as they stand, empty ones too: somebody may be typing in one. */
function rowsOf(text: string): string[] {
  return text.trim() === '' ? [] : text.split('\n');
}

function has(text: string, line: string): boolean {
  return rowsOf(text).some((row) => row.trim() === line.trim());
}

/** The text without those lines, each taken out once. */
function without(text: string, lines: readonly string[]): string {
  const left = lines.map((line) => line.trim());
  const kept = rowsOf(text).filter((row) => {
    const at = left.indexOf(row.trim());
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return kept.join('\n');
}
