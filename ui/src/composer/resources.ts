/** Resources of MCP servers in the picker: which are found by a text, and in whose order they stand. Pure. */
import type { McpResource } from '../bindings/McpResource';

/** Rows that are shown: whoever wants another one writes more of its name. */
export const ROWS_MAX = 100;

/** One server with what was found of it. */
export interface ResourceGroup {
  readonly server: string;
  readonly rows: readonly McpResource[];
}

/** What a chip and a row are known by. */
export function idOf({ server, uri }: Pick<McpResource, 'server' | 'uri'>): string {
  return `mcp:${server}/${uri}`;
}

/** The name that a person reads; a server may give none. */
export function titleOf({ name, uri }: McpResource): string {
  return name === '' ? uri : name;
}

/** What holds every word of the text in its name, address, kind or description; by server, up to the bound. */
export function groupsOf(resources: readonly McpResource[], query: string): ResourceGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = resources.filter((one) => {
    const told = [one.server, one.name, one.uri, one.media_type, one.description].join('\n').toLowerCase();
    return words.every((word) => told.includes(word));
  });
  const groups = new Map<string, McpResource[]>();
  for (const one of found.slice(0, ROWS_MAX)) groups.set(one.server, [...(groups.get(one.server) ?? []), one]);
  return [...groups].map(([server, rows]) => ({ server, rows }));
}

/** The list with those of one server as they are now. */
export function withServer(
  resources: readonly McpResource[],
  server: string,
  now: readonly McpResource[],
): McpResource[] {
  return [...resources.filter((one) => one.server !== server), ...now];
}
