/** The prompts, skills and workflows that a `/` at the beginning of a question may mean. */
import { createContext } from 'svelte';
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { ListedSkill } from '../bindings/ListedSkill';
import type { ListedWorkflow } from '../bindings/ListedWorkflow';
import { NameCall } from './name-call.svelte';
import type { CalledPrompt } from '../prompts/filling.svelte';
import { offeredFor } from '../skills/skills';

/** A prompt is always on; a server's has no problem of its own. */
export type OfferedPrompt = CalledPrompt & { on: true; problem: string | null };
export type CalledOne = OfferedPrompt | ListedSkill | ListedWorkflow;

export function isPrompt(one: CalledOne): one is OfferedPrompt {
  return 'fields' in one;
}

export class SlashCall extends NameCall<CalledOne> {
  constructor(backend: Backend, folders: () => readonly string[], fill: (prompt: CalledPrompt) => void) {
    super({
      sign: '/',
      offeredFor,
      isSentWhole: (one) => !isPrompt(one),
      call: (one) => {
        if (!isPrompt(one)) return `/${one.name} `;
        // Its text takes the place of the name.
        fill(one);
        return '';
      },
      read: (take) => {
        let own: readonly OfferedPrompt[] = [];
        let skills: readonly ListedSkill[] = [];
        let workflows: readonly ListedWorkflow[] = [];
        let servers: readonly OfferedPrompt[] = [];
        const tell = () => take([...own, ...skills, ...workflows, ...servers]);
        // Without them a question is only typed out.
        backend.ask(
          { request: 'saved_prompts', action: { action: 'list' } },
          ({ prompts }: ReplyNamed<'saved_prompts'>) => {
            own = prompts.map((prompt) => ({ ...prompt, on: true }));
            tell();
          },
          tell,
        );
        backend.ask(
          { request: 'skills', action: { action: 'list', folders: [...folders()] } },
          (reply: ReplyNamed<'skills'>) => {
            ({ skills } = reply);
            tell();
          },
          tell,
        );
        backend.ask(
          { request: 'workflows', action: { action: 'list' } },
          (reply: ReplyNamed<'workflows'>) => {
            ({ workflows } = reply);
            tell();
          },
          tell,
        );
        backend.ask(
          { request: 'mcp', action: { action: 'prompts' } },
          ({ prompts }: ReplyNamed<'mcp_prompts'>) => {
            servers = prompts.map((prompt) => ({ ...prompt, on: true, problem: null }));
            tell();
          },
          tell,
        );
      },
    });
  }
}

export const [useSlashCall, provideSlashCall] = createContext<SlashCall>();
