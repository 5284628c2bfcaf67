/**
 * What is remembered: a dozen records with their histories and sources, or thousands of them; changes last as long as
 * the scene. Used by the scripted backend alone.
 */
import type { MemoryRequest } from '../../bindings/MemoryRequest';
import type { MemoryHit } from '../../bindings/MemoryHit';
import type { MemoryKind } from '../../bindings/MemoryKind';
import type { MemoryMeaning } from '../../bindings/MemoryMeaning';
import type { MemoryRecord } from '../../bindings/MemoryRecord';
import type { MemorySource } from '../../bindings/MemorySource';
import type { SessionDetail } from '../../bindings/SessionDetail';
import type { ScoreParts } from '../../bindings/ScoreParts';
import type { GuessAction } from './dropped-guesses';
import type { Language } from './language';
import type { PreferenceAction } from './page-preferences';
import { REFUNDS, rowsOf, type Row } from './memory-rows';
import { now, Script, sessionOf, summary, type Play } from './play';
import { visits } from './recall';

/** Records of the longest list. */
const MANY = 12_345;

const NO_SOURCE: MemorySource = { session: null, run: null, segments: [], site: null, document: null };

const SAID_AT = '2026-09-03T02:42:00.000Z';
const TOLD = '2026-11-20T08:00:00.000Z';

/** What a search of the scene gives for the place of a hit: the first by its words, later ones by less. */
const SCORES: readonly [number, Partial<ScoreParts>][] = [
  [0.92, { lexical: 0.61, context: 0.12, correction: 0.11, weight: 0.08 }],
  [0.81, { lexical: 0.58, context: 0.15, neighbour: 0.08 }],
  [0.77, { lexical: 0.52, entity: 0.17, weight: 0.08 }],
  [0.69, { lexical: 0.5, context: 0.1, neighbour: 0.09 }],
  [0.58, { lexical: 0.44, entity: 0.14 }],
  [0.41, { lexical: 0.52, correction: -0.11 }],
];

/** A question that only a model finds something for, in the languages of the scene, and how near it finds the first two. */
const IN_OTHER_WORDS = /go back|寄回/;
const NEARNESS = [0.31, 0.14];

/** How far finding by meaning is: everything has its vector unless the scene is about that. */
function meaningOf(scene: string, language: Language, asked: number): MemoryMeaning | undefined {
  const known = { model: 'ollama:bge-m3', of: 486 };
  if (scene === 'nomeaning') return undefined;
  if (scene === 'meaningbegun') return { ...known, placed: Math.min(known.of, 210 + asked * 90) };
  if (scene !== 'meaningtrouble') return { ...known, placed: known.of };
  return {
    ...known,
    placed: 210,
    trouble:
      language === 'zh'
        ? 'Ollama 没有 bge-m3：运行 ollama pull bge-m3'
        : 'Ollama has no bge-m3: run ollama pull bge-m3',
  };
}

/** Everything remembered, as a scene changes it. */
export class Memory {
  private records: MemoryRecord[];
  private made = 0;
  /** How often it was asked how far things are. */
  private counted = 0;

  constructor(
    private readonly language: Language,
    private readonly scene: string,
  ) {
    const few = rowsOf(language).map((row, at) => recordOf(row, at));
    this.records = ['notraces', 'nomemories'].includes(scene) ? [] : scene === 'manymemories' ? many(language) : few;
  }

  answer(action: Exclude<MemoryRequest, PreferenceAction | GuessAction>): Play[] {
    switch (action.action) {
      case 'list': {
        const found = this.fitting(action.kinds, action.scopes, action.ended ? 'all' : 'now');
        return this.shown(found.slice(action.offset, action.offset + action.limit));
      }
      case 'find':
        return now({ reply: 'memories', hits: this.found(action.text, action.kinds, action.scopes, action.limit) });
      case 'show':
        return this.shown(this.lineOf(action.memory));
      case 'stats':
        return now(this.stats(action.scopes ?? [], action.ended ? 'all' : 'now'));
      case 'add':
        return this.shown([
          this.add({
            kind: action.kind,
            scope: action.scope,
            text: action.text,
            tags: action.tags,
            until: action.until,
          }),
        ]);
      case 'edit':
        return this.edit(action.memory, action.text);
      case 'pin':
        this.change(action.memory, { pinned: action.pinned });
        return now({ reply: 'done' });
      case 'limit':
        this.change(action.memory, { until: action.until });
        return now({ reply: 'done' });
      case 'delete': {
        const gone = new Set([action.memory]);
        for (const record of this.lineOf(action.memory).toReversed())
          if (record.superseded_by !== null && gone.has(record.superseded_by)) gone.add(record.id);
        this.records = this.records.filter(({ id }) => !gone.has(id));
        return now({ reply: 'done' });
      }
      case 'forget_site':
        this.records = this.records.filter(
          ({ source, scope }) => source.site !== action.address && scope !== `site:${action.address}`,
        );
        return now({ reply: 'done' });
      case 'visits':
        return visits(this.language, action.address);
      case 'import':
        this.records = [
          ...action.records,
          ...this.records.filter(({ id }) => !action.records.some((record) => record.id === id)),
        ];
        return now({ reply: 'done' });
      // By the command line alone, which the scenes don't play.
      case 'export_lines':
        return [];
      case 'export':
        return [
          {
            after_ms: 120,
            reply: { reply: 'memory_file', path: action.path, records: this.records.length, own: true },
          },
        ];
      case 'import_file':
        return this.imported(action.path);
    }
  }

  /** The session that the rule about refunds is from. */
  session(session: string): SessionDetail | null {
    if (session !== REFUNDS) return null;
    const zh = this.language === 'zh';
    const [asked, answered] = zh
      ? ['退款规则改了吗？从 9 月起退款改成 14 天内原路退，超过的走人工，以后按这个答。', '好，以后按 14 天回答。']
      : [
          'Has the refund rule changed? From September on it is 14 days, later ones go to a person. Answer by that from now on.',
          'Good, 14 days it is from now on.',
        ];
    const found = summary(REFUNDS, zh ? '退款规则改了吗' : 'Has the refund rule changed', SAID_AT, 1);
    return sessionOf(found, [
      new Script(REFUNDS, 'run-refunds', SAID_AT).start(asked).segment('Express', answered, null).ends('completed'),
    ]);
  }

  private shown(records: MemoryRecord[]): Play[] {
    return now({ reply: 'memory_records', records });
  }

  private fitting(kinds: readonly MemoryKind[], scopes: readonly string[], which: 'now' | 'all'): MemoryRecord[] {
    const found = this.records.filter(
      ({ kind, scope, valid_to }) =>
        (kinds.length === 0 || kinds.includes(kind)) &&
        (scopes.length === 0 || scopes.includes(scope)) &&
        (which === 'all' || valid_to === null),
    );
    return found.sort((one, other) => Number(other.pinned) - Number(one.pinned) || other.time.localeCompare(one.time));
  }

  private found(text: string, kinds: readonly MemoryKind[], scopes: readonly string[], limit: number): MemoryHit[] {
    const seen = [
      ...scopes,
      ...(scopes.includes('user')
        ? this.records.map(({ scope }) => scope).filter((scope) => scope.startsWith('site:'))
        : []),
    ];
    if (IN_OTHER_WORDS.test(text))
      return this.fitting(kinds, seen, 'now')
        .filter((record) => /14/.test(record.text) || record.kind === 'summary')
        .slice(0, 2)
        .map(nearOf);
    const found = this.fitting(kinds, seen, 'all').filter((record) =>
      record.text.toLowerCase().includes(text.toLowerCase()),
    );
    return found
      .slice(0, limit)
      .map((record, at) => hitOf(record, at))
      .sort((one, other) => other.score - one.score);
  }

  private stats(scopes: readonly string[], which: 'now' | 'all') {
    const kinds = new Map<MemoryKind, number>();
    for (const { kind } of this.fitting([], scopes, which)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const owners = [
      ...new Set(this.records.map(({ scope }) => scope).filter((scope) => /^(assistant|site):/.test(scope))),
    ].sort();
    const meaning = meaningOf(this.scene, this.language, this.counted);
    this.counted += 1;
    const room = {
      short_term: 2,
      short_term_most: 20_000,
      long_term: this.records.length,
      long_term_most: 100_000,
      bytes: 1_900_000,
      bytes_most: 536_870_912,
    };
    return {
      reply: 'memory_stats' as const,
      counts: [...kinds].map(([kind, records]) => ({ kind, records })),
      owners,
      room,
      ...(meaning === undefined ? {} : { meaning }),
    };
  }

  private lineOf(id: string): MemoryRecord[] {
    const line = new Set([id]);
    for (let round = 0; round < 4; round += 1) {
      for (const record of this.records) {
        if (record.superseded_by !== null && (line.has(record.id) || line.has(record.superseded_by)))
          line.add(record.id).add(record.superseded_by);
      }
    }
    return this.records
      .filter((record) => line.has(record.id))
      .sort((one, other) => one.valid_from.localeCompare(other.valid_from));
  }

  add(known: Partial<MemoryRecord>): MemoryRecord {
    this.made += 1;
    const record = { ...recordOf({ kind: 'knowledge', text: '', at: TOLD }, 900 + this.made), ...known };
    this.records.push(record);
    return record;
  }

  private edit(id: string, text: string): Play[] {
    const old = this.records.find((record) => record.id === id);
    if (old === undefined) return now({ reply: 'done' });
    const { kind, scope, pinned, source, uses, last_used } = old;
    return this.shown([this.supersede(id, { kind, scope, pinned, source, uses, last_used, text })]);
  }

  /** Puts another record in the place of that one. */
  supersede(id: string, known: Partial<MemoryRecord>): MemoryRecord {
    const record = this.add(known);
    this.change(id, { valid_to: TOLD, superseded_by: record.id });
    return record;
  }

  private change(id: string, change: Partial<MemoryRecord>): void {
    this.records = this.records.map((record) => (record.id === id ? { ...record, ...change } : record));
  }

  private imported(path: string): Play[] {
    if (path.endsWith('.csv')) {
      const zh = this.language === 'zh';
      const message = zh
        ? `“${path}”第 3 行不是一条记忆：expected value at line 1 column 1`
        : `'${path}' holds no record in line 3: expected value at line 1 column 1`;
      const hint = zh
        ? '什么都没有导入；每行写一条，例如 {"kind":"knowledge","text":"…"}'
        : 'Nothing was imported; write one record a line, such as {"kind":"knowledge","text":"…"}';
      return now({ reply: 'failed', error: { code: 'input', message, hint } });
    }
    this.add({
      text: this.language === 'zh' ? '周会改到周四下午三点' : 'The weekly meeting is on Thursdays at three now',
      origin: 'imported',
      tainted: path.startsWith('/home/ming'),
    });
    return [{ after_ms: 120, reply: { reply: 'memory_file', path, records: 1, own: !path.startsWith('/home/ming') } }];
  }
}

function recordOf(row: Row, at: number): MemoryRecord {
  const { kind, text, at: time, ...more } = row;
  return {
    id: `019a${String(1_000 + at)}-7c3e-7000-8f31-4b60${String(10_000 + at)}9ad`,
    kind,
    scope: 'user',
    text,
    title: '',
    speaker: null,
    tags: [],
    entities: [],
    subject: null,
    data: null,
    origin: 'told',
    time,
    sort_value: 0,
    valid_from: time,
    valid_to: null,
    superseded_by: null,
    importance: 0.5,
    uses: 0,
    last_used: null,
    pinned: false,
    tainted: false,
    until: null,
    ...more,
    source: { ...NO_SOURCE, ...more.source },
  };
}

function hitOf(record: MemoryRecord, at: number): MemoryHit {
  const place = record.valid_to === null ? Math.min(at, SCORES.length - 2) : SCORES.length - 1;
  const [score, parts] = SCORES[place] ?? [0.3, { lexical: 0.3 }];
  const none = { lexical: 0, context: 0, entity: 0, neighbour: 0 };
  const { id, kind, scope, text, title, time, source, pinned } = record;
  const later = Math.max(0, at - place) * 0.03;
  return {
    id,
    kind,
    scope,
    text,
    title,
    time,
    source,
    pinned,
    session: source.session,
    ended: record.valid_to,
    untrusted: record.tainted,
    score: score - later,
    parts: { ...none, ...parts },
    coverage: 0.8,
  };
}

/** A hit that no word of the question led to. */
function nearOf(record: MemoryRecord, at: number): MemoryHit {
  const vector = NEARNESS[at] ?? 0.1;
  return {
    ...hitOf(record, at),
    score: vector,
    parts: { lexical: 0, context: 0, entity: 0, neighbour: 0, vector },
    coverage: 0,
  };
}

function many(language: Language): MemoryRecord[] {
  const zh = language === 'zh';
  return Array.from({ length: MANY }, (_, at) => {
    const time = new Date(Date.parse(TOLD) - at * 3_600_000).toISOString();
    return recordOf(
      {
        kind: 'knowledge',
        text: zh ? `订单 ${MANY - at} 的备注：送货前先打电话` : `Note on order ${MANY - at}: call before delivery`,
        at: time,
      },
      10_000 + at,
    );
  });
}
