import { createHash } from 'node:crypto';
import type { Context } from 'koa';
import type { Logger } from 'pino';
import { iso } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import { programTokens } from '#server/programs/tokens.ts';
import type { Storage } from '#server/storage/open.ts';
import { html } from '#server/http/html.ts';
import { sendNotice } from '#server/http/noticePage.ts';
import { createAttempts, returnPath } from './signInAttempts.ts';
import { callbackPath, healthPaths, signedOutPath, signInPath } from '#server/http/paths.ts';
import type { AccessConfig } from './config.ts';
import { createProvider } from './identityProvider.ts';
import type { Fetch } from '#server/http/outgoingProxy.ts';
import { lacksOf, sourcesOf } from './allowed.ts';
import { causeOf, NotAdmittedError, noticeOf } from './signInFailure.ts';
import { createOwners } from './owners.ts';
import { createRecheck } from './sessionRecheck.ts';
import { createSessions } from './sessions.ts';
import { userRecordId, userRecords, workspaceOf } from './users.ts';
import type { Guard } from '#server/http/guards.ts';
import type { Route } from '#server/http/routes.ts';
import { identify } from '#server/http/user.ts';
import { ofWorkspace } from '#server/storage/schema.ts';

/** Shown below the reason why no user is signed in. */
const offer = { more: html`<p><a href="${signInPath}">Sign in</a></p>` };

/** The user's id as sent to the page; it does not reveal the workspace's name. */
const shownSubject = (workspace: string): string =>
  createHash('sha256').update(`subject ${workspace}`).digest('hex').slice(0, 32);

/** Paths that are answered without a user, even if sessions cannot be read. */
const withoutUser: readonly string[] = [...healthPaths, signInPath, callbackPath, signedOutPath];

/**
 * Signs users in and out with the OpenID Connect provider. `recognise` finds the user of a request, and refuses none (see
 * user.ts). `routes` are the routes for signing in and out. `ownerStateOf` tells whether the owner of a program's token may continue;
 * `subjectOf` returns the provider's id of a workspace's user, `countSessions` how many there are, and `askProvider` rejects if the provider does not answer.
 */
export function createAccess(
  config: AccessConfig,
  { storage, clock, log, fetch }: { storage: Storage; clock: Clock; log: Logger; fetch?: Fetch },
) {
  const hasPrograms = async (workspace: string) =>
    (await storage.records(programTokens, { workspace, companyKey: ofWorkspace }).count()) > 0;
  const sessions = createSessions(storage, clock, hasPrograms);
  const provider = createProvider(config, fetch, clock);
  const { allowed = 'all', clientSecret } = config;
  const cause = (error: unknown, secrets: readonly string[] = []) =>
    causeOf(error, [...secrets, ...(clientSecret === undefined ? [] : [clientSecret])]);
  // A wrong address is noticed at the start, and the first user does not wait.
  provider.discover().catch(async (error: unknown) => {
    log.warn({ reason: await cause(error) }, 'the sign-in service cannot be asked: nobody can sign in until it can');
  });
  const secure = config.publicUrl.startsWith('https:');
  // Browsers accept a cookie with this prefix only over TLS, for this host and for all paths, so that no other host of
  // the domain can set it.
  const nameOf = (cookie: string): string => (secure ? `__Host-${cookie}` : cookie);
  const sessionCookie = nameOf('session');

  function setCookie(ctx: Context, name: string, value: string | null): void {
    ctx.cookies.secure = secure; // TLS may end before it reaches this process
    ctx.cookies.set(name, value, { httpOnly: true, secure, sameSite: 'lax', path: '/', overwrite: true });
  }

  async function endSession(ctx: Context): Promise<void> {
    const id = ctx.cookies.get(sessionCookie);
    if (id !== undefined) await sessions.leave(sessions.keyOf(id));
    setCookie(ctx, sessionCookie, null);
  }

  const rechecks = { provider, allowed, clock, log };
  const recheck = createRecheck({ ...rechecks, sessions });
  const ofOwners = createRecheck({ ...rechecks, sessions: sessions.kept });
  const ownerStateOf = createOwners(sessions.kept, ofOwners, clock);

  const recognise: Guard = async (ctx) => {
    const id = withoutUser.includes(ctx.path) ? undefined : ctx.cookies.get(sessionCookie);
    if (id === undefined) return;
    const key = sessions.keyOf(id);
    const session = await sessions.use(key);
    if (!session) return;
    const { workspace, name, idToken } = session;
    const confirm = async () => (await recheck(key, session)).state;
    const signOut = async () => {
      await endSession(ctx);
      return provider.endUrl(idToken).catch(() => signedOutPath);
    };
    identify({ workspace, subject: shownSubject(workspace), name, session: key, confirm, signOut });
  };

  const subjectOf = async (workspace: string) =>
    (await storage.records(userRecords, { workspace, companyKey: ofWorkspace }).get(userRecordId))?.subject ?? '';

  const attempts = createAttempts(storage.encryption, clock, nameOf('signin'), setCookie);

  async function begin(ctx: Context): Promise<void> {
    const started = await provider.start().catch(async (error: unknown) => {
      log.warn({ reason: await cause(error) }, 'the sign-in service cannot be asked');
      const { status, sentence } = noticeOf(error);
      sendNotice(ctx, status, sentence, offer);
    });
    if (!started) return;
    attempts.begin(ctx, { secret: started.secret, then: returnPath(ctx.query['then'], config.publicUrl) });
    ctx.set('Cache-Control', 'no-store');
    ctx.redirect(started.url);
  }

  async function finish(ctx: Context): Promise<void> {
    try {
      const attempt = attempts.take(ctx);
      const identity = await provider.finish(ctx.search, attempt);
      const lacks = lacksOf(allowed, sourcesOf(identity));
      if (lacks) {
        log.warn({ subject: identity.subject, lacks }, 'a user is not admitted by OIDC_ALLOWED');
        throw new NotAdmittedError(lacks);
      }
      await endSession(ctx); // an attacker may know an id from before the sign-in
      const { issuer, ...known } = identity;
      const workspace = workspaceOf(identity.issuer, identity.subject);
      const { name, subject } = identity;
      const user = { name, issuer, subject, signedInAt: iso(clock.now()) };
      await storage.records(userRecords, { workspace, companyKey: ofWorkspace }).put(userRecordId, user);
      const now = clock.steady();
      const session = { ...known, workspace, askedAt: now, confirmedAt: now };
      setCookie(ctx, sessionCookie, await sessions.begin(session));
      ctx.redirect(attempt.then);
    } catch (error) {
      if (!(error instanceof NotAdmittedError))
        log.warn({ reason: await cause(error, [String(ctx.query['code'] ?? '')]) }, 'a sign-in failed');
      const { status, sentence } = noticeOf(error);
      sendNotice(ctx, status, sentence, offer);
    }
  }

  const routes: Route[] = [
    { method: 'GET', path: signInPath, answer: begin },
    { method: 'GET', path: callbackPath, answer: finish },
    { method: 'GET', path: signedOutPath, answer: (ctx) => sendNotice(ctx, 200, 'You are signed out.', offer) },
  ];

  return {
    recognise,
    routes,
    ownerStateOf,
    subjectOf,
    askProvider: () => provider.discover(),
    countSessions: () => sessions.count(),
  };
}
