/**
 * The ball, where the platform has none drawn without a web view: shows the mood, opens the panel, lets itself be
 * dragged. Plain TypeScript, because it is always in memory. Decides nothing: `ball.ts` knows the mood.
 */
import '../shared/tokens.css';
import './ball.css';
import { openDoor } from '#door';
import { apply, idleBall, moodOf, progressOf, seen, waitingCount, type BallView, type Mood } from '../ball';
import { perFrame } from '../frames';
import { initialSettings, languageOf } from '../settings';
import { say } from '../words/words';
import { draw } from './drawing';

/** Way of the pointer after which a press is a drag, in pixels. */
const DRAG_AFTER_PX = 4;

const door = openDoor();
const language = languageOf(localStorage.getItem('language')) ?? initialSettings(navigator.languages).language;

const ball = document.getElementById('ball');
if (ball !== null) live(ball);

function live(element: HTMLElement): void {
  const drawing = draw();
  element.append(drawing.svg);
  let view = idleBall();

  function show(next: BallView): void {
    view = next;
    const mood: Mood = moodOf(view);
    element.dataset['mood'] = mood;
    element.setAttribute('aria-label', `${say(language, 'ball')}: ${say(language, `mood_${mood}`)}`);
    drawing.count(waitingCount(view));
    drawing.progress(progressOf(view));
  }

  const take = perFrame<BallView>((views) => show(views.at(-1) ?? view));
  let latest = view;
  door.send({ request: 'watch' }, (reply) => {
    if (reply.reply !== 'event') return;
    latest = apply(latest, reply.event);
    take(latest);
  });
  door.onFilesOver((held) => {
    latest = { ...latest, dropping: held };
    take(latest);
  });
  listenToThePointer(element, () => {
    // The panel shows what failed: the ball need not say it any longer.
    latest = seen(latest);
    take(latest);
    door.send({ request: 'desktop', signal: 'toggle' }, () => undefined);
  });
  show(view);
}

function listenToThePointer(element: HTMLElement, open: () => void): void {
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
    door.drag();
  });
  element.addEventListener('pointerup', () => (from = null));
  element.addEventListener('click', () => {
    if (!dragged) open();
    dragged = false;
  });
  element.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    door.openMenu();
  });
}
