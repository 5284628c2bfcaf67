/**
 * The door of the desktop program: the only file that knows the shell.
 *
 * Requests go through the command `door` with a channel that brings batches of replies; windows tell of
 * themselves by events. Decides nothing and keeps nothing.
 */
import { Channel, invoke } from '@tauri-apps/api/core';
import { emit } from '@tauri-apps/api/event';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { getCurrentWindow } from '@tauri-apps/api/window';
import { open } from '@tauri-apps/plugin-dialog';
import { openUrl } from '@tauri-apps/plugin-opener';
import type { Reply } from '../bindings/Reply';
import type { Request } from '../bindings/Request';
import type { UserError } from '../bindings/UserError';
import type { Backend, ShownBy, Stream } from './backend';

/** Sent to the panel after it was shown; the payload is a `ShownBy`. */
const SHOWN = 'panel-shown';
/** Sent to the panel when files were dropped on the ball; the payload is their paths. */
const DROPPED_ON_BALL = 'ball-dropped';
/** Sent by the ball to ask for its menu. */
const MENU = 'ball-menu';

export function openDoor(): Backend {
  return {
    send,
    hide: () => void getCurrentWindow().hide(),
    keepOnTop: (pinned) => void getCurrentWindow().setAlwaysOnTop(pinned),
    onShown: (shown) => void getCurrentWindow().listen<ShownBy>(SHOWN, (event) => shown(event.payload)),
    onFilesDropped(dropped) {
      void getCurrentWebview().onDragDropEvent(({ payload }) => {
        if (payload.type === 'drop') dropped(payload.paths);
      });
      void getCurrentWindow().listen<string[]>(DROPPED_ON_BALL, (event) => dropped(event.payload));
    },
    onFilesOver(over) {
      void getCurrentWebview().onDragDropEvent(({ payload }) => over(payload.type === 'enter' || payload.type === 'over'));
    },
    pickFiles: async () => (await open({ multiple: true, directory: false })) ?? [],
    openLink: (address) => void openUrl(address),
    copy: (text) => navigator.clipboard.writeText(text),
    drag: () => void getCurrentWindow().startDragging(),
    openMenu: () => void emit(MENU),
  };
}

function send(request: Request, onReply: (reply: Reply) => void): Stream {
  let listening = true;
  const deliver = (reply: Reply) => {
    if (listening) onReply(reply);
  };
  const replies = new Channel<Reply[]>((batch) => batch.forEach(deliver));
  const closed = invoke<void>('door', { request, replies }).catch((trouble: unknown) =>
    deliver({ reply: 'failed', error: errorOf(trouble) }),
  );
  return {
    closed,
    close() {
      listening = false;
    },
  };
}

/** What the shell rejects with: one of our own errors, or words of the shell itself. */
function errorOf(trouble: unknown): UserError {
  if (typeof trouble === 'object' && trouble !== null && 'code' in trouble && 'message' in trouble) return trouble as UserError;
  return { code: 'internal', message: String(trouble), hint: null };
}
