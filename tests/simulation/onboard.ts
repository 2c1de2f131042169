import { allRules } from '#rules/merge.ts';
import { partyForm, paymentForm } from '#rules/field.ts';
import { nested, paymentExtras } from '#rules/payload.ts';
import { defaultApplication } from '#server/sandbox/credentials.ts';
import { companyBody, organisationBody } from '#tests/support/bodies.ts';
import { examples, subscribeTo } from '#tests/support/guidedPath.ts';
import type { World } from './world.ts';

/** The names of the payees; the sandbox refuses the payments to one whose name contains "fails". */
const payees = ['Alder Supplies', 'Birch Freight', 'Cedar fails Ltd', 'Durmast Print'];

/** Thrown to a user who gives up what the console has not done. */
export class GaveUp extends Error {}

interface Needs extends Pick<World, 'scheduler' | 'sandbox'> {
  api: Pick<World['api'], 'done'>;
}

/** Asks again, with pauses of the world's time, until a condition holds. */
async function until<T>({ scheduler }: Needs, ask: () => Promise<T>, holds: (answer: T) => boolean): Promise<T> {
  for (let turn = 0; turn < 100; turn += 1) {
    const answer = await ask();
    if (holds(answer)) return answer;
    await scheduler.wait(turn < 50 ? 200 : 5000); // a webhook may have to be delivered again
  }
  throw new GaveUp('It does not become so');
}

/** Walks from nothing to a company that can pay, by the calls of the page. */
export async function onboard(world: Needs, name = 'Example & Co') {
  const { api, sandbox } = world;
  const { done } = api;
  for (const [key, value] of Object.entries({ providerCountry: 'GB', fileFormatCountry: 'GB', acceptLanguage: 'en' }))
    await done('setSetting', { body: { key, value } as never }); // of three keys each
  await done('createOrganisation', { body: organisationBody });
  await done('createCompany', { body: companyBody(name) });
  await done('getToken');
  const provider = (await done('getProviders')).data.find(({ name }) => name === 'Larkfield Bacs Bureau')!; // of the sandbox
  const rules = allRules(provider, (await done('getLocalInstruments')).data);
  const subscriptionId = await subscribeTo(api, provider, rules);
  const subscription = () => done('getSubscription', { params: { subscriptionId } });
  const { data } = await until(world, subscription, (each) => each.data.links?.authorise !== undefined);
  const approval = new URL(data.links!.authorise!).pathname;
  await sandbox.fetch(approval, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'decision=approve',
  });
  await until(world, subscription, (each) => each.data.data.status === 'Authorised');
  const accepted = (resourceId: string) =>
    until(
      world,
      () => done('getMessage', { params: { resourceId } }),
      (each) => each.data?.state === 'accepted',
    );
  const [debtorForm, creditorForm] = [partyForm(rules, 'DebtorAccounts'), partyForm(rules, 'Creditors')];
  const debtorId = crypto.randomUUID();
  await done('putDebtor', {
    body: { data: { ...nested(debtorForm, examples(debtorForm)), subscriptionId, debtorId } },
  });
  await accepted(debtorId);
  for (const [index, name] of payees.entries()) {
    const creditorId = crypto.randomUUID();
    const values = {
      ...examples(creditorForm),
      'creditor.name': name,
      'creditorAccount.identification': `1234567${index}`,
    };
    await done('putCreditor', { body: { data: { ...nested(creditorForm, values), subscriptionId, creditorId } } });
    await accepted(creditorId);
  }
  const form = paymentForm(rules);
  const [format] = (await done('getFileFormats')).data;
  const fileForm = paymentForm(rules, format!.specification.rules); // of the sandbox
  const [debtor] = (await done('getDebtors')).data;
  return {
    subscriptionId,
    debtor: debtor!,
    creditors: (await done('getCreditors')).data, // just made
    extras: paymentExtras(form, examples(form)),
    /** Whose sandbox it is in, by the path of its pages. */
    application: /^\/of\/([^.]+)\./.exec(approval)?.[1] ?? defaultApplication,
    /** What is different in a payment by bank file. */
    file: { fileFormatId: format!.fileFormatId, extras: paymentExtras(fileForm, examples(fileForm)) },
  };
}

export type Company = Awaited<ReturnType<typeof onboard>>;
