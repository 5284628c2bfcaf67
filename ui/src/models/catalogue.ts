/**
 * Models that can be downloaded: how far a download is, and whether the server has to come along. Pure.
 */
import type { CatalogueEntry } from '../bindings/CatalogueEntry';
import type { ModelCatalogue } from '../bindings/ModelCatalogue';
import type { LocalModelView } from '../bindings/LocalModelView';
import { say, type Language } from '../i18n/i18n';

/** Bytes that are there of one that is not there whole. */
export function doneOf({ state }: CatalogueEntry): number | null {
  return state.is === 'coming' || state.is === 'partly' ? state.done : null;
}

export function isUnderWay({ state }: CatalogueEntry): boolean {
  return state.is === 'coming' || state.is === 'checking';
}

/** Where one lies that is there. */
export function placeOf({ state }: CatalogueEntry): string | null {
  return state.is === 'here' ? state.path : null;
}

/** The server that has to be downloaded, too, before a model can answer. */
export function missingEngine(catalogue: ModelCatalogue, model: LocalModelView | null): CatalogueEntry | undefined {
  const { engine } = catalogue;
  // Whether there is a program is known once it was looked for.
  if (engine === undefined || model === null || model.program !== undefined) return undefined;
  return engine.state.is === 'here' ? undefined : engine;
}

/** Whether a button removes it: it was downloaded, and neither comes nor answers. */
export function isRemovable(entry: CatalogueEntry, isUsed: boolean): boolean {
  return entry.frees_bytes !== undefined && !isUnderWay(entry) && !isUsed;
}

/** `2.7 GB`, `17 MB`. */
export function size(language: Language, bytes: number): string {
  const locale = say(language, 'format_locale');
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return bytes >= 100_000_000
    ? `${(bytes / 1e9).toLocaleString(locale, digits)} GB`
    : `${Math.ceil(bytes / 1e6).toLocaleString(locale)} MB`;
}

/** How much of a file is there, from 0 to 1. */
export function shareOf(entry: CatalogueEntry): number {
  return Math.min(1, (doneOf(entry) ?? 0) / Math.max(1, entry.bytes));
}
