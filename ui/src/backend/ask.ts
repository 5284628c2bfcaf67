/**
 * Requests that end with one reply: the reply has the type that the request names.
 *
 * The one place that sorts replies: what is on the way, what ends the request, and what failed.
 */
import type { AnsweredRequest, ReplyTo } from '../bindings/ReplyTo';
import type { Reply } from '../bindings/Reply';
import type { UserError } from '../bindings/UserError';
import type { Backend, Stream } from './backend';

/** Asks a request; `along` hears of the work under way. */
export type Ask = <R extends AnsweredRequest>(
  request: R,
  done: (reply: ReplyTo<R>) => void,
  failed?: (error: UserError) => void,
  along?: (reply: OnTheWay) => void,
) => Stream;

/** A reply that others follow. */
export type OnTheWay = Extract<Reply, { reply: 'event' | 'progress' | 'piece' | 'workflow_step' }>;

/** The reply of that name. */
export type ReplyNamed<Name extends Reply['reply']> = Extract<Reply, { reply: Name }>;

/** Makes asking of sending. */
export function asking(send: Backend['send']): Ask {
  return (request, done, failed, along) =>
    send(request, (reply) => {
      if (reply.reply === 'failed') failed?.(reply.error);
      else if (isOnTheWay(reply)) along?.(reply);
      // The generated map says which reply ends which request; the program can't give another one.
      else done(reply as ReplyTo<typeof request>);
    });
}

/** The reply as a promise. */
export type Answer<R extends AnsweredRequest> = { reply: ReplyTo<R>; error: null } | { reply: null; error: UserError };

export function answer<R extends AnsweredRequest>(backend: Backend, request: R): Promise<Answer<R>> {
  return new Promise((resolve) => {
    backend.ask(
      request,
      (reply) => resolve({ reply, error: null }),
      (error) => resolve({ reply: null, error }),
    );
  });
}

function isOnTheWay(reply: Reply): reply is OnTheWay {
  const { reply: name } = reply;
  return name === 'event' || name === 'progress' || name === 'piece' || name === 'workflow_step';
}
