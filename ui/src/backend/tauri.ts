/**
 * The backend of the desktop program: the only file that knows the shell.
 *
 * Requests go through the command `request` with a channel that brings batches of replies; windows tell of
 * themselves by events. Decides nothing and keeps nothing.
 */
import { asking } from './ask';
import { Channel, invoke } from '@tauri-apps/api/core';
import { emit } from '@tauri-apps/api/event';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { getCurrentWindow } from '@tauri-apps/api/window';
import type { LookAt } from '../bindings/LookAt';
import type { Reply } from '../bindings/Reply';
import type { Request } from '../bindings/Request';
import type { ScreenView } from '../bindings/ScreenView';
import type { SessionId } from '../bindings/SessionId';
import type { UserError } from '../bindings/UserError';
import type {
  Backend,
  BallMood,
  BenchPlace,
  Looked,
  Looking,
  ShellCommand,
  ShownBy,
  Stream,
  DesktopState,
} from './backend';

/** To the panel, after it was shown. */
const SHOWN = 'panel-shown';
/** To the panel: files that were dropped on the ball. */
const DROPPED_ON_BALL = 'ball-dropped';
/** To the panel: what the keys that ask about the screen have seen. */
const LOOKED = 'screen-looked';
const LOOK_FAILED = 'screen-failed';
/** To the panel: something is asked of it. */
const COMMAND = 'panel-command';
/** To the panel: keys or language are others now. */
const CHANGED = 'desktop-changed';
/** To the workbench: it is to open at a place. */
const PLACE_WANTED = 'workbench-wanted';
/** To the ball. */
const MOOD = 'ball-mood';
/** From the ball. */
const CLICK = 'ball-click';
const MENU = 'ball-menu';

export function openBackend(): Backend {
  let streams = 0;
  const sent: Backend['send'] = (request, onReply) => {
    streams += 1;
    return send(streams, request, onReply);
  };
  return {
    send: sent,
    ask: asking(sent),
    hide: () => tell('hide_panel'),
    keepOnTop: (pinned) => tell('keep_on_top', { pinned }),
    onShown: (shown) => void getCurrentWindow().listen<ShownBy>(SHOWN, (event) => shown(event.payload)),
    onLooked(told) {
      void getCurrentWindow().listen<ScreenView>(LOOKED, (event) => told({ view: event.payload }));
      void getCurrentWindow().listen<UserError>(LOOK_FAILED, (event) => told({ error: event.payload }));
    },
    onCommand(told) {
      const fetch = () =>
        void invoke<ShellCommand[]>('take_commands').then(
          (commands) => commands.forEach(told),
          () => undefined,
        );
      void getCurrentWindow().listen(COMMAND, fetch).then(fetch);
    },
    onDesktopState: (told) => void getCurrentWindow().listen<DesktopState>(CHANGED, (event) => told(event.payload)),
    onFilesDropped(dropped) {
      void getCurrentWebview().onDragDropEvent(({ payload }) => {
        if (payload.type === 'drop') dropped(payload.paths);
      });
      void getCurrentWindow().listen<string[]>(DROPPED_ON_BALL, (event) => dropped(event.payload));
    },
    onFilesOver(over) {
      void getCurrentWebview().onDragDropEvent(({ payload }) =>
        over(payload.type === 'enter' || payload.type === 'over'),
      );
    },
    pickFiles: () => invoke<string[]>('pick_files').catch(() => []),
    pickFolder: () => invoke<string[]>('pick_folder').catch(() => []),
    pickNewFile: (name) => invoke<string | null>('pick_new_file', { name }).catch(() => null),
    look,
    practise: () => invoke<boolean>('practise_hotkey').catch(() => false),
    suggest: (number) => tell('suggest', { number }),
    openLink: (url) => tell('open_link', { url }),
    openFile: (path) => attempt('open_file', { path }),
    showFile: (path) => attempt('show_file', { path }),
    copy,
    desktopState: () => invoke<DesktopState>('desktop_state'),
    openWorkbench: (at) => tell('open_workbench', { at }),
    onPlaceWanted(told) {
      const fetch = () =>
        void invoke<BenchPlace | null>('take_wanted_place').then(
          (place) => place !== null && told(place),
          () => undefined,
        );
      void getCurrentWindow().listen(PLACE_WANTED, fetch).then(fetch);
    },
    showRun: (session, run) => tell('show_run', { session, run }),
    showSettings: (find) => tell('show_settings', { find }),
    closeWindow: () => tell('close_workbench'),
    onMood: (told) => void getCurrentWindow().listen<BallMood>(MOOD, (event) => told(event.payload)),
    click: () => void emit(CLICK),
    drag: () => void getCurrentWindow().startDragging(),
    openMenu: () => void emit(MENU),
  };
}

function send(stream: number, request: Request, onReply: (reply: Reply) => void): Stream {
  let listening = true;
  const deliver = (reply: Reply) => {
    if (listening) onReply(reply);
  };
  const channel = new Channel<Reply[]>((batch) => batch.forEach(deliver));
  const closed = invoke<void>('request', { stream, request, channel }).catch((trouble: unknown) =>
    deliver({ reply: 'failed', error: errorOf(trouble) }),
  );
  return {
    closed,
    close() {
      listening = false;
      tell('close_stream', { stream });
    },
  };
}

/** Takes a picture of the screen; a region is picked by hand first. */
async function look(what: Looking, session: SessionId | null): Promise<Looked> {
  try {
    const at = what === 'region' ? await invoke<LookAt | null>('pick_region') : what;
    return at === null ? null : { view: await invoke<ScreenView>('capture', { what: at, session }) };
  } catch (trouble) {
    return { error: errorOf(trouble) };
  }
}

/** Calls a command whose failure changes nothing for the user. */
function tell(command: string, given: Record<string, unknown> = {}): void {
  invoke(command, given).catch(() => undefined);
}

/** Calls a command by which the user wants to see something; resolves to why they don't. */
function attempt(command: string, given: Record<string, unknown>): Promise<UserError | null> {
  return invoke(command, given).then(() => null, errorOf);
}

/** Copies text; web views without a clipboard of their own copy a selection. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand('copy');
    field.remove();
  }
}

/** What the shell rejects with: one of our own errors, or words of the shell itself. */
function errorOf(trouble: unknown): UserError {
  if (typeof trouble === 'object' && trouble !== null && 'code' in trouble && 'message' in trouble)
    return trouble as UserError;
  return { code: 'internal', message: String(trouble), hint: null };
}
