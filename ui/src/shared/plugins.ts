/** What plugins bring: shown among the user's own, and changed with its plugin alone. */

/** Whether a workflow or a prompt of this name is of a plugin: `PLUGIN:NAME`. No name of the user's own has a colon. */
export function isOfPlugin(name: string): boolean {
  return name.includes(':');
}
