/**
 * Draws the ball: one drawing whose parts the style sheet shows by mood.
 *
 * Sizes are those of the design sheet: disc 50, rim 2, progress 3, eyes 4.6 × 10.4 and 12.2 apart, badge 16.
 */
const SVG = 'http://www.w3.org/2000/svg';

/** Length of the arc that turns when nobody knows how much work there is, in percent. */
const UNKNOWN_ARC = 25;

export interface Drawing {
  svg: SVGSVGElement;
  /** Shows how many cards wait. */
  count(cards: number): void;
  /** Fills the ring to a part from 0 to 1; `null` lets a quarter of it turn. */
  progress(part: number | null): void;
}

/** Cards counted on the badge; more do not fit it. */
const COUNTED_MAX = 9;

export function draw(): Drawing {
  const svg = part('svg', { viewBox: '0 0 56 56', 'aria-hidden': 'true' });
  const face = part('g', { class: 'face' });
  const badge = part('g', { class: 'badge' });
  const number = part('text', { class: 'number', x: '46', y: '13.6' });
  const arc = part('circle', { class: 'arc', cx: '28', cy: '28', r: '24', pathLength: '100' });
  face.append(
    eye('19.6'),
    eye('31.8'),
    part('path', {
      class: 'line happy',
      d: 'M18.2 30.1c.6-2.5 2-3.8 3.8-3.8s3.2 1.3 3.8 3.8M30.2 30.1c.6-2.5 2-3.8 3.8-3.8s3.2 1.3 3.8 3.8',
    }),
    part('path', { class: 'line shut', d: 'M18.5 28.7h6.9M30.6 28.7h6.9' }),
    part('path', { class: 'line cross', d: 'm19.5 31 4.8-4.6M36.5 31l-4.8-4.6' }),
    part('path', {
      class: 'line tray',
      d: 'M28 17.6v12.9M22.9 25.5 28 30.6l5.1-5.1M18.6 33v2.3a2.7 2.7 0 0 0 2.7 2.7h13.4a2.7 2.7 0 0 0 2.7-2.7V33',
    }),
  );
  badge.append(
    part('circle', { cx: '46', cy: '10', r: '8' }),
    number,
    part('path', { class: 'bang', d: 'M46 6.4v4.1M46 13.5v.01' }),
    part('path', { class: 'bars', d: 'M44.2 7.6v4.8M47.8 7.6v4.8' }),
    part('path', { class: 'arrow', d: 'M43.3 10h5.4M46.5 7.8l2.2 2.2-2.2 2.2' }),
  );
  const sheen = part('radialGradient', { id: 'sheen', cx: '.35', cy: '.26', r: '.8' });
  sheen.append(part('stop', { class: 'light', offset: '0' }), part('stop', { class: 'dark', offset: '.9' }));
  svg.append(
    sheen,
    part('circle', { class: 'disc', cx: '28', cy: '28', r: '24.2' }),
    part('circle', { cx: '28', cy: '28', r: '23.2', fill: 'url(#sheen)' }),
    part('circle', { class: 'rim', cx: '28', cy: '28', r: '24' }),
    arc,
    face,
    badge,
  );
  return {
    svg,
    count: (cards) => (number.textContent = cards > COUNTED_MAX ? `${COUNTED_MAX}+` : String(cards)),
    progress(known) {
      svg.classList.toggle('unknown', known === null);
      arc.style.setProperty('stroke-dasharray', `${known === null ? UNKNOWN_ARC : known * 100} 100`);
    },
  };
}

function eye(x: string): SVGElement {
  return part('rect', { class: 'eye', x, y: '22.8', width: '4.6', height: '10.4', rx: '2.3' });
}

function part<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Record<string, string>,
): SVGElementTagNameMap[Name] {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}
