/**
 * The passphrase of the encrypted file that holds the keys where a system has no keychain.
 *
 * Asked twice when it makes the file: nobody could mend a slip of the finger. Kept nowhere here once it was sent.
 */
import type { UserError } from '../bindings/UserError';
import type { ModelStore } from '../models/model-store.svelte';

/** Shortest passphrase that is taken for a new file, in characters: it is all that guards the keys. */
const PASSPHRASE_CHARACTERS_MIN = 8;

export class KeyFile {
  passphrase = $state('');
  again = $state('');
  busy = $state(false);
  error = $state.raw<UserError | null>(null);

  /** Whether it makes the file, or opens one that is there. */
  readonly makes = $derived.by(() => this.choosing.keeper === 'nobody');
  readonly needed = $derived.by(() => this.makes || this.choosing.keeper === 'locked_file');
  readonly short = $derived(this.makes && [...this.passphrase].length < PASSPHRASE_CHARACTERS_MIN);
  readonly differs = $derived(this.makes && this.again !== this.passphrase);
  readonly ready = $derived(!this.needed || (!this.busy && this.passphrase !== '' && !this.short && !this.differs));

  constructor(private readonly choosing: ModelStore) {}

  /** Opens the file where that is needed; tells whether keys can be kept and read now. */
  async open(): Promise<boolean> {
    if (!this.needed) return true;
    if (!this.ready) return false;
    this.busy = true;
    this.error = null;
    const { error } = await this.choosing.answer({ request: 'keys_unlock', passphrase: this.passphrase });
    this.busy = false;
    if (error !== null) {
      this.error = error;
      return false;
    }
    this.passphrase = '';
    this.again = '';
    await this.choosing.readProviders();
    return true;
  }
}
