/** Asks whether somebody has the keys already that a draft wants for itself. Draws nothing. */
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import { NO_SPEC } from './form';

/** What an assistant is called here that has no name yet. */
const NAMELESS = 'a-new-one';

export class HotkeyCheck {
  /** Who has them, with the remedy. */
  problem = $state<string | null>(null);

  private asked = '';

  constructor(private readonly backend: Backend) {}

  look(name: string, hotkey: string): void {
    const question = `${name} ${hotkey}`;
    this.asked = question;
    this.problem = null;
    if (hotkey === '') return;
    const spec = { ...NO_SPEC, name: name === '' ? NAMELESS : name, hotkey };
    this.backend.ask(
      { request: 'assistants', action: { action: 'write', spec, text: '' } },
      ({ text }: ReplyNamed<'assistant_text'>) =>
        this.backend.ask(
          { request: 'assistants', action: { action: 'check', file: 'assistant.yaml', text } },
          ({ assistants: [read] }: ReplyNamed<'assistant_check'>) => {
            // Other keys have an answer of their own coming.
            if (this.asked === question) this.problem = read?.assistant.hotkey?.problem ?? null;
          },
        ),
    );
  }
}
