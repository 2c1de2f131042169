import type { Context } from 'koa';
import { subjectHeader } from '#contract/constants.ts';
import { Failure } from '#server/failure.ts';
import { defaultWorkspace } from '#server/workspaces.ts';

/** The user of a request. */
export interface User {
  workspace: string;
  /** An opaque id, the same at every sign-in; '' if nobody signs in. */
  subject: string;
  /** The session's hash; absent if nobody signs in. */
  session?: string;
  /** '' if nobody signs in. */
  name: string;
  /** Ends the session; resolves with the address to go to. */
  signOut(): Promise<string>;
}

/** The user of a console where nobody signs in. */
export const anybody: User = {
  workspace: defaultWorkspace,
  subject: '',
  name: '',
  signOut: () => Promise.resolve('/'),
};

/**
 * The user of this request. Throws `signed-out` if there is none, `another-user` if the request comes from the page of
 * another user: a browser's tabs share one session.
 */
export function userOf(ctx: Context): User {
  const user = maybeUserOf(ctx);
  if (!user)
    throw new Failure(
      'signed-out',
      String(ctx.state['nobody'] ?? 'Your session has ended, or there was none: sign in.'),
    );
  // An EventSource and a download cannot send headers.
  const ofPage = ctx.get(subjectHeader) || String(ctx.query[subjectHeader] ?? '');
  if (ofPage !== '' && ofPage !== user.subject)
    throw new Failure(
      'another-user',
      'This page is not that of the user who is signed in now; nothing was sent. Reload the page.',
    );
  return user;
}

export const maybeUserOf = (ctx: Context): User | undefined => ctx.state['user'] as User | undefined; // only identify writes it

/** Undoes `identify`, and says why. */
export function dismiss(ctx: Context, why?: string): void {
  ctx.state['user'] = undefined;
  ctx.state['nobody'] = why;
}

export function identify(ctx: Context, user: User): void {
  ctx.state['user'] = user;
}
