/**
 * A prompt as it was sent, read from a step: its messages, what weighed how much, what had no place in it.
 *
 * Pure. What a step holds was written by the program, maybe by an earlier version of it: nothing is taken for granted.
 */
import type { Span } from '../bindings/Span';
import { number } from './trace';

export interface Message {
  role: string;
  text: string;
  tokens: number | null;
  /** Pictures that went along. */
  images: number;
}

export type Group = 'system' | 'toolkits' | 'transcript' | 'live';

export interface Weight {
  group: Group;
  tokens: number;
}

export interface LeftOut {
  name: string;
  tokens: number;
}

/** A part that stood as one line or was left out: how many tasks of the kind had used it, and what is saved. */
export interface Shortened {
  part: string;
  /** Left out to be compared, or once tasks without it had come out no worse. */
  how: 'line' | 'tried' | 'left_out';
  /** Tasks without it so far. */
  without: number;
  used: number;
  tasks: number;
  saved: number;
}

interface Part {
  name: string;
  tokens: number;
  left_out: number;
  own: boolean;
}

const GROUPS: readonly Group[] = ['system', 'toolkits', 'transcript', 'live'];

/** Messages of one prompt that are shown; a conversation has fewer. */
const MESSAGES_MAX = 2_000;

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Messages in the conventions' form: of a prompt, or of a reply. */
export function messagesOf(span: Span, name: string): Message[] {
  return list(span.attributes[name])
    .slice(0, MESSAGES_MAX)
    .map((message) => {
      const { role, parts } = fields(message);
      const pieces = list(parts).map(fields);
      const tokens = pieces
        .map((piece) => piece['tokens'])
        .filter((count): count is number => typeof count === 'number');
      return {
        role: typeof role === 'string' ? role : '',
        text: pieces
          .map(textOf)
          .filter((piece) => piece !== '')
          .join('\n'),
        tokens: tokens.length === 0 ? null : tokens.reduce((sum, count) => sum + count, 0),
        images: pieces.filter((piece) => piece['modality'] === 'image').length,
      };
    });
}

function textOf(part: Record<string, unknown>): string {
  const content = part['content'] ?? part['arguments'];
  if (part['type'] === 'tool_call')
    return `${String(part['name'] ?? '')}(${typeof content === 'string' ? content : shown(content ?? {})})`;
  return typeof content === 'string' ? content : '';
}

/** A value as people read it: text as it is, everything else as indented JSON. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined ? '' : JSON.stringify(value, null, 2);
}

const amount = (value: unknown): number => (typeof value === 'number' ? value : 0);

function partsOf(span: Span): Part[] {
  return list(span.attributes['shidi.prompt_parts']).map((part) => {
    const { name, tokens, left_out, own } = fields(part);
    return {
      name: typeof name === 'string' ? name : '',
      tokens: amount(tokens),
      left_out: amount(left_out),
      own: own === true,
    };
  });
}

/** Segments are named in capitals, modules of the system prompt are not. */
function groupOf(name: string): Group {
  if (name === 'tools' || name === 'toolkits') return 'toolkits';
  if (name === 'live') return 'live';
  return /^[A-Z]/.test(name) ? 'transcript' : 'system';
}

/** What weighs how much, the heaviest kinds of text in a fixed order. */
export function weightsOf(span: Span): Weight[] {
  const sums = new Map<Group, number>();
  for (const part of partsOf(span)) sums.set(groupOf(part.name), (sums.get(groupOf(part.name)) ?? 0) + part.tokens);
  return GROUPS.flatMap((group) => {
    const tokens = sums.get(group) ?? 0;
    return tokens > 0 ? [{ group, tokens }] : [];
  });
}

/** What was left out. */
export function leftOutOf(span: Span): LeftOut[] {
  return partsOf(span)
    .filter((part) => part.left_out > 0)
    .map((part) => ({ name: part.name, tokens: part.left_out }));
}

/** What stood as one line in place of its text or was left out, and why. */
export function shortenedOf(span: Span): Shortened[] {
  return list(span.attributes['shidi.prompt_parts']).flatMap((part) => {
    const { name, short } = fields(part);
    if (typeof name !== 'string' || typeof short !== 'object' || short === null) return [];
    const { used, of, saved, left_out: leftOut } = fields(short);
    const { is_trial: isTrial, without } = fields(leftOut);
    const isLine = typeof leftOut !== 'object' || leftOut === null;
    const how: Shortened['how'] = isLine ? 'line' : isTrial === true ? 'tried' : 'left_out';
    return [{ part: name, how, without: amount(without), used: amount(used), tasks: amount(of), saved: amount(saved) }];
  });
}

/** Modules that the user wrote. */
export function ownOf(span: Span): string[] {
  return partsOf(span)
    .filter((part) => part.own)
    .map((part) => part.name);
}

/** Tokens sent, and the share of the window that they fill, where both are known. */
export function fillOf(span: Span): { tokens: number; share: number | null; window: number | null } | null {
  const counted = number(span, 'gen_ai.usage.input_tokens');
  const tokens = counted !== null && counted > 0 ? counted : partsOf(span).reduce((sum, part) => sum + part.tokens, 0);
  if (tokens === 0) return null;
  const window = number(span, 'shidi.window_tokens');
  return { tokens, window, share: window === null || window === 0 ? null : tokens / window };
}
