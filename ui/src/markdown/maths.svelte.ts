/**
 * Draws formulas with KaTeX, which is loaded when the first one is met and never leaves the program.
 *
 * What is not loaded yet or has a mistake is shown as its source. Its output is sanitised like everything else.
 */
import type Katex from 'katex';

/** Largest length a formula may name, in em: a formula is part of its line. */
const LENGTH_MAX_EM = 20;

/** Macros that one formula may expand. */
const EXPANSIONS_MAX = 500;

export class Maths {
  private engine = $state.raw<typeof Katex | null>(null);
  private isAskedFor = false;

  /** The formula as HTML, or `null` as long as or because it can't be drawn. */
  readonly draw = (tex: string, display: boolean): string | null => {
    const { engine } = this;
    if (engine === null) {
      void this.load();
      return null;
    }
    try {
      const html = engine.renderToString(tex, {
        displayMode: display,
        throwOnError: true,
        strict: 'ignore',
        trust: false,
        errorColor: 'currentColor',
        maxSize: LENGTH_MAX_EM,
        maxExpand: EXPANSIONS_MAX,
      });
      // The source would be read out a second time.
      return html.replace(/<annotation[^>]*>[^<]*<\/annotation>/g, '');
    } catch {
      return null;
    }
  };

  private async load(): Promise<void> {
    if (this.isAskedFor) return;
    this.isAskedFor = true;
    const [katex] = await Promise.all([import('katex'), import('katex/dist/katex.min.css')]);
    this.engine = katex.default;
  }
}

export const maths = new Maths();
