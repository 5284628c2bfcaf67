/** What cards that ask say in English. */
import type { zhAsking } from './zh-asking';

export const enAsking: Record<keyof typeof zhAsking, string> = {
  ask_hand_over: 'Handed to you',
  ask_hand_over_to: 'For {to}',
  ask_operations: 'Your decision',
  ask_diff: 'Changes for you to accept',
  your_note: 'What was done, and what is left',
  give_back: 'Give back',
  apply_choice: 'Send decisions',
  optional: 'optional',
  choose_one: 'Choose one',
  choose_some: 'Choose any',
  field_missing: 'This is needed',
  field_no_number: 'Write a number',
  field_no_date: 'Write a day such as {form}',
  yes: 'Yes',
  no: 'No',
  hunk_of: 'Change {n} of {of}',
  hunk_accept: 'Accept',
  hunk_reject: 'Reject',
  hunk_accepted: 'Accepted',
  hunk_rejected: 'Rejected',
  hunks_accept: 'Accept the rest',
  hunks_reject: 'Reject the rest',
  progress_of: '{n} of {of}',
  card_progress: 'Progress',
};
