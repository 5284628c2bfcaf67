/** How a background job stands, in words. Pure. */
import type { JobView } from '../bindings/JobView';
import type { Language } from '../i18n/i18n';
import { elapsed, say, type WordKey } from '../i18n/i18n';

/** Ends that are none of its own. */
const HOW: Record<string, WordKey> = {
  stopped: 'job_stopped',
  timeout: 'job_timed_out',
  memory: 'job_out_of_memory',
  processes: 'job_too_many_processes',
};

export function standingOf(language: Language, job: JobView, now: number): { text: string; good: boolean } {
  const end = job.state === 'running' ? now : Date.parse(job.ended ?? job.began);
  const time = elapsed(language, Math.max(0, Math.floor((end - Date.parse(job.began)) / 1000)));
  if (job.state === 'running') return { text: say(language, 'job_runs', { time }), good: true };
  if (job.state === 'lost') return { text: say(language, 'job_lost'), good: false };
  const how = HOW[job.how ?? ''];
  if (how !== undefined) return { text: say(language, how, { time }), good: false };
  const code = job.exit_code ?? 0;
  return { text: say(language, code === 0 ? 'job_done' : 'job_failed', { code, time }), good: code === 0 };
}
