/** The naive way to stream, for comparison: with every frame the whole answer is read, drawn and replaced. */
import '../../src/shared/tokens.css';
import '../../src/shared/base.css';
import { streamedDocument } from '../../src/backend/scenes/rich';
import { perFrame } from '../../src/conversation/frames';
import { grown, noBlocks } from '../../src/markdown/blocks';
import { htmlOf } from '../../src/markdown/html';
import { maths } from '../../src/markdown/maths.svelte';

const answer = document.getElementById('answer');
let text = '';

const show = perFrame<string>((pieces) => {
  text += pieces.join('');
  if (answer !== null)
    answer.innerHTML = grown(noBlocks, text)
      .blocks.map((block) => htmlOf(block.token, maths.draw))
      .join('');
});

/** Plays the long answer as the panel gets it; the benchmark calls this. */
async function play(): Promise<void> {
  const began = performance.now();
  let due = 0;
  const scene = new URLSearchParams(location.search).get('scene') ?? '';
  for (const { after_ms, reply } of streamedDocument(scene, 'en', 'peer')) {
    due += after_ms;
    const wait = due - (performance.now() - began);
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    if (reply.reply === 'event' && reply.event.type === 'delta') show(reply.event.text);
  }
}

Object.assign(window, { play });
