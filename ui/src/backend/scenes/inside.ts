/** What lives inside a session: its variables and background jobs, with what becomes of them when they are deleted or stopped. */
import type { JobView } from '../../bindings/JobView';
import type { Reply } from '../../bindings/Reply';
import type { Request } from '../../bindings/Request';
import type { VariablePreview } from '../../bindings/VariablePreview';
import type { Language } from '../../settings';

type Asked = Extract<Request, { request: 'variables' | 'jobs' }>;

export class Inside {
  private variables: VariablePreview[];
  private jobs: JobView[];

  constructor(language: Language, scene: string) {
    const empty = scene === 'insideempty';
    this.variables = empty ? [] : VARIABLES;
    this.jobs = empty ? [] : jobs(language);
  }

  answer(request: Asked): Reply {
    if (request.request === 'variables') {
      const { deed } = request;
      if (deed.deed === 'delete') this.variables = this.variables.filter((variable) => variable.name !== deed.name);
      return { reply: 'variables', variables: this.variables };
    }
    const { deed } = request;
    if (deed.deed === 'stop') this.jobs = this.jobs.map((job) => (job.id === deed.job ? { ...job, state: 'ended', how: 'stopped', ended: new Date().toISOString() } : job));
    return { reply: 'jobs', jobs: this.jobs };
  }
}

const VARIABLES: VariablePreview[] = [
  { name: 'builds', type: 'list', preview: "[{'id': 1041, 'branch': 'main', 'seconds': 212.4}, {'id': 1042, 'branch': 'order-timeouts', 'seconds': 98.1}, …]" },
  { name: 'longest', type: 'float', preview: '212.4' },
  { name: 'by_branch', type: 'dict', preview: "{'main': 18, 'order-timeouts': 4}" },
  { name: 'clean', type: 'function', preview: '<function clean>' },
];

/** Seconds ago. */
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000).toISOString();

function jobs(language: Language): JobView[] {
  const zh = language === 'zh';
  const whose = { session: 'session-1', run: 'run-1' };
  return [
    { ...whose, id: 'job-3f9c12aa', command: 'cargo test --workspace', state: 'running', began: ago(184), lines: 'test orders::expiry ... ok\ntest orders::timeout ... ok' },
    { ...whose, id: 'job-77d0e410', command: 'npm run build', state: 'ended', how: 'exited', exit_code: 0, began: ago(900), ended: ago(858), lines: zh ? '构建完成，用时 41 秒' : 'built in 41 s' },
    { ...whose, id: 'job-0b1c88f2', command: 'python3 train.py --epochs 40 --data /home/lin/work/samples', state: 'ended', how: 'exited', exit_code: 2, began: ago(5000), ended: ago(4987), lines: "FileNotFoundError: '/home/lin/work/samples'" },
  ];
}
