import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { AccessConfig } from '#server/auth/config.ts';
import { systemClock } from '#server/clock.ts';
import type { Rate } from '#server/http/tokenBucket.ts';
import { silent, testConsole, testSandbox } from './console.ts';
import { notificationsPath } from '#server/http/paths.ts';
import { fakeUpstream } from './fakeUpstream.ts';
import { identityProvider } from './identityProvider.ts';
import { temporaryFolder } from './store.ts';
import { logInAt, userAgent } from './userAgent.ts';
import { apiAt } from './api.ts';

/** A console that requires sign-in, with a sandbox at which each user has an application. */
export const sharedSandbox = () =>
  sharedUse({
    upstreamUrl: async (url) => (await testSandbox({ webhookUrl: url + notificationsPath })).url,
    applications: true,
  });

/** A console that requires sign-in, at `publicUrl` or at its own URL; `wait` advances its clock by a time in ms. */
export async function sharedUse({
  publicUrl,
  provider = (url) => identityProvider(url),
  upstreamUrl = async () => (await fakeUpstream({})).url,
  rate,
  trustedProxies,
  steady = () => systemClock.steady(),
  applications = false,
  log = silent,
  folder = temporaryFolder(),
}: {
  applications?: boolean;
  log?: Logger;
  /** Holds the console's records. */
  folder?: string;
  publicUrl?: string;
  provider?: (publicUrl: string) => Promise<AccessConfig>;
  upstreamUrl?: (consoleUrl: string) => Promise<string>;
  rate?: Rate;
  trustedProxies?: readonly string[];
  /** The clock's monotonic time (ms), before `wait` advances it. */
  steady?: () => number;
} = {}) {
  const pageFolder = join(folder, 'page');
  mkdirSync(pageFolder, { recursive: true });
  writeFileSync(join(pageFolder, 'index.html'), '<head></head><div id="root">');
  writeFileSync(join(pageFolder, 'main.js'), 'export {}');
  let passed = 0;
  const server = await testConsole({
    upstreamUrl,
    applications,
    log,
    folder,
    pageFolder,
    ...(rate && { rate }),
    ...(trustedProxies && { trustedProxies }),
    clock: { ...systemClock, now: () => Date.now() + passed, steady: () => steady() + passed },
    access: (url) => provider(publicUrl ?? url),
  });
  const { url } = server;

  /** Translates a public URL to the address where the console listens, as a TLS-terminating proxy does. */
  const here = (address: string) => (publicUrl ? address.replace(publicUrl, url) : address);

  /** A user's browser after signing in from `from`. */
  async function signedIn(login: string, from = '/') {
    const agent = userAgent();
    const callback = here(await logInAt(agent, url + from, login));
    const answer = await agent.visit(callback);
    return { ...agent, callback, answer, ...apiOf(agent) };
  }

  /** A client of the console's API with a browser's cookies. */
  const apiOf = (agent: ReturnType<typeof userAgent>) =>
    apiAt(url, () => ({ cookie: [...agent.cookiesFor(url)].map(([name, value]) => `${name}=${value}`).join('; ') }));

  return { ...server, folder, here, signedIn, apiOf, wait: (ms: number) => (passed += ms) };
}
