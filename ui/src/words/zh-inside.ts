/** What lives inside a session: variables and background jobs, in Chinese. */
export const zhInside = {
  inside: '变量与后台任务',
  variables: '变量',
  variables_none: '没有变量。程序留下的会在这里',
  variable_delete: '删除变量 {name}',
  variable_delete_ask: '删除后，接下来的程序找不到它',
  variable_keep: '保留',
  jobs: '后台任务',
  jobs_none: '没有后台任务',
  job_runs: '在跑，已 {time}',
  job_done: '做完了，用时 {time}',
  job_failed: '没做成，退出码 {code}，用时 {time}',
  job_stopped: '被停下了，跑了 {time}',
  job_timed_out: '到了时限，跑了 {time}',
  job_out_of_memory: '占用内存太多，被结束',
  job_too_many_processes: '进程太多，被结束',
  job_lost: '下落不明：看着它的进程没了',
};
