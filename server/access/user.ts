import type { Context } from 'koa';
import { subjectHeader } from '#contract/constants.ts';
import { Failure } from '#server/failure.ts';
import { defaultWorkspace } from '#server/workspaces.ts';

/** Who makes a request. */
export interface User {
  workspace: string;
  /** Says who it is without telling anything; the same at every sign-in, '' where nobody has to. */
  subject: string;
  /** The session's hash; absent where nobody has to sign in. */
  session?: string;
  /** '' where nobody has to sign in. */
  name: string;
  /** Ends the session; resolves with where the browser goes next. */
  signOut(): Promise<string>;
}

/** Whoever reaches a console that asks nobody to sign in. */
export const anybody: User = {
  workspace: defaultWorkspace,
  subject: '',
  name: '',
  signOut: () => Promise.resolve('/'),
};

/**
 * Who makes this request. Throws `signed-out` if that is unknown, `another-user` if it comes from the page of somebody
 * else: a browser's tabs share one session.
 */
export function userOf(ctx: Context): User {
  const user = maybeUserOf(ctx);
  if (!user)
    throw new Failure(
      'signed-out',
      String(ctx.state['nobody'] ?? 'Your session has ended, or there was none: sign in.'),
    );
  const ofPage = ctx.get(subjectHeader);
  if (ofPage !== '' && ofPage !== user.subject)
    throw new Failure(
      'another-user',
      'This page is not that of the user who is signed in now; nothing was sent. Reload the page.',
    );
  return user;
}

export const maybeUserOf = (ctx: Context): User | undefined => ctx.state['user'] as User | undefined; // only identify writes it

/** Takes back what identify said, and says why. */
export function dismiss(ctx: Context, why?: string): void {
  ctx.state['user'] = undefined;
  ctx.state['nobody'] = why;
}

export function identify(ctx: Context, user: User): void {
  ctx.state['user'] = user;
}
