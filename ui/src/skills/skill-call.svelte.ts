/** The skills and workflows that a `/` at the beginning of a question may mean. */
import { createContext } from 'svelte';
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { ListedSkill } from '../bindings/ListedSkill';
import type { ListedWorkflow } from '../bindings/ListedWorkflow';
import { NameCall } from '../composer/name-call.svelte';
import { offeredFor } from './skills';

export class SkillCall extends NameCall<ListedSkill | ListedWorkflow> {
  constructor(backend: Backend, folders: () => readonly string[]) {
    super({
      sign: '/',
      offeredFor,
      call: ({ name }) => `/${name} `,
      read: (take) => {
        let skills: readonly ListedSkill[] = [];
        let workflows: readonly ListedWorkflow[] = [];
        const tell = () => take([...skills, ...workflows]);
        // Without them a question is only typed out.
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
      },
    });
  }
}

export const [useSkillCall, provideSkillCall] = createContext<SkillCall>();
