/**
 * A backend for a plain browser: plays a scene instead of asking the program, for tests and pictures.
 *
 * `?scene=approval&lang=zh&theme=dark` picks what is played; `&speed=0` plays it at once. What the panel sends is
 * kept on `window.scripted`, where tests read it. Never part of what ships.
 */
import { asking } from './ask';
import { languageOfScene } from './scenes/language';
import type { PageState } from '../bindings/PageState';
import type { Reply } from '../bindings/Reply';
import type { RunEvent } from '../bindings/RunEvent';
import type { Request } from '../bindings/Request';
import { apply, idleBall, moodOf, progressOf, waitingCount } from '../ball/mood';
import { say } from '../i18n/i18n';
import type { Backend, BenchPlace, Looked, Looking, ShellCommand, ShownBy, Stream } from './backend';
import type { Play } from './scenes/play';
import { sceneNamed } from './scenes/scenes';
import { begin } from './scenes/settings';
import { screenView } from './scenes/things';

/** Replies of one scene; beyond that a scene is wrong. */
const REPLIES_MAX = 20_000;

/** What tests reach into. */
interface Hands {
  question: string;
  sent: Request[];
  hidden: number;
  pinned: boolean;
  links: string[];
  /** Files that were opened, and those that were shown in their folders. */
  files: string[];
  folders: string[];
  copied: string[];
  looked: Looking[];
  suggested: (number | null)[];
  /** Another version of a session is shown, by somebody else. */
  switch: (session: string) => void;
  /** Something happens in a run, as those who watch are told. */
  happen: (event: RunEvent) => void;
  /** Something happens in a browser, as those who watch are told. */
  browse: (pages: PageState) => void;
  /** A folder is granted from elsewhere. */
  grant: (path: string) => void;
  /** A schedule is removed from elsewhere. */
  unschedule: (id: string) => void;
  /** What the workbench, or the panel, was opened at. */
  opened: (string | null)[];
  closed: number;
  /** Requests whose replies nobody wants any more. */
  unheard: Request[];
  /** Incognito sessions that were ended. */
  ended: number;
  /** Tells whoever watches, as the program does when something has changed. */
  tell: (reply: Reply) => void;
  want: (place: BenchPlace) => void;
  show: (by: ShownBy) => void;
  /** The keys that ask about the screen have seen something. */
  see: () => void;
  command: (command: ShellCommand) => void;
  /** The keys that are practised are pressed. */
  press: () => void;
  drop: (paths: string[]) => void;
  hold: (over: boolean) => void;
}

declare global {
  interface Window {
    scripted: Hands;
    /** Parts of the panel that have been on the page, by their files; told by the build of this mode. */
    scriptedViews: Set<string>;
  }
}

export function openBackend(): Backend {
  const query = new URLSearchParams(location.search);
  const language = languageOfScene(query.get('lang'));
  const speed = Number(query.get('speed') ?? '1');
  const scene = sceneNamed(query.get('scene') ?? 'summoned', language);
  const spoken = query.get('lang') ?? language;
  localStorage.setItem('language', spoken);
  begin('theme', query.get('theme') ?? 'light');
  localStorage.setItem('theme', query.get('theme') ?? 'light');
  const watchers = new Set<(reply: Reply) => void>();
  const shown: ((by: ShownBy) => void)[] = [];
  const seen: ((looked: Looked) => void)[] = [];
  const commands: ((command: ShellCommand) => void)[] = [];
  const wanted: ((place: BenchPlace) => void)[] = [];
  const dropped: ((paths: string[]) => void)[] = [];
  const held: ((over: boolean) => void)[] = [];
  let practised: ((pressed: boolean) => void) | null = null;
  const hands: Hands = {
    question: scene.question,
    sent: [],
    hidden: 0,
    pinned: false,
    links: [],
    files: [],
    folders: [],
    copied: [],
    looked: [],
    suggested: [],
    switch: (session) => watchers.forEach((watch) => watch({ reply: 'session_changed', session })),
    happen: (event) => watchers.forEach((watch) => watch({ reply: 'event', event })),
    browse: (pages) => watchers.forEach((watch) => watch({ reply: 'pages', pages })),
    tell: (reply) => watchers.forEach((watch) => watch(reply)),
    grant: (path) => void scene.answer({ request: 'folders', action: { action: 'grant', session: 'session-1', path } }),
    unschedule: (id) => void scene.answer({ request: 'schedules', action: { action: 'remove', id } }),
    opened: [],
    closed: 0,
    unheard: [],
    ended: 0,
    want: (place) => wanted.forEach((tell) => tell(place)),
    show: (by) => shown.forEach((tell) => tell(by)),
    see: () => seen.forEach((tell) => tell({ view: screenView(language) })),
    command: (command) => commands.forEach((tell) => tell(command)),
    press: () => practised?.(true),
    drop: (paths) => dropped.forEach((tell) => tell(paths)),
    hold: (over) => held.forEach((tell) => tell(over)),
  };
  window.scripted = hands;

  async function play(plays: Play[], onReply: (reply: Reply) => void): Promise<void> {
    // By the clock, as a model writes: a page that is slow gets more at once, not later.
    const began = performance.now();
    let due = 0;
    for (const { after_ms, reply } of plays.slice(0, REPLIES_MAX)) {
      due += speed > 0 ? after_ms / speed : 0;
      const wait = due - (performance.now() - began);
      if (speed > 0 && wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
      onReply(reply);
      if (reply.reply === 'event') watchers.forEach((watch) => watch(reply));
    }
  }

  function send(request: Request, onReply: (reply: Reply) => void): Stream {
    hands.sent.push(request);
    let listening = true;
    const deliver = (reply: Reply) => {
      if (listening) onReply(reply);
    };
    if (request.request === 'watch') {
      watchers.add(deliver);
      void Promise.resolve().then(() => play(scene.answer(request), () => undefined));
      return { closed: new Promise(() => undefined), close: () => void watchers.delete(deliver) };
    }
    // A reply is never there within the call itself: the program is another process.
    const plays = scene.answer(request);
    const played = Promise.resolve().then(() => play(plays, deliver));
    // As the program does it: whoever watches is told, and reads what is configured again.
    if (request.request === 'config_set') {
      const { key, value } = request;
      void played.then(() => watchers.forEach((watch) => watch({ reply: 'config_changed', key, value })));
    }
    if (request.request === 'pages' && request.action.action !== 'list') {
      void played.then(() => plays.forEach(({ reply }) => reply.reply === 'pages' && hands.browse(reply.pages)));
    }
    if (request.request === 'memory' && request.action.action !== 'preferences') {
      void played.then(() => plays.forEach(({ reply }) => reply.reply === 'preferences' && hands.tell(reply)));
    }
    // A scene that stops in the middle stays open, as the work would, and so does an incognito session.
    const isOpen = ['event', 'incognito'].includes(plays.at(-1)?.reply.reply ?? '');
    const closed = isOpen ? new Promise<void>(() => undefined) : played;
    return {
      closed,
      close() {
        listening = false;
        hands.unheard.push(request);
        if (request.request === 'incognito' || request.request === 'try_out') hands.ended += 1;
      },
    };
  }

  queueMicrotask(() => hands.show('start'));
  return {
    send,
    ask: asking(send),
    hide: () => void (hands.hidden += 1),
    keepOnTop: (pinned) => void (hands.pinned = pinned),
    onShown: (tell) => void shown.push(tell),
    onLooked: (tell) => void seen.push(tell),
    onCommand: (tell) => void commands.push(tell),
    onDesktopState: () => undefined,
    onFilesDropped: (tell) => void dropped.push(tell),
    onFilesOver: (tell) => void held.push(tell),
    pickFiles: () => Promise.resolve(scene.picked),
    pickFolder: () => Promise.resolve(['/home/lin/work/order-service']),
    pickNewFile: (name) => Promise.resolve(`/home/lin/${name}`),
    look(what) {
      hands.looked.push(what);
      return Promise.resolve({ view: screenView(language) });
    },
    practise: () => new Promise((resolve) => (practised = resolve)),
    suggest: (number) => void hands.suggested.push(number),
    openLink: (address) => void hands.links.push(address),
    openFile(path) {
      hands.files.push(path);
      return Promise.resolve(null);
    },
    showFile(path) {
      hands.folders.push(path);
      return Promise.resolve(null);
    },
    copy: (text) => Promise.resolve(void hands.copied.push(text)),
    desktopState: () =>
      Promise.resolve({
        hotkey: 'Ctrl+Alt+Space',
        notice: null,
        hotkeys: [],
        language: spoken,
        version: '0.1.0',
      }),
    onMood(told) {
      let view = idleBall();
      send({ request: 'watch' }, (reply) => {
        if (reply.reply === 'event') view = apply(view, reply.event);
        const mood = moodOf(view);
        told({
          mood,
          cards: waitingCount(view),
          progress: progressOf(view),
          name: `${say(language, 'ball')}: ${say(language, `mood_${mood}`)}`,
        });
      });
    },
    openWorkbench: (place) => void hands.opened.push(place === null ? null : (Object.values(place)[1] ?? null)),
    onPlaceWanted: (tell) => void wanted.push(tell),
    showRun: (session, run) => void hands.opened.push(`${session}/${run}`),
    showSettings: (find) => void hands.opened.push(`settings/${find}`),
    closeWindow: () => void (hands.closed += 1),
    click: () => undefined,
    drag: () => undefined,
    openMenu: () => undefined,
  };
}
