import { calls, type CallFacts } from '#contract/calls.ts';
import { subjectHeader, companyHeader } from '#contract/constants.ts';
import { apiAt } from '#tests/support/api.ts';
import type { Choice } from './decisions.ts';
import { LineError } from './line.ts';
import { consoleUrl } from './network.ts';
import { GaveUp, onboard, type Company } from './onboard.ts';
import { emptyLedger, heard, invoicesOf, pays, type Ledger } from './users.ts';
import type { World } from './world.ts';

/** What a user of another workspace may know of one, as an attacker would. */
interface Known {
  companyKey: string;
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

/** A client whose calls are repeated, each under its key, until they succeed. */
function patient(api: World['api'], { scheduler }: World, { between }: Choice): Pick<World['api'], 'done'> {
  return {
    async done(name, request) {
      const again = { key: crypto.randomUUID(), ...request };
      for (let turn = 0; turn < 12; turn += 1) {
        const reply = await heard(api.call(name, again));
        if (reply?.ok) return reply.answer;
        await scheduler.wait(between(50, 10_000));
      }
      throw new GaveUp(name);
    },
  };
}

/** What a tenant has: how it calls the console, its company, and what it was told. */
export interface Tenant {
  /** That of its workspace as well. */
  name: string;
  world: World;
  company: Company;
  ledger: Ledger;
}

/** The reads that need no id. */
const ownCalls = Object.entries<CallFacts>(calls).flatMap(
  ([name, { method, path }]) => (method === 'GET' && !path.includes('{') ? [name as 'getFacts'] : []), // as each of them, it can be called without input
);

/** A signed-in user who makes a company, subscribes, pays, reads all of it, and tries what is another user's. */
async function uses(world: World, name: string, known: Map<string, Known>): Promise<Tenant | undefined> {
  const { scheduler } = world;
  const choice = scheduler.of(name);
  const { between, chance, pick } = choice;
  const cookie = await signsIn(world, name);
  const own: World = { ...world, api: apiAt(consoleUrl, undefined, world.line(name, name, { cookie })) };
  const company = await onboard({ ...own, api: patient(own.api, world, choice) }, `Company of ${name}`).catch(
    (error: unknown) => {
      if (error instanceof GaveUp) return undefined;
      throw error;
    },
  );
  const ledger = emptyLedger();
  const invoices = company ? invoicesOf(company, name) : [];
  const facts = await heard(own.api.call('getFacts'));
  if (facts?.ok) known.set(name, { companyKey: facts.answer.companyKey, companyId: facts.answer.settings.companyId });
  for (let turn = between(4, 10); turn > 0; turn -= 1) {
    await scheduler.wait(between(10, 20_000));
    if (company && chance(0.4)) {
      const chosen = invoices.filter(() => chance(0.3));
      if (chosen.length > 0) await pays(own, company, ledger, chosen, { choice, patience: 30_000 });
    }
    await heard(own.api.call(pick(ownCalls)));
    const others = [...known].filter(([other]) => other !== name).map(([, each]) => each);
    if (others.length === 0 || !chance(0.6)) continue;
    const { companyKey, companyId } = pick(others);
    const headers = { [companyHeader]: companyKey, ...(chance(0.3) && { [subjectHeader]: 'another' }) };
    await heard(own.api.call(pick(ownCalls), { headers }));
    const ofOwnPage = { headers: { [companyHeader]: known.get(name)?.companyKey ?? '' } };
    await heard(own.api.call('setSetting', { body: { key: 'companyId', value: companyId }, ...ofOwnPage }));
  }
  return company && { name, world: own, company, ledger };
}

/** Users of a console with sign-in, each with a workspace of their own. Returns those who have a company. */
export async function tenantsUse(world: World): Promise<Tenant[]> {
  const known = new Map<string, Known>();
  const tenants = await Promise.all(['Ann', 'Ben'].map((name) => uses(world, name, known)));
  return tenants.filter((each) => each !== undefined);
}
