/**
 * Skills: guides for tasks that a model loads, which of them are listed, and which wait for a person's look. Pure.
 */
import type { ListedSkill } from '../bindings/ListedSkill';
import type { SkillDetail } from '../bindings/SkillDetail';
import { namedLike } from '../composer/called';

export interface Skills {
  all: readonly ListedSkill[];
  /** Whether an answer has come yet. */
  known: boolean;
  /** The key of the one that is looked at. */
  chosen: string | null;
  text: string;
  /** Only those that wait for a look. */
  waiting: boolean;
}

export const noSkills: Skills = { all: [], known: false, chosen: null, text: '', waiting: false };

/** Tells skills of one name apart: the same may ship and lie in a folder. */
export function keyOf({ name, source, path }: ListedSkill): string {
  return `${source}:${path ?? name}`;
}

/** Whether nobody has decided on it as it is now. A project's are decided on by whoever keeps them. */
export function isWaiting({ source, trust, problem }: ListedSkill): boolean {
  return source === 'user' && trust !== 'reviewed' && problem === null;
}

/** The skills that fit what was typed. */
export function listed(view: Skills): readonly ListedSkill[] {
  const words = view.text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const fits = ({ name, description }: ListedSkill) => {
    const text = `${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return view.all.filter((skill) => (!view.waiting || isWaiting(skill)) && fits(skill));
}

/** The one that is looked at: of what is listed, else the first of that. */
export function chosenOf(view: Skills): ListedSkill | null {
  const rows = listed(view);
  return rows.find((skill) => keyOf(skill) === view.chosen) ?? rows[0] ?? null;
}

/** Takes an answer. What is looked at stays as long as it is listed. */
export function taken(view: Skills, all: readonly ListedSkill[]): Skills {
  const before = chosenOf(view);
  return { ...view, all, known: true, chosen: before === null ? view.chosen : keyOf(before) };
}

/** Moves the choice by `steps`, stopping at the ends. */
export function moved(view: Skills, steps: number): Skills {
  const rows = listed(view);
  const now = chosenOf(view);
  const at = rows.findIndex((skill) => now !== null && keyOf(skill) === keyOf(now));
  const next = rows[Math.min(rows.length - 1, Math.max(0, at + steps))];
  return next === undefined ? view : { ...view, chosen: keyOf(next) };
}

/** The skills of a review that can be kept. */
export function keepable(skills: readonly SkillDetail[]): readonly SkillDetail[] {
  return skills.filter(({ skill }) => skill.problem === null);
}

/** Whether a skill that is made of a run is to have another name than it was shown with. */
export function isRenamed(skills: readonly SkillDetail[], name: string): boolean {
  const [made] = skills;
  return made !== undefined && made.skill.name !== name.trim();
}

/** What a `/name` calls: a skill, or a workflow of the user's. */
export interface Called {
  name: string;
  description: string;
  on: boolean;
  problem: string | null;
}

/** What a typed `/name` may mean, those that begin with it first. Of one name the first counts. */
export function offeredFor<One extends Called>(all: readonly One[], typed: string, most: number): readonly One[] {
  const usable = all.filter(({ on, problem }) => on && problem === null);
  return namedLike(usable, typed, most);
}
