import type { Context } from 'koa';
import { subjectHeader } from '#contract/constants.ts';
import { Failure } from '#server/failure.ts';

/** The workspace of a console without sign-in, and of records that belong to no user. */
export const defaultWorkspace = 'default';

/** The user of a request. */
export interface User {
  workspace: string;
  /** An opaque id, the same at every sign-in; '' if the console has no sign-in. */
  subject: string;
  /** The hash of the session's id; absent if the console has no sign-in. */
  session?: string;
  /** The user's name; '' if the console has no sign-in. */
  name: string;
  /** Ends the session; resolves with the URL to go to. */
  signOut(): Promise<string>;
}

/** The user of a console without sign-in. */
export const anybody: User = {
  workspace: defaultWorkspace,
  subject: '',
  name: '',
  signOut: () => Promise.resolve('/'),
};

/**
 * Returns the user of this request. Throws `signed-out` if there is none, and `another-user` if the page that sent the
 * request belongs to another user, because all tabs of a browser share one session.
 */
export function userOf(ctx: Context): User {
  const user = maybeUserOf(ctx);
  if (!user)
    throw new Failure('signed-out', String(ctx.state['nobody'] ?? 'Your session has ended, or there was none.'));
  // An EventSource and a download cannot send headers, so they send the user in the query.
  const ofPage = ctx.get(subjectHeader) || String(ctx.query[subjectHeader] ?? '');
  if (ofPage !== '' && ofPage !== user.subject)
    throw new Failure(
      'another-user',
      'The page that sent this request belongs to another user than the one who is signed in.',
    );
  return user;
}

export const maybeUserOf = (ctx: Context): User | undefined => ctx.state['user'] as User | undefined; // set by identify

/** Removes the user set by `identify`. `why` becomes the message of `signed-out`. */
export function requireSignOut(ctx: Context, why?: string): void {
  ctx.state['user'] = undefined;
  ctx.state['nobody'] = why;
}

export function identify(ctx: Context, user: User): void {
  ctx.state['user'] = user;
}
