/**
 * What the user chooses in forms of web pages again and again: in words, which of it belongs to a page, and what is
 * written of it anew.
 *
 * Pure. Names and options are the page's own words: they are shown as such and decide nothing.
 */
import type { ChosenValue } from '../bindings/ChosenValue';
import type { PageRef } from '../bindings/PageRef';
import type { Preference } from '../bindings/Preference';
import type { PreferenceProposal } from '../bindings/PreferenceProposal';
import { visible } from '../approval/approval';
import type { I18n } from '../i18n/i18n';
import { shownSite } from '../pages/pages';

/** Stands between two steps, as somebody writes them, too. */
const THEN = ' → ';

/** Choices that are named where there is one row for them; the others are counted. */
const NAMED_MOST = 2;

/** Characters of a value where there is one row for all. */
const VALUE_CHARACTERS = 28;

type Value = ChosenValue['value'];

/** What there is of one site or of all. */
export interface Known {
  proposals: readonly PreferenceProposal[];
  kept: readonly Preference[];
}

/** What is shown beside a page: one thing at a time, and what is asked goes first. */
export type Offer =
  { what: 'proposal'; proposal: PreferenceProposal } | { what: 'kept'; preference: Preference } | null;

/** A value as its control holds it while somebody writes. */
export type Written = string | boolean | readonly string[];

/** What was written, as far as it is another value; the fields whose value is none. */
export interface Changes {
  values: Record<string, Value>;
  wrong: readonly string[];
}

/** A value in words: `on`, `Open, Pending`. */
export function valueInWords(i18n: I18n, value: Value): string {
  if (typeof value === 'boolean') return i18n.say(value ? 'prefers_on' : 'prefers_off');
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return visible(value) === '' ? i18n.say('prefers_nothing') : visible(value);
  return value.length === 0 ? i18n.say('prefers_nothing') : listed(i18n, value.map(visible));
}

/** The steps of an order, one after the other; `null` of any other value. */
function stepsOf({ kind, value }: Pick<ChosenValue, 'kind' | 'value'>): string | null {
  return kind === 'steps' && Array.isArray(value) ? value.map(visible).join(THEN) : null;
}

/** Whether these are the steps of several forms, which nothing fills in. */
export function isOrder(values: readonly ChosenValue[]): boolean {
  return values.some(({ kind }) => kind === 'steps');
}

/** What a field is called. */
export function nameOf(i18n: I18n, { name, kind }: Pick<ChosenValue, 'kind' | 'name'>): string {
  return kind === 'steps' ? i18n.say('prefers_steps') : visible(name);
}

/** All choices in words: `Status = Open; Channel = Card, Cash`, or `Search → Filter`. */
export function choicesInWords(i18n: I18n, values: readonly ChosenValue[]): string {
  return apart(
    i18n,
    values.map((one) => stepsOf(one) ?? `${visible(one.name)} = ${valueInWords(i18n, one.value)}`),
  );
}

/** The same where there is one row for them: the first ones, and how many there are besides. */
export function choicesInShort(i18n: I18n, values: readonly ChosenValue[]): string {
  const cut = (text: string) =>
    text.length > VALUE_CHARACTERS ? `${text.slice(0, VALUE_CHARACTERS - 1).trimEnd()}…` : text;
  const named = values
    .slice(0, NAMED_MOST)
    .map((one) => stepsOf(one) ?? `${cut(visible(one.name))} = ${cut(valueInWords(i18n, one.value))}`);
  const rest = values.length - named.length;
  return apart(i18n, rest > 0 ? [...named, i18n.say('prefers_more', { count: rest })] : named);
}

/** Names, or other things in words, one after the other. */
export function listed(i18n: I18n, words: readonly string[]): string {
  return words.join(i18n.say('format_list_comma'));
}

/** A form by its name and site, as far as it has a name. */
export function placeOf({ site, form }: Pick<Preference, 'site' | 'form'>): string {
  return [shownSite(site), visible(form)].filter((part) => part !== '').join(' · ');
}

/** What is shown beside that page; nothing that was put away. */
export function offerFor(page: PageRef | null, known: Known, dismissed: ReadonlySet<string>): Offer {
  const isHere = ({ site }: { site: string }) => site === page?.site;
  const proposal = known.proposals.find(isHere);
  if (proposal !== undefined) return { what: 'proposal', proposal };
  const kept = known.kept.filter((one) => isHere(one) && !dismissed.has(one.memory));
  // What can be filled in goes before what can only be read.
  const preference = kept.find(({ values }) => !isOrder(values)) ?? kept[0];
  return preference === undefined ? null : { what: 'kept', preference };
}

/** The memories that took the place of others: a changed preference is a new one, of the same form. */
export function successors(before: readonly Preference[], after: readonly Preference[]): Map<string, string> {
  const there = new Set(after.map(({ memory }) => memory));
  const known = new Set(before.map(({ memory }) => memory));
  const found = new Map<string, string>();
  for (const { memory, site, form } of before) {
    if (there.has(memory)) continue;
    const next = after.find((one) => !known.has(one.memory) && one.site === site && one.form === form);
    if (next !== undefined) found.set(memory, next.memory);
  }
  return found;
}

/** A value as its control shows it at first. */
export function writtenOf({ kind, value, options }: ChosenValue, i18n: I18n): Written {
  if (kind === 'steps' && Array.isArray(value)) return value.join(THEN);
  if (Array.isArray(value)) return kind === 'choices' && options.length > 0 ? value : listed(i18n, value);
  return typeof value === 'number' ? String(value) : value;
}

/** The options of a field; what is chosen is among them, whatever the page offers by now. */
export function optionsOf({ value, options }: ChosenValue): string[] {
  const chosen = Array.isArray(value) ? value : typeof value === 'string' ? [value] : [];
  return [...options, ...chosen.filter((one) => !options.includes(one))];
}

/** The value that was written; `null` where it is none of its kind. */
export function valueOf({ kind }: ChosenValue, written: Written): Value | null {
  switch (kind) {
    case 'switch':
      return written === true;
    case 'number': {
      const text = String(written).trim();
      return text === '' || !Number.isFinite(Number(text)) ? null : Number(text);
    }
    case 'choices':
      return Array.isArray(written) ? [...(written as readonly string[])] : partsOf(String(written));
    case 'steps':
      return String(written)
        .split(THEN.trim())
        .map((part) => part.trim())
        .filter((part) => part !== '');
    case 'choice':
    case 'text':
      return String(written);
  }
}

/** What is to be changed of a preference. */
export function changesOf(values: readonly ChosenValue[], written: Readonly<Record<string, Written>>): Changes {
  const changes: Record<string, Value> = {};
  const wrong: string[] = [];
  for (const chosen of values) {
    const text = written[chosen.name];
    if (text === undefined) continue;
    const value = valueOf(chosen, text);
    if (value === null) wrong.push(chosen.name);
    else if (!isSame(value, chosen.value, chosen.kind)) changes[chosen.name] = value;
  }
  return { values: changes, wrong };
}

/** The data of a preference that is none of a form, or no longer holds, line by line. */
export function linesOf(i18n: I18n, data: unknown): { name: string; text: string }[] {
  const lines =
    typeof data === 'object' && data !== null ? Object.entries(data as Record<string, unknown>) : [['', data] as const];
  return lines.map(([name, value]) => ({
    name: visible(name),
    text: isValue(value) ? valueInWords(i18n, value) : visible(JSON.stringify(value)),
  }));
}

/** Choices one after the other: a value may itself be several. */
function apart(i18n: I18n, choices: readonly string[]): string {
  return choices.join(i18n.say('format_list_stop'));
}

function partsOf(text: string): string[] {
  return text
    .split(/[,，、]/)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function isValue(value: unknown): value is Value {
  if (Array.isArray(value)) return value.every((part) => typeof part === 'string');
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** The order of several choices says nothing, but that of steps is all they say. */
function isSame(one: Value, other: Value, kind: ChosenValue['kind']): boolean {
  const plain = (value: Value) => JSON.stringify(Array.isArray(value) && kind !== 'steps' ? [...value].sort() : value);
  return plain(one) === plain(other);
}
