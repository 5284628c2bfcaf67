/** The view of a session: what the fold promises, live and read back. */
import { describe, expect, test } from 'vitest';
import { longAnswer, streaming } from '../src/backend/scenes/answers';
import { approval, form, question } from '../src/backend/scenes/cards';
import { Script, type Play } from '../src/backend/scenes/play';
import { gaveUp, offline, rejectedKey, tainted, withdrawn } from '../src/backend/scenes/trouble';
import type { RunEvent } from '../src/bindings/RunEvent';
import {
  apply,
  conversationOf,
  emptyConversation,
  isWorking,
  sent,
  waitingCards,
} from '../src/conversation/conversation';
import type { Conversation } from '../src/conversation/view';
import { eventsIn, recorded } from './recorded';

const SESSION = 'session-1';

function folded(events: RunEvent[]): Conversation {
  return events.reduce(apply, sent(emptyConversation(null), { text: '', files: [], along: [] }));
}

function pieces(view: Conversation): string[] {
  return view.turns.flatMap((turn) => turn.pieces.map((piece) => piece.what));
}

/** Without what only the live events know: measured run times. */
function withoutLiveOnly(view: Conversation): unknown {
  return JSON.parse(
    JSON.stringify(view, (key, value: unknown) =>
      key === 'output' && value !== null ? { ...(value as object), ms: 0 } : value,
    ),
  );
}

describe('a session read back', () => {
  const scenes: [string, Play[]][] = [
    ['a long answer', longAnswer('zh', SESSION)],
    ['a refusal and a waiting approval', approval('zh', SESSION)],
    ['an approval with foreign arguments', tainted('en', SESSION)],
    ['a waiting question', question('zh', SESSION)],
    ['a waiting form', form('en', SESSION)],
    ['a failure', rejectedKey('zh', SESSION)],
    ['an offline answer', offline('zh', SESSION)],
    ['a task given up', gaveUp('en', SESSION)],
    ['an answer that was sent back', withdrawn('zh', SESSION)],
    ['an answered question', answered()],
  ];
  test.each(scenes)('looks as it did live: %s', (_name, plays) => {
    const events = eventsIn(plays);
    expect(withoutLiveOnly(conversationOf(recorded(SESSION, events)))).toEqual(withoutLiveOnly(folded(events)));
  });

  test('goes on with the events that came after it was read', () => {
    const events = eventsIn(longAnswer('en', SESSION));
    const half = events.slice(0, events.length / 2);
    const view = events.reduce(apply, conversationOf(recorded(SESSION, half, 'works')));
    expect(view.turns[0]?.status).toBe('completed');
    expect(pieces(view)).toEqual(['words']);
  });

  test('tells a run at work from one that the program ended under', () => {
    const events = eventsIn(streaming('zh', SESSION));
    expect(conversationOf(recorded(SESSION, events, 'works')).turns[0]?.status).toBe('working');
    expect(conversationOf(recorded(SESSION, events)).turns[0]?.status).toBe('suspended');
  });
});

test('a thought stands before the program whose first lines were streamed before it', () => {
  const at = { run: 'run-1', time: '2026-11-20T10:00:00.000Z' };
  const view = folded([
    { type: 'run_started', session: SESSION, assistant: 'shidi', models: ['m'], offline: false, seq: 1, ...at },
    { type: 'delta', kind: 'Express', text: 'Add them.', seq: 2, ...at },
    { type: 'delta', kind: 'Python', text: 'print(', seq: 3, ...at },
    { type: 'segment', kind: 'Thought', text: 'Add them.', exec: null, seq: 4, ...at },
    { type: 'segment', kind: 'Python', text: 'print(1 + 1)', exec: 1, seq: 5, ...at },
  ]);
  expect(pieces(view)).toEqual(['thought', 'program']);
});

test('a thought takes back the words that were streamed before it', () => {
  const script = new Script(SESSION, 'r').start('q').stream('Express', 'I will look it up', 1);
  expect(pieces(folded(eventsIn(script.plays)))).toEqual(['words']);
  script.segment('Thought', 'I will look it up', null);
  expect(pieces(folded(eventsIn(script.plays)))).toEqual(['thought']);
});

test('an answer that broke off takes back what was streamed of it', () => {
  const at = { run: 'run-1', time: '2026-11-20T10:00:00.000Z' };
  for (const kind of ['Express', 'Thought', 'Python'] as const) {
    const view = folded([
      { type: 'run_started', session: SESSION, assistant: 'shidi', models: ['m'], offline: false, seq: 1, ...at },
      { type: 'delta', kind, text: 'The answer', seq: 2, ...at },
      { type: 'retracted', seq: 3, ...at },
    ]);
    expect(pieces(view)).toEqual([]);
  }
});

test('words take the place of a program that was streamed and is none', () => {
  const at = { run: 'run-1', time: '2026-11-20T10:00:00.000Z' };
  const view = folded([
    { type: 'run_started', session: SESSION, assistant: 'shidi', models: ['m'], offline: false, seq: 1, ...at },
    { type: 'delta', kind: 'Python', text: 'print(', seq: 2, ...at },
    { type: 'segment', kind: 'Express', text: 'It is 5.', exec: null, seq: 3, ...at },
  ]);
  expect(pieces(view)).toEqual(['words']);
});

test('finished words take the place of the streamed ones', () => {
  const view = folded(eventsIn(new Script(SESSION, 'r').start('q').says('All **done**.', 4).plays));
  expect(view.turns[0]?.pieces).toEqual([
    { what: 'words', text: 'All **done**.', writing: false, exec: null, withdrawn: false },
  ]);
});

describe('an answer that was sent back', () => {
  const REMINDER = 'The answer does not say that the program failed.';
  const standing = (view: Conversation) =>
    view.turns[0]?.pieces.flatMap((piece) => (piece.what === 'words' ? [[piece.text, piece.withdrawn]] : []));
  const first = () =>
    new Script(SESSION, 'r')
      .start('q')
      .segment('Express', 'It is 7.', null)
      .segment('Reminder', REMINDER, null)
      .add({ type: 'standing', stands: false });

  test('is withdrawn, and what takes its place stands, word for word the same as it may be', () => {
    const view = folded(eventsIn(first().says('It is 7.', 2).ends('completed').plays));
    expect(standing(view)).toEqual([
      ['It is 7.', true],
      ['It is 7.', false],
    ]);
  });

  test('is withdrawn too where it was told that it was cut, and only when the runtime says so', () => {
    const script = new Script(SESSION, 'r')
      .start('q')
      .segment('Express', 'It is', null)
      .add({ type: 'notification', source: '', text: 'cut' })
      .segment('Reminder', REMINDER, null);
    expect(standing(folded(eventsIn(script.plays)))).toEqual([['It is', false]]);
    expect(standing(folded(eventsIn(script.add({ type: 'standing', stands: false }).plays)))).toEqual([
      ['It is', true],
    ]);
  });

  test('is read back as withdrawn', () => {
    const events = eventsIn(first().says('It is 8.', 2).ends('completed').plays);
    expect(standing(conversationOf(recorded(SESSION, events)))).toEqual([
      ['It is 7.', true],
      ['It is 8.', false],
    ]);
  });

  test('stands after all where no other one came', () => {
    const view = folded(
      eventsIn(
        first().add({ type: 'standing', stands: true }).add({ type: 'answer', text: 'It is 7.' }).ends('failed').plays,
      ),
    );
    expect(standing(view)).toEqual([['It is 7.', false]]);
  });

  test('is none where a program said it', () => {
    const script = new Script(SESSION, 'r')
      .start('q')
      .program('await user.say("half")', 1)
      .segment('Express', 'half', 1)
      .prints('', 1);
    expect(
      standing(folded(eventsIn(script.segment('Round', '2 of 9', null).segment('Reminder', 'todo', null).plays))),
    ).toEqual([['half', false]]);
  });
});

test('events that were seen before change nothing', () => {
  const events = eventsIn(streaming('en', SESSION));
  const once = folded(events);
  expect(events.reduce(apply, once)).toEqual(once);
});

test('runs of other sessions stay out of sight', () => {
  const view = folded(eventsIn(new Script(SESSION, 'mine').start('q').plays));
  const other = eventsIn(new Script('another', 'other').start('what?').says('that', 1).plays);
  expect(other.reduce(apply, view)).toBe(view);
});

test('a run of somebody else does not become a new session of mine', () => {
  const idle = emptyConversation(null);
  expect(eventsIn(streaming('en', 'another')).reduce(apply, idle)).toBe(idle);
});

test('an approval waits until it is decided, and a refusal stays in view with its reason', () => {
  const script = new Script(SESSION, 'r')
    .start('q')
    .program('await shell.run(command=["rm"])', 1)
    .approval('shell.run', { command: ['rm'] }, 1, 'execute_open', 'shell.run(command=rm)')
    .ends('suspended');
  const view = folded(eventsIn(script.plays));
  expect(waitingCards(view).map((card) => card.call)).toEqual([1]);
  expect(isWorking(view)).toBe(false);
  script
    .add({ type: 'decided', call: 1, approved: false, reason: 'look first' })
    .add({ type: 'call_done', call: 1, ok: false, summary: 'refused', ms: 1 });
  const after = folded(eventsIn(script.plays));
  expect(waitingCards(after)).toEqual([]);
  expect(isWorking(after)).toBe(true);
  expect(after.turns[0]?.pieces.at(-1)).toMatchObject({ what: 'refusal', tool: 'shell.run', reason: 'look first' });
});

test('an answer to a question is shown once, with its question', () => {
  expect(pieces(folded(eventsIn(answered())))).toEqual(['program', 'exchange', 'words']);
});

test('what is added while a run is at work gets a bubble of its own', () => {
  const view = folded(
    eventsIn(new Script(SESSION, 'r').start('q').thought('hm', 1).segment('User', 'also the tests', null).plays),
  );
  expect(view.turns[0]?.question).toBe('q');
  expect(pieces(view)).toEqual(['thought', 'said']);
});

test('a run that was cut leaves no half-written code behind', () => {
  const view = folded(
    eventsIn(new Script(SESSION, 'r').start('q').stream('Python', 'for x in', 1).ends('cancelled').plays),
  );
  expect(pieces(view)).toEqual([]);
});

test('what had been streamed when a run was stopped stays, live as read back, and a program of it is told from one that ran', () => {
  const script = new Script(SESSION, 'r')
    .start('q')
    .stream('Express', 'First I count', 1)
    .stream('Python', 'for x in', 1);
  script
    .segment('Thought', 'First I count', null)
    .segment('Python', 'for x in', null)
    .segment('Stopped', 'The answer broke off here', null);
  const events = eventsIn(script.ends('cancelled').plays);
  for (const view of [folded(events), conversationOf(recorded(SESSION, events))]) {
    expect(pieces(view)).toEqual(['thought', 'program']);
    expect(view.turns[0]).toMatchObject({
      status: 'cancelled',
      pieces: [
        { text: 'First I count', writing: false },
        { program: 'for x in', exec: null, unrun: true },
      ],
    });
  }
});

describe('an answer that broke off with its process', () => {
  const broken = () =>
    new Script(SESSION, 'r')
      .start('Tell me a story')
      .segment('Express', 'Once upon', null)
      .segment('Stopped', 'The answer broke off here', null);
  const shown = (view: Conversation) =>
    view.turns[0]?.pieces.flatMap((piece) => (piece.what === 'words' ? [[piece.text, piece.withdrawn]] : []));

  test('stands while the task is interrupted', () => {
    const view = conversationOf(recorded(SESSION, eventsIn(broken().plays)));
    expect(view.turns[0]?.status).toBe('suspended');
    expect(shown(view)).toEqual([['Once upon', false]]);
  });

  test('gives way to the whole answer once the task has gone on', () => {
    const events = eventsIn(broken().segment('Express', 'Once upon a time.', null).ends('completed').plays);
    for (const view of [folded(events), conversationOf(recorded(SESSION, events))]) {
      expect(shown(view)).toEqual([
        ['Once upon', true],
        ['Once upon a time.', false],
      ]);
    }
  });

  test('stands beside what a program says later', () => {
    const events = eventsIn(
      broken().program('await user.say("half")', 1).segment('Express', 'half', 1).prints('', 1).plays,
    );
    expect(shown(folded(events))).toEqual([
      ['Once upon', false],
      ['half', false],
    ]);
  });
});

test('pictures of a result stand with their call, and a call without any has no place for them', () => {
  const call = (pictures: object) =>
    new Script(SESSION, 'r')
      .start('q')
      .program('await peer.draw()', 1)
      .asksFor('peer.draw', {}, 1)
      .add({ type: 'call_done', call: 1, ok: true, summary: 'A chart', ms: 3, ...pictures });
  const calls = (pictures: object) =>
    folded(eventsIn(call(pictures).plays)).turns[0]?.pieces.flatMap((piece) =>
      piece.what === 'program' ? piece.calls.map((known) => known.pictures) : [],
    );
  expect(calls({ pictures: ['/data/blobs/1/picture-1.png'] })).toEqual([['/data/blobs/1/picture-1.png']]);
  expect(calls({})).toEqual([undefined]);
});

test('other files of a result stand with their call, apart from its pictures', () => {
  const script = new Script(SESSION, 'r')
    .start('q')
    .program('await peer.record()', 1)
    .asksFor('peer.record', {}, 1)
    .add({ type: 'call_done', call: 1, ok: true, summary: 'A sound', ms: 3, files: ['/data/blobs/1/sound-1.wav'] });
  const [piece] = folded(eventsIn(script.plays)).turns[0]?.pieces.filter((one) => one.what === 'program') ?? [];
  expect(piece?.calls[0]).toMatchObject({ files: ['/data/blobs/1/sound-1.wav'] });
  expect(piece?.calls[0]).not.toHaveProperty('pictures');
});

test('a resumed run works again and keeps what it had', () => {
  const script = new Script(SESSION, 'r').start('q').thought('hm', 1).ends('suspended');
  script.add({ type: 'run_started', session: SESSION, assistant: 'shidi', models: [], offline: false });
  const view = folded(eventsIn(script.plays));
  expect(view.turns).toHaveLength(1);
  expect(view.turns[0]).toMatchObject({ status: 'working', question: 'q' });
});

function answered(): Play[] {
  const script = new Script(SESSION, 'r')
    .start('q')
    .program('day = await user.ask(text="Which day?")', 1)
    .question('Which day?')
    .ends('suspended');
  script.add({ type: 'decided', call: 1, approved: true, reason: '4 December' });
  script
    .segment('User', '4 December', null)
    .add({ type: 'call_done', call: 1, ok: true, summary: '4 December', ms: 30 });
  return script.prints('4 December', 3).says('On 4 December.', 2).ends('completed').plays;
}
