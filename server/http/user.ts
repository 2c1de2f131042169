import type { Context } from 'koa';
import { subjectHeader } from '#contract/constants.ts';
import { callContext, noteCall, type User } from '#server/calls/callContext.ts';
import { Failure } from '#server/failure.ts';

/** The workspace of a console without sign-in, and of records that belong to no user. */
export const defaultWorkspace = 'default';

/** The user of a console without sign-in. */
const anybody: User = {
  workspace: defaultWorkspace,
  subject: '',
  name: '',
  signOut: () => Promise.resolve('/'),
};

/** The user of the current request; undefined if there is none, or not yet. */
export const currentUser = (): User | undefined => callContext()?.user;

/**
 * Returns the user of this request. Throws `signed-out` if there is none, and `another-user` if the page that sent the
 * request belongs to another user, because all tabs of a browser share one session.
 */
export function userOf(ctx: Context): User {
  const user = currentUser();
  if (!user) throw new Failure('signed-out', callContext()?.signedOut ?? 'Your session has ended, or there was none.');
  // An EventSource and a download cannot send headers, so they send the user in the query.
  const ofPage = ctx.get(subjectHeader) || String(ctx.query[subjectHeader] ?? '');
  if (ofPage !== '' && ofPage !== user.subject)
    throw new Failure(
      'another-user',
      'The page that sent this request belongs to another user than the one who is signed in.',
    );
  return user;
}

/** Notes whose request the current one is. */
export const identify = (user: User): void => void noteCall({ user, workspace: user.workspace });

/** Takes everybody for the one user of a console without sign-in. */
export const identifyAnybody = (): void => identify(anybody);

/** Asks whether the user may continue. One who may not is none; whether that refuses a request, its route decides. */
export async function confirmUser(): Promise<void> {
  const state = await currentUser()?.confirm?.();
  if (state === undefined || state === 'confirmed') return;
  const unknown = 'The sign-in service cannot be asked whether you may continue: try again later.';
  noteCall({ user: undefined, workspace: '', signedOut: state === 'unknown' ? unknown : undefined });
}
