/**
 * The one door between the windows and the program.
 *
 * Everything the windows know comes through it, and nothing else may import the shell. Two make-ups of it exist:
 * `tauri.ts` for the program, `scripted.ts` for a plain browser.
 */
import type { Mood } from '../ball';
import type { Reply } from '../bindings/Reply';
import type { Request } from '../bindings/Request';
import type { Language } from '../settings';

/** A request under way. */
export interface Stream {
  /** Resolves after the last reply. Trouble arrives as a `failed` reply, never as a rejection. */
  closed: Promise<void>;
  /** Stops listening; the work itself goes on. */
  close(): void;
}

/** How the panel came to be shown. */
export type ShownBy = 'hotkey' | 'ball' | 'start';

/** What the windows may know of the program around them. */
export interface Surroundings {
  /** The keys that summon the panel, if they are ours. */
  hotkey: string | null;
  /** Why they are not, with the remedy. */
  notice: string | null;
  language: Language;
}

/** What the ball is told to show. */
export interface BallMood {
  mood: Mood;
  /** Cards that wait for the user. */
  cards: number;
  /** Part of the known work that is done, 0 to 1; `null` when nobody knows how much there is. */
  progress: number | null;
  /** What a screen reader says. */
  name: string;
}

export interface Backend {
  send(request: Request, onReply: (reply: Reply) => void): Stream;
  /** Hides this window. */
  hide(): void;
  /** Keeps this window above the others, or lets it sink again. */
  keepOnTop(pinned: boolean): void;
  onShown(shown: (by: ShownBy) => void): void;
  /** Absolute paths of files that were dropped on the panel or the ball. */
  onFilesDropped(dropped: (paths: string[]) => void): void;
  /** Whether files are being held over this window. */
  onFilesOver(over: (held: boolean) => void): void;
  /** Lets the user pick files; empty when they pick none. */
  pickFiles(): Promise<string[]>;
  /** Opens a web or mail address in the user's browser. */
  openLink(address: string): void;
  copy(text: string): Promise<void>;
  surroundings(): Promise<Surroundings>;
  onMood(told: (mood: BallMood) => void): void;
  /** The ball was clicked. */
  click(): void;
  /** Moves the window under the pointer until the button is released. */
  drag(): void;
  /** Shows the ball's menu at the pointer. */
  openMenu(): void;
}
