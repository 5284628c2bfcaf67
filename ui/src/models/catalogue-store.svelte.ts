/**
 * Downloads of models: what there is, begun, stopped and removed by their user, followed while somebody looks.
 *
 * A download belongs to the program and goes on while no window shows it.
 */
import { createContext } from 'svelte';
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { CatalogueEntry } from '../bindings/CatalogueEntry';
import type { LocalModelView } from '../bindings/LocalModelView';
import type { ModelCatalogue } from '../bindings/ModelCatalogue';
import type { UserError } from '../bindings/UserError';
import { isUnderWay, missingEngine } from './catalogue';

/** Two clicks within this time are one, in milliseconds. */
const DOUBLE_CLICK_MS = 500;

/** A request that is not sent again while it is unanswered, but once more after that. */
class Reading {
  private isUnderWay = false;
  private again = false;

  constructor(private readonly ask: (done: () => void) => void) {}

  begin(): void {
    if (this.isUnderWay) {
      this.again = true;
      return;
    }
    this.isUnderWay = true;
    this.ask(() => {
      this.isUnderWay = false;
      if (!this.again) return;
      this.again = false;
      this.begin();
    });
  }
}

export class CatalogueStore {
  catalogue = $state.raw<ModelCatalogue | null>(null);
  /** The file that answers, and its server. */
  model = $state.raw<LocalModelView | null>(null);
  /** What is wrong with the list itself. */
  trouble = $state.raw<UserError | null>(null);
  /** Why what was last asked for is not done. */
  refused = $state.raw<UserError | null>(null);

  /** The entry that its user is asked about before it is removed. */
  asked = $state<string | null>(null);
  /** Bytes that the last removal has freed. */
  freed = $state<number | null>(null);

  readonly missing = $derived(this.catalogue === null ? undefined : missingEngine(this.catalogue, this.model));

  /** How many parts of the window show it. */
  private watchers = 0;
  private readonly list = new Reading((done) => {
    const take = (reply: ReplyNamed<'local_model_catalogue'>) => {
      this.take(reply);
      done();
    };
    this.backend.ask({ request: 'local_model_catalogue' }, take, (error) => this.failed(error, done));
  });
  private readonly shown = new Reading((done) => {
    const take = ({ model }: ReplyNamed<'local_model'>) => {
      this.model = model;
      this.completeEngine();
      done();
    };
    this.backend.ask({ request: 'local_model_show' }, take, (error) => this.failed(error, done));
  });
  /** Whether a model was asked for before anybody knew whether there is a server. */
  private wantsEngine = false;
  /** When each download was begun: the second click of a double one is none. */
  private readonly begun = new Map<string, number>();

  constructor(private readonly backend: Backend) {}

  /** Reads, and follows until the returned function is called. */
  follow(): () => void {
    this.watchers += 1;
    this.refused = null;
    this.asked = null;
    this.freed = null;
    this.read();
    return () => (this.watchers -= 1);
  }

  /** Something of it has changed. */
  changed(): void {
    if (this.watchers > 0) this.read();
  }

  /** Looking at the program may take seconds: the list does not wait for it. */
  private read(): void {
    this.list.begin();
    this.shown.begin();
  }

  /** Downloads a model, and with it the server where there is none. */
  download({ id }: CatalogueEntry): void {
    if (this.isJustBegun(id)) return;
    this.refused = null;
    this.wantsEngine = true;
    this.completeEngine(id);
    this.begin(id);
  }

  stop({ id }: CatalogueEntry): void {
    if (this.isJustBegun(id)) return;
    this.refused = null;
    this.backend.ask({ request: 'local_model_download_stop', id }, this.take, this.fail);
  }

  /** Removes what was downloaded; whoever asks for it was asked before. */
  remove({ id }: CatalogueEntry): void {
    this.refused = null;
    this.asked = null;
    this.freed = null;
    const take = ({ catalogue, freed_bytes }: ReplyNamed<'local_model_removed'>): void => {
      this.freed = freed_bytes;
      this.show(catalogue);
    };
    this.backend.ask({ request: 'local_model_remove', id }, take, this.fail);
  }

  private isJustBegun(id: string): boolean {
    return performance.now() - (this.begun.get(id) ?? -DOUBLE_CLICK_MS) < DOUBLE_CLICK_MS;
  }

  private completeEngine(unless?: string): void {
    const { missing } = this;
    if (!this.wantsEngine || this.model === null) return;
    this.wantsEngine = false;
    if (missing !== undefined && missing.id !== unless && !isUnderWay(missing)) this.begin(missing.id);
  }

  /** Whether it is the file that answers. */
  isUsed(path: string): boolean {
    return this.model !== null && this.model.is_used && this.model.file?.path === path;
  }

  /** Lets the user choose where models go from now on. */
  async chooseFolder(): Promise<void> {
    const [value] = await this.backend.pickFolder();
    if (value === undefined) return;
    this.backend.ask({ request: 'config_set', key: 'local_model.folder', value }, () => this.moved(), this.fail);
  }

  private moved(): void {
    this.refused = null;
    this.read();
  }

  private failed(error: UserError, done: () => void): void {
    this.refused = error;
    done();
  }

  private begin(id: string): void {
    this.begun.set(id, performance.now());
    this.backend.ask({ request: 'local_model_download', id }, this.take, this.fail);
  }

  private readonly take = ({ catalogue }: ReplyNamed<'local_model_catalogue'>): void => this.show(catalogue);

  private show(catalogue: ModelCatalogue): void {
    this.trouble = catalogue.trouble ?? null;
    this.catalogue = catalogue;
  }

  private readonly fail = (error: UserError): void => void (this.refused = error);
}

export const [useCatalogue, provideCatalogue] = createContext<CatalogueStore>();
