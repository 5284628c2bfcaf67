/**
 * `npm run pages`: scores how pages are read.
 *
 * `-- --half judged` scores the half that no rule was written by; `--only PATTERN` takes some pages by their names,
 * `--nameless` renames all classes and ids first, `--failures` lists what was missed.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

const HALVES = ['tuning', 'judged'];

const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'tuning' },
    only: { type: 'string', default: '.' },
    nameless: { type: 'boolean', default: false },
    failures: { type: 'boolean', default: false },
  },
});
if (!HALVES.includes(values.half)) throw new Error(`There is no half ${values.half}; there are: ${HALVES.join(', ')}`);

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const chosen = {
  HALF: values.half,
  ONLY: values.only,
  ...(values.failures ? { FAILURES: '1' } : {}),
  ...(values.nameless ? { NAMELESS: '1' } : {}),
};
const { status } = spawnSync(process.execPath, [vitest, 'run', '--project', 'pages', '--silent=false'], {
  env: { ...process.env, ...chosen },
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
