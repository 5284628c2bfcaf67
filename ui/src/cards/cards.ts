/**
 * Cards that a program shows: tables, charts, files and links, read from what the record holds.
 *
 * Pure. Whatever is not as expected is left out; a card that says nothing is none.
 */
import { SOURCE } from '../i18n/i18n';

export type ShownCard = TableCard | ChartCard | FilesCard | LinksCard | ProgressCard;

/** One value of a table; text otherwise. */
export type Cell = string | number | boolean | null;

export interface TableCard {
  kind: 'table';
  title: string;
  columns: readonly string[];
  rows: readonly (readonly Cell[])[];
  /** Rows that the program had beyond those. */
  leftOut: number;
}

export interface ChartCard {
  kind: 'chart';
  title: string;
  as: 'bar' | 'line';
  labels: readonly string[];
  series: readonly { name: string; values: readonly (number | null)[] }[];
}

export interface FilesCard {
  kind: 'files';
  title: string;
  paths: readonly string[];
}

export interface LinksCard {
  kind: 'links';
  title: string;
  links: readonly { title: string; url: string }[];
}

/** How far something is; the same card again when it is further. */
export interface ProgressCard {
  kind: 'progress';
  title: string;
  done: number;
  /** 0 while nobody knows. */
  total: number;
}

export function cardOf(kind: unknown, data: unknown): ShownCard | null {
  const given = fields(data);
  const title = text(given['title']);
  switch (kind) {
    case 'table': {
      const columns = list(given['columns']).map(text);
      const rows = list(given['rows']).map((row) => columns.map((_, at) => cell(list(row)[at])));
      return columns.length === 0 ? null : { kind, title, columns, rows, leftOut: count(given['left_out']) };
    }
    case 'chart': {
      const labels = list(given['labels']).map(text);
      const series = list(given['series']).map((one) => {
        const values = list(fields(one)['values']);
        return { name: text(fields(one)['name']), values: labels.map((_, at) => figure(values[at])) };
      });
      return labels.length === 0 || series.length === 0
        ? null
        : { kind, title, as: given['kind'] === 'line' ? 'line' : 'bar', labels, series };
    }
    case 'files': {
      const paths = list(given['paths'])
        .map(text)
        .filter((path) => path !== '');
      return paths.length === 0 ? null : { kind, title, paths };
    }
    case 'links': {
      const links = list(given['links']).map((link) => ({
        title: text(fields(link)['title']),
        url: text(fields(link)['url']),
      }));
      const safe = links.filter((link) => /^https?:\/\//i.test(link.url));
      return safe.length === 0 ? null : { kind, title, links: safe };
    }
    case 'progress':
      return { kind, title, done: count(given['done']), total: count(given['total']) };
    default:
      return null;
  }
}

/** Whether all values of a column are figures: they stand right, under one another. */
export function isFigures(table: TableCard, column: number): boolean {
  const values = table.rows.map((row) => row[column] ?? null).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => typeof value === 'number');
}

/** A table as comma-separated values, for other programs. A text that a spreadsheet would run is made plain. */
export function csvOf(table: TableCard): string {
  const field = (value: Cell): string => {
    const plain = value === null ? '' : String(value);
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return [table.columns, ...table.rows].map((row) => row.map(field).join(',')).join('\r\n');
}

/** Round figures for the axis of a chart: from 0, or from below the least, to above the greatest. */
export function scaleOf(card: ChartCard): { least: number; most: number; marks: readonly number[] } {
  const values = card.series.flatMap((series) => series.values).filter((value) => value !== null);
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values);
  const span = high - low || 1;
  const rough = 10 ** Math.floor(Math.log10(span / 4));
  const step = [1, 2, 5, 10].map((times) => times * rough).find((size) => span / size <= 5) ?? span;
  const least = Math.floor(low / step) * step;
  const steps = Math.max(1, Math.round((Math.ceil(high / step) * step - least) / step));
  const marks = Array.from({ length: steps + 1 }, (_, at) => Number((least + at * step).toPrecision(12)));
  return { least: marks[0] ?? least, most: marks[steps] ?? least + step, marks };
}

/** A figure as people read it. */
export function figureText(value: number): string {
  return Math.abs(value) >= 1e15
    ? value.toPrecision(4)
    : new Intl.NumberFormat(SOURCE, { maximumFractionDigits: 6 }).format(value).replaceAll(',', '\u2009');
}

function fields(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.max(0, value) : 0;
}

function figure(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function cell(value: unknown): Cell {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
