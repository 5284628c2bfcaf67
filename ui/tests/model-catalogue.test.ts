/** Models to download: whether the server comes along, and how far each is. */
import { describe, expect, test } from 'vitest';
import type { CatalogueEntry } from '../src/bindings/CatalogueEntry';
import type { DownloadState } from '../src/bindings/DownloadState';
import type { LocalModelView } from '../src/bindings/LocalModelView';
import type { ModelCatalogue } from '../src/bindings/ModelCatalogue';
import { doneOf, isRemovable, missingEngine, shareOf, size } from '../src/models/catalogue';

const entry = (id: string, fits: boolean, state: DownloadState = { is: 'absent' }): CatalogueEntry => ({
  id,
  title: id,
  file: `${id}.gguf`,
  maker: '',
  licence: '',
  page: '',
  bytes: 1_000,
  sha256: '',
  fits,
  is_best: false,
  state,
});

const catalogue = (engine?: DownloadState): ModelCatalogue => ({
  models: [entry('small', true), entry('middle', true), entry('large', false)],
  ...(engine === undefined ? {} : { engine: entry('engine', true, engine) }),
  folder: '/models',
  memory_bytes: 8_000_000_000,
});

const model = (program?: string): LocalModelView => ({
  is_used: false,
  phase: 'asleep',
  ...(program === undefined ? {} : { program: { path: program } }),
});

describe('models to download', () => {
  test('the server comes along only where it was looked for and is not there', () => {
    expect(missingEngine(catalogue({ is: 'absent' }), model())?.id).toBe('engine');
    expect(missingEngine(catalogue({ is: 'coming', done: 1 }), model())?.id).toBe('engine');
    expect(missingEngine(catalogue({ is: 'here', path: '/e' }), model())).toBeUndefined();
    expect(missingEngine(catalogue({ is: 'absent' }), model('/usr/bin/llama-server'))).toBeUndefined();
    expect(missingEngine(catalogue({ is: 'absent' }), null)).toBeUndefined();
    expect(missingEngine(catalogue(), model())).toBeUndefined();
  });

  test('what was downloaded may be removed, unless it comes again or answers', () => {
    const here = entry('a', true, { is: 'here', path: '/models/a.gguf' });
    expect(isRemovable(here, false)).toBe(false);
    const own = { ...here, frees_bytes: 1_000 };
    expect([isRemovable(own, false), isRemovable(own, true)]).toEqual([true, false]);
    expect(isRemovable({ ...own, state: { is: 'coming', done: 1 } }, false)).toBe(false);
  });

  test('how far one is, is a share of its bytes', () => {
    expect(shareOf(entry('a', true, { is: 'coming', done: 250 }))).toBe(0.25);
    expect(shareOf(entry('a', true, { is: 'partly', done: 2_000 }))).toBe(1);
    expect(doneOf(entry('a', true, { is: 'checking' }))).toBeNull();
    expect([size('en', 17_014_362), size('zh', 2_740_937_888)]).toEqual(['18 MB', '2.7 GB']);
  });
});
