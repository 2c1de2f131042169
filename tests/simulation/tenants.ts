import { subjectHeader, scopeHeader } from '#contract/constants.ts';
import { apiAt } from '#tests/support/api.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { LineError } from './line.ts';
import { consoleUrl } from './network.ts';
import type { World } from './world.ts';

/** What a user of another workspace may know of one, as an attacker would. */
interface Known {
  scope: string;
  companyId: string;
}

/** Signs a user in, anew where the console dies meanwhile. Returns the cookie. */
async function signsIn({ scheduler, signIn }: World, name: string): Promise<string> {
  for (;;) {
    try {
      return await signIn(name);
    } catch (error) {
      if (!(error instanceof LineError)) throw error;
      await scheduler.wait(1000);
    }
  }
}

/** A signed-in user who makes a company, reads all of it, and tries what is another user's. */
async function uses(world: World, name: string, known: Map<string, Known>): Promise<void> {
  const { scheduler } = world;
  const { between, chance, pick } = scheduler.of(name);
  const cookie = await signsIn(world, name);
  const api = apiAt(consoleUrl, undefined, world.line(name, name, { cookie }));
  /** Asks until the console answers well; undefined if it does not. */
  async function asks<T>(ask: () => Promise<{ ok: true; answer: T } | { ok: false }>): Promise<T | undefined> {
    for (let turn = 0; turn < 5; turn += 1) {
      try {
        const reply = await ask();
        if (reply.ok) return reply.answer;
      } catch (error) {
        if (!(error instanceof LineError)) throw error;
      }
      await scheduler.wait(between(50, 10_000));
    }
    return undefined;
  }
  /** Tries something once, whatever the answer: what it has is checked afterwards. */
  const tries = (ask: () => Promise<unknown>) =>
    ask().catch((error: unknown) => {
      if (!(error instanceof LineError)) throw error;
    });

  for (const [key, value] of Object.entries({ providerCountry: 'GB', fileFormatCountry: 'GB', acceptLanguage: 'en' }))
    await asks(() => api.call('setSetting', { body: { key, value } as never })); // of three keys each
  const keys = [crypto.randomUUID(), crypto.randomUUID()] as const;
  const organisation = await asks(() => api.call('createOrganisation', { key: keys[0], body: organisationBody }));
  const company =
    organisation &&
    (await asks(() => api.call('createCompany', { key: keys[1], body: companyBody(`Company of ${name}`) })));
  const facts = await asks(() => api.call('getFacts'));
  if (company && facts) known.set(name, { scope: facts.scope, companyId: company.companyId });
  await asks(() => api.call('getToken'));
  for (let turn = between(4, 10); turn > 0; turn -= 1) {
    await scheduler.wait(between(10, 20_000));
    const own = [
      'getFacts',
      'getSettings',
      'getTimeline',
      'listMessages',
      'listWebhooks',
      'getPostedBatches',
      'getPrograms',
      'getProviders',
    ] as const;
    await tries(() => api.call(pick(own)));
    const others = [...known].filter(([other]) => other !== name).map(([, each]) => each);
    if (others.length === 0 || !chance(0.6)) continue;
    const { scope, companyId } = pick(others);
    const headers = { [scopeHeader]: scope, ...(chance(0.3) && { [subjectHeader]: 'another' }) };
    await tries(() => api.call(pick(own), { headers }));
    await tries(() => api.call('setSetting', { body: { key: 'companyId', value: companyId } }));
  }
}

/** Users of a console with sign-in, each with a workspace of their own. */
export async function tenantsUse(world: World): Promise<void> {
  const known = new Map<string, Known>();
  await Promise.all(['Ann', 'Ben'].map((name) => uses(world, name, known)));
}
