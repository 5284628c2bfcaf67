/**
 * Downloads of models: what there is, begun and stopped by their user, followed while somebody looks.
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
import { isUnderWay, missingEngine, recommended } from './catalogue';

export class CatalogueStore {
  catalogue = $state.raw<ModelCatalogue | null>(null);
  /** The file that answers, and its server. */
  model = $state.raw<LocalModelView | null>(null);
  /** What is wrong with the list itself. */
  trouble = $state.raw<UserError | null>(null);
  /** Why what was last asked for is not done. */
  refused = $state.raw<UserError | null>(null);

  readonly best = $derived(this.catalogue === null ? undefined : recommended(this.catalogue));
  readonly missing = $derived(this.catalogue === null ? undefined : missingEngine(this.catalogue, this.model));

  /** How many parts of the window show it. */
  private watchers = 0;
  private reading = false;
  private again = false;

  constructor(private readonly backend: Backend) {}

  /** Reads, and follows until the returned function is called. */
  follow(): () => void {
    this.watchers += 1;
    this.read();
    return () => (this.watchers -= 1);
  }

  /** Something of it has changed. */
  changed(): void {
    if (this.watchers > 0) this.read();
  }

  private read(): void {
    if (this.reading) {
      this.again = true;
      return;
    }
    this.reading = true;
    let waiting = 2;
    const done = () => {
      waiting -= 1;
      if (waiting > 0) return;
      this.reading = false;
      if (this.again && this.watchers > 0) {
        this.again = false;
        this.read();
      }
    };
    const failed = (error: UserError) => {
      this.refused = error;
      done();
    };
    const take = (reply: ReplyNamed<'local_model_catalogue'>) => {
      this.take(reply);
      done();
    };
    this.backend.ask({ request: 'local_model_catalogue' }, take, failed);
    const show = ({ model }: ReplyNamed<'local_model'>) => {
      this.model = model;
      done();
    };
    this.backend.ask({ request: 'local_model_show' }, show, failed);
  }

  /** Downloads a model, and with it the server where there is none. */
  download({ id }: CatalogueEntry): void {
    const { missing } = this;
    this.refused = null;
    if (missing !== undefined && missing.id !== id && !isUnderWay(missing)) this.begin(missing.id);
    this.begin(id);
  }

  stop({ id }: CatalogueEntry): void {
    this.refused = null;
    this.backend.ask({ request: 'local_model_download_stop', id }, this.take, this.fail);
  }

  /** Whether it is the file that answers. */
  isUsed(path: string): boolean {
    return this.model !== null && this.model.is_used && this.model.file?.path === path;
  }

  /** Lets the user choose where models go from now on. */
  async chooseFolder(): Promise<void> {
    const [value] = await this.backend.pickFolder();
    if (value === undefined) return;
    this.backend.ask({ request: 'config_set', key: 'local_model.folder', value }, () => this.read(), this.fail);
  }

  private begin(id: string): void {
    this.backend.ask({ request: 'local_model_download', id }, this.take, this.fail);
  }

  private readonly take = ({ catalogue }: ReplyNamed<'local_model_catalogue'>): void => {
    this.trouble = catalogue.trouble ?? null;
    this.catalogue = catalogue;
  };

  private readonly fail = (error: UserError): void => void (this.refused = error);
}

export const [useCatalogue, provideCatalogue] = createContext<CatalogueStore>();
