/**
 * The ball, where the platform has none drawn without a web view: shows the mood it is told, opens the panel, lets
 * itself be dragged. Plain TypeScript, because it is always in memory. Decides nothing.
 */
import '../shared/tokens.css';
import './ball.css';
import { openBackend } from '#backend';
import { draw } from './drawing';

/** Way of the pointer after which a press is a drag, in pixels. */
const DRAG_AFTER_PX = 4;

const backend = openBackend();
const ball = document.getElementById('ball');
if (ball !== null) live(ball);

function live(element: HTMLElement): void {
  const drawing = draw();
  element.append(drawing.svg);
  element.dataset['mood'] = 'idle';
  backend.onMood(({ mood, cards, progress, name }) => {
    element.dataset['mood'] = mood;
    element.setAttribute('aria-label', name);
    drawing.count(cards);
    drawing.progress(progress);
  });
  listenToThePointer(element);
}

function listenToThePointer(element: HTMLElement): void {
  let from: { x: number; y: number } | null = null;
  let dragged = false;
  element.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    from = { x: event.screenX, y: event.screenY };
    dragged = false;
  });
  element.addEventListener('pointermove', (event) => {
    if (from === null || Math.hypot(event.screenX - from.x, event.screenY - from.y) <= DRAG_AFTER_PX) return;
    from = null;
    dragged = true;
    backend.drag();
  });
  element.addEventListener('pointerup', () => (from = null));
  element.addEventListener('click', () => {
    if (!dragged) backend.click();
    dragged = false;
  });
  element.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    backend.openMenu();
  });
}
