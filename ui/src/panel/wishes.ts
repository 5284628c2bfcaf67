/** Does what the panel is asked for from outside: by the ball, the tray, a notification, or a link. */
import type { Wish } from '../backend/backend';
import type { Desk } from './desk.svelte';

export function obey(desk: Desk, wish: Wish): void {
  switch (wish.wish) {
    case 'card':
      if (desk.conversation.session !== wish.session) desk.openSession(wish.session);
      else desk.show('conversation');
      desk.cardCalls += 1;
      return;
    case 'run':
      if (desk.conversation.session !== wish.session) desk.openSession(wish.session);
      else desk.show('conversation');
      return;
    case 'new_session':
      desk.newSession();
      return;
    case 'settings':
      desk.show('settings');
      desk.configuring.query = wish.find;
      return;
    case 'text':
      // Another program may have written it: it waits for the user's own Enter.
      desk.drafting.type(wish.text);
      desk.toInput();
      return;
  }
}
