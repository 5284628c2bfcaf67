/** What lives inside a session: its variables and background jobs, with what becomes of them when they are deleted or stopped. */
import type { JobView } from '../../bindings/JobView';
import type { Reply } from '../../bindings/Reply';
import type { Request } from '../../bindings/Request';
import type { VariablePreview } from '../../bindings/VariablePreview';
import type { Language } from './language';

type Asked = Extract<Request, { request: 'variables' | 'jobs' }>;

export class Inside {
  private variables: VariablePreview[];
  private jobs: JobView[];

  /** Stopping takes its time: the jobs stay as they are. */
  private readonly isSlow: boolean;

  constructor(language: Language, scene: string) {
    this.isSlow = scene === 'insideslow';
    const empty = scene === 'insideempty';
    this.variables = empty ? [] : VARIABLES;
    this.jobs = empty ? [] : jobs(language);
  }

  answer(request: Asked): Reply {
    if (request.request === 'variables') {
      const { action } = request;
      if (action.action === 'show') {
        const text = VALUES[action.name] ?? this.variables.find(({ name }) => name === action.name)?.preview ?? '';
        return { reply: 'variable', variable: { name: action.name, text, cut: action.name === 'log' } };
      }
      if (action.action === 'delete')
        this.variables = this.variables.filter((variable) => variable.name !== action.name);
      return { reply: 'variables', variables: this.variables };
    }
    const { action } = request;
    if (action.action === 'stop' && !this.isSlow)
      this.jobs = this.jobs.map((job) =>
        job.id === action.job ? { ...job, state: 'ended', how: 'stopped', ended: new Date().toISOString() } : job,
      );
    return { reply: 'jobs', jobs: this.jobs };
  }
}

const VARIABLES: VariablePreview[] = [
  {
    name: 'builds',
    type: 'list',
    preview:
      "[{'id': 1041, 'branch': 'main', 'seconds': 212.4}, {'id': 1042, 'branch': 'order-timeouts', 'seconds': 98.1}, …]",
  },
  { name: 'longest', type: 'float', preview: '212.4' },
  { name: 'by_branch', type: 'dict', preview: "{'main': 18, 'order-timeouts': 4}" },
  {
    name: 'log',
    type: 'str',
    preview:
      "'10:00 order 4100 paid, waiting for the ledger to confirm the entry\\n10:01 order 4101 paid, waiting for the ledger…",
  },
  { name: 'clean', type: 'function', preview: '<function clean>' },
];

/** Builds of the list, as JSON has them. */
const BUILDS = Array.from({ length: 30 }, (_, at) => ({
  id: 1041 + at,
  branch: at % 4 === 1 ? 'order-timeouts' : 'main',
  seconds: 98.1 + at,
}));

const VALUES: Record<string, string> = {
  builds: JSON.stringify(BUILDS, null, 2),
  log: Array.from(
    { length: 400 },
    (_, at) =>
      `10:${String(at % 60).padStart(2, '0')} order ${4100 + at} paid, waiting for the ledger to confirm the entry`,
  ).join('\n'),
};

/** Seconds ago. */
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

function jobs(language: Language): JobView[] {
  const zh = language === 'zh';
  const whose = { session: 'session-1', run: 'run-1' };
  return [
    {
      ...whose,
      id: 'job-3f9c12aa',
      command: 'cargo test --workspace',
      state: 'running',
      began: ago(184),
      lines: 'test orders::expiry ... ok\ntest orders::timeout ... ok',
    },
    {
      ...whose,
      id: 'job-77d0e410',
      command: 'npm ci && npm run build',
      hosts: ['registry.npmjs.org', 'github.com'],
      state: 'ended',
      how: 'exit',
      exit_code: 0,
      began: ago(900),
      ended: ago(858),
      lines: zh ? '构建完成，用时 41 秒' : 'built in 41 s',
    },
    {
      ...whose,
      id: 'job-0b1c88f2',
      command: 'python3 train.py --epochs 40 --data /home/lin/work/samples',
      state: 'ended',
      how: 'exit',
      exit_code: 2,
      began: ago(5000),
      ended: ago(4987),
      lines: "FileNotFoundError: '/home/lin/work/samples'",
    },
  ];
}
