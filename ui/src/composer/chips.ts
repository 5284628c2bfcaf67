/**
 * The chips above the input: exactly what will be sent along, each with what was found out about it.
 *
 * Pure. A chip that could not be read says why and is never sent; one that is removed is not sent either.
 */
import type { Attachment } from '../bindings/Attachment';
import type { AttachSource } from '../bindings/AttachSource';
import type { ScreenView } from '../bindings/ScreenView';
import type { McpResource } from '../bindings/McpResource';
import type { ContentPart } from '../bindings/ContentPart';
import type { PageState } from '../bindings/PageState';
import type { PartView } from '../bindings/PartView';
import type { PdfState } from '../bindings/PdfState';
import type { UserError } from '../bindings/UserError';
import type { WordKey } from '../i18n/i18n';
import { idOf, titleOf } from './resources';

export interface Chip {
  /** Tells it from the others; for a file its path. */
  id: string;
  what: ChipKind;
  name: string;
  source: AttachSource | null;
  state: 'reading' | 'ready' | 'refused';
  /** How far the reading is, while that is known. */
  progress: { done: number; total: number } | null;
  attachment: Attachment | null;
  view: ScreenView | null;
  /** The part of what stands in the window that the user chose; `null` leaves the choice to the view. */
  part: ContentPart | null;
  error: UserError | null;
  /** More than is taken from the clipboard. */
  tooLarge: boolean;
}

/** What a chip stands for; each has its own icon. */
export type ChipKind = 'file' | 'folder' | 'text' | 'image' | 'page' | 'front' | 'screen' | 'memory' | 'resource';

/** Things that go with one question; more than these belong into a folder. */
export const CHIPS_MAX = 32;

/** Characters from which on pasted text becomes a chip: about a screenful, more buries the question. */
export const PASTED_CHARACTERS_MAX = 2_000;

/** Addresses in the input that are offered as chips. */
const ADDRESSES_OFFERED = 3;

export function chipOf(id: string, what: ChipKind, name: string, source: AttachSource | null): Chip {
  return {
    id,
    what,
    name,
    source,
    state: 'reading',
    progress: null,
    attachment: null,
    view: null,
    part: null,
    error: null,
    tooLarge: false,
  };
}

export function fileChip(path: string): Chip {
  return chipOf(path, 'file', nameOf(path), { from: 'path', path });
}

/** What an MCP server has to read. */
export function resourceChip(resource: McpResource): Chip {
  const { server, uri } = resource;
  return chipOf(idOf(resource), 'resource', titleOf(resource), { from: 'resource', server, uri });
}

/** The server and the address there that a chip is from; nothing of any other one. */
export function originOf({ source }: Chip): { server: string; uri: string } | null {
  return source?.from === 'resource' ? { server: source.server, uri: source.uri } : null;
}

/** A view of the screen is complete when it comes. */
export function viewChip(view: ScreenView, what: 'front' | 'screen', name: string): Chip {
  return { ...chipOf(view.id, what, name, null), state: 'ready', view };
}

/** Adds chips, each once, up to the bound. */
export function added(chips: readonly Chip[], more: readonly Chip[]): readonly Chip[] {
  const known = new Set(chips.map((chip) => chip.id));
  const fresh = more.filter((chip) => !known.has(chip.id) && known.add(chip.id));
  return [...chips, ...fresh].slice(0, CHIPS_MAX);
}

export function without(chips: readonly Chip[], id: string): readonly Chip[] {
  return chips.filter((chip) => chip.id !== id);
}

/** Changes one chip; a chip that was removed meanwhile stays removed. */
export function changed(chips: readonly Chip[], id: string, change: (chip: Chip) => Chip): readonly Chip[] {
  return chips.map((chip) => (chip.id === id ? change(chip) : chip));
}

export function inspected(chip: Chip, attachment: Attachment): Chip {
  const refused = attachment.kind === 'unreadable';
  const isKept = chip.what === 'memory' || chip.what === 'page';
  const what = isKept ? chip.what : kindOf(attachment.kind, chip.what);
  const name = chip.what === 'file' || chip.what === 'page' ? attachment.name || chip.name : chip.name;
  return { ...chip, what, name, attachment, state: refused ? 'refused' : 'ready', progress: null };
}

export function failed(chip: Chip, error: UserError): Chip {
  return { ...chip, error, state: 'refused', progress: null };
}

/** A pasted thing that is more than can be taken from the clipboard. */
export function tooLarge(chip: Chip): Chip {
  return { ...chip, state: 'refused', tooLarge: true };
}

/** Paths that go with the question. A file whose reading is not over is read again by the program anyway. */
export function filesOf(chips: readonly Chip[]): string[] {
  const paths = chips.flatMap((chip) => {
    if (chip.state === 'refused') return [];
    if (chip.attachment !== null) return [chip.attachment.path];
    return chip.source?.from === 'path' ? [chip.source.path] : [];
  });
  return [...new Set(paths)];
}

/** Addresses of the pages among them. */
export function pagesOf(chips: readonly Chip[]): string[] {
  return chips.flatMap(({ source, view }) =>
    source?.from === 'url' ? [source.url] : view?.page === undefined ? [] : [view.page.url],
  );
}

/** Ids of the views that go with the question. */
export function screensOf(chips: readonly Chip[]): string[] {
  return chips.flatMap((chip) => (chip.view === null ? [] : [chip.view.id]));
}

/** The parts that were chosen of what stands in windows, by the ids of their views. */
export function partsOf(chips: readonly Chip[]): Record<string, ContentPart> {
  const chosen = chips.flatMap(({ part, view }) => (part === null || view === null ? [] : [[view.id, part] as const]));
  return Object.fromEntries(chosen);
}

/** The part that goes along; nothing where only facts of the window do. */
export function partOf({ part, view }: Chip): PartView | null {
  const content = view?.content;
  return content?.parts.find((known) => known.part === (part ?? content.part)) ?? null;
}

/** What a part of the window in front is called. */
export function partWord({ view }: Chip, part: ContentPart): WordKey {
  return part === 'whole' && view?.content?.kind === 'pdf' ? 'part_whole_pdf' : `part_${part}`;
}

/** How far the PDF in front is read; nothing where there is none. */
export function pdfOf({ view }: Chip): PdfState | null {
  return view?.content?.pdf ?? null;
}

/** Why the text of the PDF in front does not go along, as a word of the table. */
export function unreadPdfOf(chip: Chip): WordKey | null {
  const pdf = pdfOf(chip);
  if (pdf?.state !== 'unread') return null;
  return pdf.reason === 'unreachable' ? 'pdf_not_given' : `unreadable_${pdf.reason}`;
}

/** Whether somebody acted in the page of a chip after it was read. */
export function isStale({ view }: Chip, { front }: PageState): boolean {
  if (view?.page === undefined || view.content?.source !== 'companion') return false;
  const { browser, tab } = view.page.page;
  const isShown = front !== undefined && front.page.browser === browser && front.page.tab === tab;
  const isOther = isShown && (front.page.document !== view.page.page.document || front.acts !== view.page.acts);
  return view.stale || isOther;
}

/** Whether something would be lost if the question were sent now: it has no path yet. */
export function unfinished(chips: readonly Chip[]): boolean {
  return chips.some((chip) => chip.state === 'reading' && chip.source?.from !== 'path');
}

/** Tokens of everything that goes along, as estimated by whoever read it. */
export function tokensOf(chips: readonly Chip[]): number {
  return chips.reduce(
    (sum, chip) =>
      sum +
      (chip.state === 'refused'
        ? 0
        : (chip.attachment?.tokens ?? chip.view?.tokens ?? 0) + (partOf(chip)?.tokens ?? 0)),
    0,
  );
}

/** Why a file can't be read, as a word of the table. */
export function reasonOf(chip: Chip): WordKey | null {
  if (chip.tooLarge) return 'unreadable_huge';
  const reason = chip.attachment?.reason;
  return reason === undefined ? null : `unreadable_${reason}`;
}

/** Web addresses in the text that are not chips yet and were not declined. */
export function addressesIn(text: string, chips: readonly Chip[], declined: ReadonlySet<string>): string[] {
  const found = text.match(/https?:\/\/[^\s<>"'“”‘’（）()，。；、]+/giu) ?? [];
  const trimmed = found.map((address) => address.replace(/[.,;:!?]+$/u, '')).filter((address) => URL.canParse(address));
  const fresh = [...new Set(trimmed)].filter(
    (address) => !declined.has(address) && !chips.some((chip) => chip.id === address),
  );
  return fresh.slice(0, ADDRESSES_OFFERED);
}

/** An address as short as it still tells where it leads. */
export function shortAddress(address: string): string {
  const { host, pathname } = new URL(address);
  return `${host.replace(/^www\./, '')}${pathname === '/' ? '' : pathname}`;
}

/** Paths in a pasted list of addresses, as file managers write it. */
export function pathsIn(uriList: string): string[] {
  return uriList.split(/\r?\n/).flatMap((line) => {
    if (!/^file:\/\//i.test(line) || !URL.canParse(line)) return [];
    try {
      return [decodeURIComponent(new URL(line).pathname)];
    } catch {
      return [];
    }
  });
}

/** Whether pasted text is better off as a chip. */
export function isLarge(text: string): boolean {
  return text.length > PASTED_CHARACTERS_MAX;
}

/** The first words of a text, as the name of its chip. */
export function gistOf(text: string): string {
  const line = text.split('\n').find((part) => part.trim() !== '') ?? '';
  const characters = [...line.trim()];
  return characters.length <= 24 ? characters.join('') : `${characters.slice(0, 24).join('')}…`;
}

/** Characters at the end of a file's name that are always shown: its kind, and often its number. */
const TAIL_CHARACTERS = 8;

/** A name in two parts, of which the first may be cut: what tells files apart often stands at the end. */
export function headAndTail(name: string): [head: string, tail: string] {
  const characters = [...name];
  return [characters.slice(0, -TAIL_CHARACTERS).join(''), characters.slice(-TAIL_CHARACTERS).join('')];
}

/** The name of a file without its folders. */
export function nameOf(path: string): string {
  return path.split(/[/\\]/).findLast((part) => part !== '') ?? path;
}

function kindOf(kind: string, before: ChipKind): ChipKind {
  if (kind === 'image' || kind === 'folder') return kind;
  return before === 'text' || before === 'resource' ? before : 'file';
}
