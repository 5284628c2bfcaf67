/** Folders to work in: which attached one is offered, and which one a call wants. */
import { describe, expect, test } from 'vitest';
import { fileChip, inspected } from '../src/composer/chips';
import { noFolders, offeredOf, shownName, wantedBy } from '../src/folders/folders';
import type { Attachment } from '../src/bindings/Attachment';

const folder = (path: string) => inspected(fileChip(path), { path, name: path, kind: 'folder' } as Attachment);

describe('an attached folder', () => {
  test('is offered as one to work in, until it is one or is only to be read', () => {
    const chips = [folder('/a'), folder('/b')];
    expect(offeredOf(chips, noFolders, new Set())?.id).toBe('/a');
    expect(offeredOf(chips, noFolders, new Set(['/a']))?.id).toBe('/b');
    const view = { ...noFolders, folders: [{ path: '/a', project_files: [] }] };
    expect(offeredOf(chips, view, new Set(['/b']))).toBeNull();
    expect(offeredOf([fileChip('/a/b.txt')], noFolders, new Set())).toBeNull();
  });
});

describe('the folder that a call wants', () => {
  test('is that of the file which it writes outside of all work folders', () => {
    const wanted = (path: unknown) => wantedBy({ class: 'write_outside', args: { path } });
    expect(wanted('/home/lin/reports/a.md')).toBe('/home/lin/reports');
    expect(wanted('~/reports/a.md')).toBe('~/reports');
    expect(wanted('C:\\reports\\a.md')).toBe('C:\\reports');
  });

  test('is none where the call reads, names no whole path, or lies at the top of a disk or of the home', () => {
    expect(wantedBy({ class: 'read_outside', args: { path: '/a/b' } })).toBeNull();
    for (const path of ['a.md', '../a.md', '/a.md', '~/a.md', 'C:\\a.md', 7])
      expect(wantedBy({ class: 'write_outside', args: { path } })).toBeNull();
  });
});

test('two folders of one name are told apart by their whole paths', () => {
  expect(shownName('/a/src', ['/a/src', '/b/docs'])).toBe('src');
  expect(shownName('/a/src', ['/a/src', '/b/src'])).toBe('/a/src');
});
