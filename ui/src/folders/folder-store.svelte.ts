/**
 * The folders that the session in front may work in: kept by the program for a session that has begun, and here for one
 * that is to begin.
 */
import { createContext } from 'svelte';
import type { Backend } from '../backend/backend';
import type { FolderRequest } from '../bindings/FolderRequest';
import type { SessionId } from '../bindings/SessionId';
import type { UserError } from '../bindings/UserError';
import type { WorkFolders } from '../bindings/WorkFolders';
import { noFolders } from './folders';

export class FolderStore {
  view = $state.raw<WorkFolders>(noFolders);
  /** Why the last action came to nothing. */
  trouble = $state.raw<UserError | null>(null);
  /** The folder whose details are shown. */
  detailed = $state<string | null>(null);
  /** Attached folders that are only to be read. */
  declined = $state.raw<ReadonlySet<string>>(new Set());

  readonly paths = $derived(this.view.folders.map((folder) => folder.path));

  /** The session that has begun; `null` while one is to begin. */
  private session: SessionId | null = null;
  /** The folders that it is to begin with, also while the program is still asked about them. */
  private begun: readonly string[];

  /** Whether it was said why commands can't be confined here: the reason is of the system, and stays the same. */
  private isToldWhy = false;

  /** `begun`: folders that one that is to begin has already. `tell`: says once why commands can't be confined. */
  constructor(
    private readonly backend: Backend,
    begun: readonly string[] = [],
    private readonly tell: (why: UserError) => void = () => undefined,
  ) {
    this.begun = begun;
    // They stand here before the program has looked at them: none is to be lost on the way.
    this.view = { ...noFolders, folders: begun.map((path) => ({ path, project_files: [] })) };
    this.read();
  }

  /** Reads them again: they may have been granted or taken back elsewhere. */
  read(): void {
    const { session } = this;
    if (session === null) this.send({ action: 'list', paths: [...this.begun] });
    else this.send({ action: 'list', paths: [], session });
  }

  /** Turns to another session. One that begins with the folders that stand here keeps them. */
  turnTo(session: SessionId | null): void {
    if (session === this.session) return;
    const begins = this.session === null && this.begun.length > 0;
    this.begun = [];
    this.session = session;
    if (begins) return;
    this.detailed = null;
    this.view = { ...this.view, folders: [] };
    this.read();
  }

  /** Lets the session work there; `then` once it may. */
  grant(path: string, then: () => void = () => undefined): void {
    const { session } = this;
    if (session !== null) return this.send({ action: 'grant', session, path }, then);
    this.begun = [...this.begun.filter((known) => known !== path), path];
    this.send({ action: 'list', paths: [...this.begun] }, then);
  }

  withdraw(path: string): void {
    const { session } = this;
    if (this.detailed === path) this.detailed = null;
    if (session !== null) return this.send({ action: 'withdraw', session, path });
    this.begun = this.begun.filter((known) => known !== path);
    this.read();
  }

  /** An attached folder is only to be read. */
  decline(path: string): void {
    this.declined = new Set([...this.declined, path]);
  }

  detail(path: string): void {
    this.detailed = this.detailed === path ? null : path;
  }

  /** Only once there is a folder to work in: before that, no command runs. */
  private tellWhy({ folders, unconfined }: WorkFolders): void {
    if (unconfined === undefined || folders.length === 0 || this.isToldWhy) return;
    this.isToldWhy = true;
    this.tell(unconfined);
  }

  private send(action: FolderRequest, then: () => void = () => undefined): void {
    const { session } = this;
    this.backend.ask(
      { request: 'folders', action },
      ({ folders }) => {
        if (session !== this.session) return;
        this.trouble = null;
        this.view = folders;
        this.tellWhy(folders);
        then();
      },
      (error) => {
        if (session === this.session) this.trouble = error;
      },
    );
  }
}

export const [useFolders, provideFolders] = createContext<FolderStore>();
