import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccessConfig } from '#server/access/config.ts';
import { systemClock } from '#server/clock.ts';
import type { Rate } from '#server/rate.ts';
import { testConsole } from './console.ts';
import { fakeUpstream } from './fakeUpstream.ts';
import { identityProvider } from './identity.ts';
import { temporaryFolder } from './store.ts';
import { logInAt, userAgent } from './userAgent.ts';
import { apiAt } from './api.ts';

/** A console whose users sign in, visited at `publicUrl` or where it listens; `wait` lets time (ms) pass there. */
export async function sharedUse({
  publicUrl,
  provider = (url) => identityProvider(url),
  upstreamUrl = async () => (await fakeUpstream({})).url,
  rate,
}: {
  publicUrl?: string;
  provider?: (publicUrl: string) => Promise<AccessConfig>;
  upstreamUrl?: (consoleUrl: string) => Promise<string>;
  rate?: Rate;
} = {}) {
  const folder = temporaryFolder();
  const pageFolder = join(folder, 'page');
  mkdirSync(pageFolder);
  writeFileSync(join(pageFolder, 'index.html'), '<head></head><div id="root">');
  writeFileSync(join(pageFolder, 'main.js'), 'export {}');
  let passed = 0;
  const server = await testConsole({
    upstreamUrl,
    folder,
    pageFolder,
    ...(rate && { rate }),
    clock: { ...systemClock, now: () => Date.now() + passed, steady: () => systemClock.steady() + passed },
    access: (url) => provider(publicUrl ?? url),
  });
  const { url } = server;

  /** What the browser would visit, where this console listens: TLS ends before it. */
  const here = (address: string) => (publicUrl ? address.replace(publicUrl, url) : address);

  /** A user's browser after signing in from `from`. */
  async function signedIn(login: string, from = '/') {
    const agent = userAgent();
    const callback = here(await logInAt(agent, url + from, login));
    const answer = await agent.visit(callback);
    return { ...agent, callback, answer, ...apiOf(agent) };
  }

  /** The console's own API with a browser's cookies. */
  const apiOf = (agent: ReturnType<typeof userAgent>) =>
    apiAt(url, () => ({ cookie: [...agent.cookiesFor(url)].map(([name, value]) => `${name}=${value}`).join('; ') }));

  return { ...server, folder, here, signedIn, apiOf, wait: (ms: number) => (passed += ms) };
}
