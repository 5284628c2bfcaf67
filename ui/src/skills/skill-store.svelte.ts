/**
 * The section of skills: which there are, the one that is looked at, and what comes in: shown first, kept when the user says so.
 * Draws nothing.
 */
import { createContext } from 'svelte';
import type { ReplyNamed } from '../backend/ask';
import type { Backend } from '../backend/backend';
import type { ListedSkill } from '../bindings/ListedSkill';
import type { RunId } from '../bindings/RunId';
import type { SkillDetail } from '../bindings/SkillDetail';
import type { SkillRequest } from '../bindings/SkillRequest';
import type { UserError } from '../bindings/UserError';
import * as listing from './skills';

/** What was fetched and waits for a decision. */
export interface Review {
  id: string;
  skills: readonly SkillDetail[];
}

/** How something comes in to be looked at. */
type Bringing = Extract<SkillRequest, { action: 'review' | 'from_run' }>;

export class SkillStore {
  view = $state.raw(listing.noSkills);
  detail = $state.raw<SkillDetail | null>(null);
  trouble = $state.raw<UserError | null>(null);
  /** Whether something new is being looked for, in place of the one that is looked at. */
  adding = $state(false);
  /** Whether a source is being fetched. */
  fetching = $state(false);
  review = $state.raw<Review | null>(null);
  /** The run that what is reviewed was made of. */
  origin = $state.raw<RunId | null>(null);
  /** The name under which that is to be kept. */
  newName = $state('');
  /** Whether the removal of the one that is looked at was asked for once. */
  removing = $state(false);
  /** Whether the list covers the detail, where there is no room for both. */
  listShown = $state(true);

  readonly rows = $derived(listing.listed(this.view));
  readonly skill = $derived(listing.chosenOf(this.view));
  readonly waiting = $derived(this.view.all.filter(listing.isWaiting).length);

  constructor(private readonly backend: Backend) {}

  read(): void {
    this.backend.ask(
      { request: 'skills', action: { action: 'list', folders: [] } },
      ({ skills }: ReplyNamed<'skills'>) => this.take(skills),
      (error) => (this.trouble = error),
    );
  }

  search(text: string): void {
    this.view = { ...this.view, text };
    this.look();
  }

  only(waiting: boolean): void {
    this.view = { ...this.view, waiting };
    this.look();
  }

  choose(skill: ListedSkill): void {
    this.listShown = false;
    this.adding = false;
    this.view = { ...this.view, chosen: listing.keyOf(skill) };
    this.look();
  }

  move(steps: number): void {
    this.view = listing.moved(this.view, steps);
    this.adding = false;
    this.look();
  }

  switch({ name }: ListedSkill, on: boolean): void {
    this.backend.ask(
      { request: 'skills', action: { action: 'switch', name, on } },
      ({ skills }: ReplyNamed<'skills'>) => this.take(skills),
      (error) => (this.trouble = error),
    );
  }

  /** Trusts the one that is shown, as it was shown. */
  approve({ skill: { name }, digest }: SkillDetail): void {
    this.backend.ask(
      { request: 'skills', action: { action: 'approve', name, digest } },
      ({ skills }: ReplyNamed<'skills'>) => this.take(skills),
      (error) => (this.trouble = error),
    );
  }

  /** Removes a skill; the first call only asks. */
  remove({ name }: ListedSkill): void {
    if (!this.removing) {
      this.removing = true;
      return;
    }
    this.backend.ask(
      { request: 'skills', action: { action: 'remove', name } },
      ({ skills }: ReplyNamed<'skills'>) => this.take(skills),
      (error) => (this.trouble = error),
    );
  }

  add(): void {
    this.adding = true;
    this.listShown = false;
    this.trouble = null;
  }

  /** Leaves what was fetched where it is: it goes with the next ones. */
  leave(): void {
    this.adding = false;
    this.review = null;
    this.origin = null;
    this.look();
  }

  async pickFolder(): Promise<void> {
    const [path] = await this.backend.pickFolder();
    if (path !== undefined) this.fetch(path);
  }

  async pickArchive(): Promise<void> {
    const [path] = await this.backend.pickFiles();
    if (path !== undefined) this.fetch(path);
  }

  /** Fetches a source, for a look. */
  fetch(source: string): void {
    if (source.trim() !== '') this.begin({ action: 'review', source });
  }

  /** Has a run that is over written as a skill, for a look. */
  beginFrom(run: RunId): void {
    this.add();
    this.begin({ action: 'from_run', run });
  }

  private begin(action: Bringing): void {
    if (this.fetching) return;
    this.review = null;
    this.origin = null;
    this.bring(action);
  }

  private bring(action: Bringing, then?: (review: Review) => void): void {
    if (this.fetching) return;
    this.fetching = true;
    this.trouble = null;
    const over = (error: UserError | null) => {
      this.fetching = false;
      this.trouble = error;
    };
    this.backend.ask(
      { request: 'skills', action },
      ({ review, skills }: ReplyNamed<'skill_review'>) => {
        over(null);
        this.review = { id: review, skills };
        this.origin = action.action === 'from_run' ? action.run : null;
        this.newName = skills[0]?.skill.name ?? '';
        then?.(this.review);
      },
      over,
    );
  }

  /** Keeps what was shown. Under another name it is written anew; one that takes the place of another is shown first. */
  keep(): void {
    const { review, origin } = this;
    if (review === null) return;
    if (origin === null || !listing.isRenamed(review.skills, this.newName)) return this.install(review);
    this.bring({ action: 'from_run', run: origin, name: this.newName.trim() }, (renamed) => {
      if (!renamed.skills.some(({ replaces }) => replaces)) this.install(renamed);
    });
  }

  private install(review: Review): void {
    const kept = listing.keepable(review.skills);
    const names = kept.map(({ skill }) => skill.name);
    this.backend.ask(
      { request: 'skills', action: { action: 'install', review: review.id, names } },
      ({ skills }: ReplyNamed<'skills'>) => {
        this.adding = false;
        this.review = null;
        this.origin = null;
        const first = skills.find(({ name, source }) => source === 'user' && name === names[0]);
        this.take(skills);
        if (first === undefined) return;
        this.view = { ...this.view, waiting: false, text: '' };
        this.choose(first);
      },
      (error) => (this.trouble = error),
    );
  }

  private take(skills: readonly ListedSkill[]): void {
    this.trouble = null;
    this.view = listing.taken(this.view, skills);
    this.look();
  }

  /** Reads the one that is chosen in full. */
  private look(): void {
    this.removing = false;
    const { skill } = this;
    if (skill === null) {
      this.detail = null;
      return;
    }
    const key = listing.keyOf(skill);
    this.backend.ask(
      { request: 'skills', action: { action: 'show', name: skill.name, folders: [] } },
      ({ skill: detail }: ReplyNamed<'skill'>) => {
        const now = this.skill;
        if (now !== null && listing.keyOf(now) === key) this.detail = detail;
      },
      (error) => (this.trouble = error),
    );
  }
}

export const [useSkills, provideSkills] = createContext<SkillStore>();
