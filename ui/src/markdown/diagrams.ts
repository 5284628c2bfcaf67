/**
 * Draws diagrams with Mermaid, which is loaded when the first one is met and never leaves the program.
 *
 * The result is a picture: an SVG that is sanitised, then shown as an image, where no script runs, nothing is
 * loaded and no link can be followed. A source with a mistake is told with its reason.
 */
import DOMPurify from 'dompurify';
import type { Mermaid } from 'mermaid';

export interface Diagram {
  /** Address of the picture; to be released with `release`. */
  address: string;
  width: number;
  height: number;
}

/** Characters of one diagram: layout takes time that grows faster than its text. */
const SOURCE_CHARACTERS_MAX = 20_000;

/** Connections of one diagram, for the same reason. */
const EDGES_MAX = 300;

/** What a source may not set for itself. */
const SECURE = [
  'secure',
  'securityLevel',
  'startOnLoad',
  'maxTextSize',
  'maxEdges',
  'suppressErrorRendering',
  'htmlLabels',
  'theme',
  'themeVariables',
  'themeCSS',
  'fontFamily',
  'darkMode',
];

/** A node with a picture of its own: it would be loaded from wherever the source says. */
const PICTURED_NODE = /@\{[^}]*\bimg\s*:/s;

/** The source asks for pictures from elsewhere. */
export class PicturesRefused extends Error {}

let engine: Promise<Mermaid> | null = null;
let drawn = 0;

/** Rejects with what is wrong with the source. */
export async function draw(source: string): Promise<Diagram> {
  if (PICTURED_NODE.test(source)) throw new PicturesRefused();
  engine ??= import('mermaid').then((module) => module.default);
  const mermaid = await engine;
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    suppressErrorRendering: true,
    maxTextSize: SOURCE_CHARACTERS_MAX,
    maxEdges: EDGES_MAX,
    htmlLabels: false,
    theme: 'base',
    themeVariables: colours(),
    secure: SECURE,
  });
  drawn += 1;
  const stage = document.createElement('div');
  stage.className = 'diagram-stage';
  stage.ariaHidden = 'true';
  document.body.append(stage);
  const dresser = dressed(stage);
  try {
    const { svg } = await mermaid.render(`diagram-${drawn}`, source, stage);
    return pictureOf(svg);
  } finally {
    dresser.undress();
    stage.remove();
  }
}

export function release(diagram: Diagram): void {
  URL.revokeObjectURL(diagram.address);
}

/**
 * Lets a diagram be measured with its own style while it is laid out: the content security policy allows no style
 * element, so that its rules go into a sheet of our own.
 */
function dressed(stage: HTMLElement): { undress: () => void } {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const watcher = new MutationObserver(() => sheet.replaceSync(stage.querySelector('style')?.textContent ?? ''));
  watcher.observe(stage, { childList: true, subtree: true });
  return {
    undress() {
      watcher.disconnect();
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    },
  };
}

function pictureOf(source: string): Diagram {
  const clean = DOMPurify.sanitize(source, {
    USE_PROFILES: { svg: true, svgFilters: true },
    ADD_TAGS: ['style'],
    FORBID_TAGS: ['image', 'foreignObject', 'a'],
  });
  const svg = new DOMParser().parseFromString(clean, 'text/html').querySelector('svg');
  const [, , width = 0, height = 0] = (svg?.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number);
  if (svg === null || !(width > 0) || !(height > 0)) throw new Error('Nothing to draw');
  svg.removeAttribute('style');
  svg.setAttribute('width', String(width));
  svg.setAttribute('height', String(height));
  const text = new XMLSerializer().serializeToString(svg);
  return { address: URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' })), width, height };
}

/** Our own colours, as they now are. */
function colours(): Record<string, string | boolean> {
  const style = getComputedStyle(document.documentElement);
  const of = (token: string) => style.getPropertyValue(token).trim();
  return {
    darkMode: document.documentElement.dataset['theme'] === 'dark',
    fontFamily: of('--font-ui'),
    fontSize: '13px',
    background: of('--raised'),
    mainBkg: of('--accent-soft'),
    primaryColor: of('--accent-soft'),
    primaryTextColor: of('--text'),
    primaryBorderColor: of('--accent-line'),
    secondaryColor: of('--sunken'),
    secondaryTextColor: of('--text'),
    secondaryBorderColor: of('--line-2'),
    tertiaryColor: of('--raised'),
    tertiaryTextColor: of('--text'),
    tertiaryBorderColor: of('--line-2'),
    lineColor: of('--text-3'),
    textColor: of('--text'),
    noteBkgColor: of('--warn-soft'),
    noteTextColor: of('--text'),
    noteBorderColor: of('--warn-line'),
    edgeLabelBackground: of('--raised'),
    clusterBkg: of('--surface'),
    clusterBorder: of('--line-2'),
    actorBkg: of('--accent-soft'),
    actorBorder: of('--accent-line'),
    actorTextColor: of('--text'),
    signalColor: of('--text-2'),
    signalTextColor: of('--text'),
    errorBkgColor: of('--bad-soft'),
    errorTextColor: of('--bad'),
  };
}
