/** Making an experience of a run at the user's wish: a candidate, which is reviewed in the workbench. */
import type { RunId } from '../bindings/RunId';
import type { Desk } from './desk.svelte';

export function learnFrom(desk: Desk, run: RunId): void {
  desk.trouble = null;
  desk.backend.send({ request: 'experience', action: { action: 'take', run } }, (reply) => {
    if (reply.reply === 'failed') desk.trouble = reply.error;
    const [made] = reply.reply === 'experiences' ? reply.experiences : [];
    if (made === undefined) return;
    const place = { at: 'experience', experience: made.id } as const;
    desk.toasts.offer(desk.say(made.state === 'candidate' ? 'experience_made' : 'experience_known'), 'review', () => desk.backend.openWorkbench(place));
  });
}
