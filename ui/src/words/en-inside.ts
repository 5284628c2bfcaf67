/** What lives inside a session: variables and background jobs, in English. */
import type { zhInside } from './zh-inside';

export const enInside: Record<keyof typeof zhInside, string> = {
  inside: 'Variables and background jobs',
  variables: 'Variables',
  variables_none: 'No variables. What programs leave is listed here',
  variable_copy: 'Copy the value of {name}',
  variable_cut: 'There is more of it; this is where it is cut',
  variable_delete: 'Delete the variable {name}',
  variable_delete_ask: 'Later programs won’t find it',
  variable_keep: 'Keep',
  jobs: 'Background jobs',
  jobs_none: 'No background jobs',
  job_runs: 'Running, {time}',
  job_done: 'Done in {time}',
  job_failed: 'Failed with exit code {code} after {time}',
  job_stopped: 'Stopped after {time}',
  job_timed_out: 'Ended at its time limit after {time}',
  job_out_of_memory: 'Ended: it took too much memory',
  job_too_many_processes: 'Ended: too many processes',
  job_lost: 'Lost: what watched it is gone',
  versions: 'Versions',
  version_of: 'Version {at} of {of}',
  version_before: 'Earlier version',
  version_after: 'Later version',
};
