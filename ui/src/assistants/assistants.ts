/** Assistants: which can be asked, what a typed `@` may mean, and which are listed. Pure. */
import type { ListedAssistant } from '../bindings/ListedAssistant';
import { namedLike } from '../composer/called';

/** The usual one, which has no name of its own where sessions are told of. */
export const USUAL = 'shidi';

/** What calls an assistant at the beginning of a question. */
export const CALL_SIGN = '@';

/** Those that can be asked. */
export function usable(all: readonly ListedAssistant[]): readonly ListedAssistant[] {
  return all.filter(({ problem }) => problem === null);
}

/** The assistants that a typed `@name` may mean; their titles are found, too. */
export function offeredFor(all: readonly ListedAssistant[], typed: string, most: number): readonly ListedAssistant[] {
  return namedLike(usable(all), typed, most, ({ name, title }) => `${name} ${title}`);
}

/** What an assistant is called where there is no word of it yet. */
export function titleOf(all: readonly ListedAssistant[], name: string): string {
  return all.find((one) => one.name === name)?.title ?? name;
}

/** The sign that stands for it: its picture, else the first letter of its title. */
export function pictureOf({ picture, title }: Pick<ListedAssistant, 'picture' | 'title'>): string {
  return picture === '' ? ([...title][0] ?? '') : picture;
}
