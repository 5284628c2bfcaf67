/**
 * The one way between the windows and the program.
 *
 * Everything the windows know comes through it, and nothing else may import the shell. Two make-ups of it exist:
 * `tauri.ts` for the program, `scripted.ts` for a plain browser.
 */
import type { Mood } from '../ball/mood';
import type { CallId } from '../bindings/CallId';
import type { ExperienceId } from '../bindings/ExperienceId';
import type { Reply } from '../bindings/Reply';
import type { Request } from '../bindings/Request';
import type { RunId } from '../bindings/RunId';
import type { ScreenView } from '../bindings/ScreenView';
import type { SessionId } from '../bindings/SessionId';
import type { UserError } from '../bindings/UserError';
import type { Ask } from './ask';
import type { Language } from '../i18n/i18n';

/** A request under way. */
export interface Stream {
  /** Resolves after the last reply. Trouble arrives as a `failed` reply, never as a rejection. */
  closed: Promise<void>;
  /** Stops listening; the work itself goes on. */
  close(): void;
}

/** How the panel came to be shown. */
export type ShownBy = 'hotkey' | 'ball' | 'start' | 'screen';

/** What of the screen is to be looked at. */
export type Looking = 'monitor' | 'window' | 'region';

/** What was seen, or why nothing was; `null` when the user changed their mind. */
export type Looked = { view: ScreenView } | { error: UserError } | null;

/** What the panel can be asked to do: from the ball, the tray, a notification, a link. */
export type ShellCommand =
  | { command: 'card'; session: SessionId; run: RunId; call: CallId }
  | { command: 'run'; session: SessionId; run: RunId }
  | { command: 'new_session' }
  | { command: 'settings'; find: string }
  | { command: 'text'; text: string }
  | { command: 'assistant'; name: string; text: string }
  | { command: 'link_refused' }
  | ({ command: 'selected'; view: ScreenView } & SelectionAct);

/** What is to be done with a text that was selected in another window. */
export type SelectionAct =
  { act: 'ask' | 'explain' | 'translate' | 'rewrite' | 'remember' } | { act: 'prompt'; name: string };

/** Where the workbench can be asked to open. */
export type BenchPlace =
  | { at: 'trace' | 'replay' | 'bad_case'; run: RunId }
  | { at: 'experience'; experience: ExperienceId }
  | { at: 'assistant'; assistant: string }
  | { at: 'section'; section: 'assistants' | 'connections' | 'workflows' | 'schedules' };

/** Keys that the desktop takes, or would. */
export interface HotkeyState {
  /** The setting that names them, or `assistant/NAME`. */
  action: string;
  keys: string;
  /** Why they are not ours, with the remedy. */
  notice: string | null;
}

/** What the windows may know of the program around them. */
export interface DesktopState {
  /** The keys that summon the panel, if they are ours. */
  hotkey: string | null;
  /** Why they are not, with the remedy. */
  notice: string | null;
  /** Those too, and all others. */
  hotkeys: readonly HotkeyState[];
  language: Language;
  version: string;
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
  /** Sends a request that is a stream, or whose replies are carried elsewhere. */
  send(request: Request, onReply: (reply: Reply) => void): Stream;
  /** Sends a request that ends with one reply, which has the type that the request names. */
  ask: Ask;
  /** Hides this window. */
  hide(): void;
  /** Keeps this window above the others, or lets it sink again. */
  keepOnTop(pinned: boolean): void;
  onShown(shown: (by: ShownBy) => void): void;
  /** What the keys that ask about the screen have seen, or why they saw nothing. */
  onLooked(told: (looked: Looked) => void): void;
  /** What the panel is asked to do from outside, each once, those from before the page was there too. */
  onCommand(told: (command: ShellCommand) => void): void;
  onDesktopState(told: (state: DesktopState) => void): void;
  /** Absolute paths of files that were dropped on the panel or the ball. */
  onFilesDropped(dropped: (paths: string[]) => void): void;
  /** Whether files are being held over this window. */
  onFilesOver(over: (held: boolean) => void): void;
  /** Lets the user pick files; empty when they pick none. */
  pickFiles(): Promise<string[]>;
  /** Lets the user pick a folder; empty when they pick none. */
  pickFolder(): Promise<string[]>;
  /** Lets the user say where to write a new file, by that name at first; `null` when they don't. */
  pickNewFile(name: string): Promise<string | null>;
  /** Takes a picture of the screen with our own windows out of it, for an incognito session if one is named. */
  look(what: Looking, session: SessionId | null): Promise<Looked>;
  /** Waits for the keys that summon the panel; resolves to whether they were pressed in time. */
  practise(): Promise<boolean>;
  /** Shows on the ball that a question is ready, by its number; `null` takes it back. */
  suggest(number: number | null): void;
  /** Opens a web or mail address in the user's browser. */
  openLink(address: string): void;
  /** Opens a file that a task made; what can run is only shown in its folder. Resolves to why neither happened. */
  openFile(path: string): Promise<UserError | null>;
  /** Shows a file in its folder. */
  showFile(path: string): Promise<UserError | null>;
  copy(text: string): Promise<void>;
  desktopState(): Promise<DesktopState>;
  /** Opens the workbench, at a place if one is given. */
  openWorkbench(at: BenchPlace | null): void;
  /** To the workbench: where it is to open, from before the page was there too. */
  onPlaceWanted(told: (place: BenchPlace) => void): void;
  /** Shows the panel at a run. */
  showRun(session: SessionId, run: RunId): void;
  /** Shows the panel at the settings that hold those words. */
  showSettings(find: string): void;
  /** Closes this window. */
  closeWindow(): void;
  onMood(told: (mood: BallMood) => void): void;
  /** The ball was clicked. */
  click(): void;
  /** Moves the window under the pointer until the button is released. */
  drag(): void;
  /** Shows the ball's menu at the pointer. */
  openMenu(): void;
}
