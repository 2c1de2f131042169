import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Invoice } from '#server/programs/checks/evidence.ts';
import { sign } from '#server/upstream/signature.ts';
import { createSubscriptionPath, endpoints, header } from '#server/upstream/wire.ts';
import type { Tested } from './tested.ts';

/** A provider that authorises a subscription at once and needs no members of its own in a batch. */
const providerId = '04fc6e54-b172-42d6-850a-a142c39ee007';
/** Bacs Standard 18, a file format of the same country. */
const fileFormatId = '6c51c4ba-17d8-483c-ab60-07a829f4f003';

const creditorNames = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm'];
const agent = { identification: '112233' };
const debtorAccount = { identification: '12345678', name: 'Example Ltd' };
const postalAddress = { addressLine1: '1 Orchard Lane', addressLine3: 'Applewick', countryCode: 'GB', postalCode: 'TA1 1AA' };

/** A company with an authorised subscription, a debtor and creditors, and what its program needs to know. */
export interface Prepared {
  url: string;
  applicationId: string;
  apiKey: string;
  webhookSecret: string;
  organisationId: string;
  companyId: string;
  signingKey: string;
  subscriptionId: string;
  debtorId: string;
  creditors: readonly { creditorId: string; creditorName: string }[];
  /** Seconds that the program should wait for a response. */
  responseTime: number;
}

/** The name of the creditor at this index; a payment to the failing one fails (a magic value of the sandbox). */
const nameOf = (index: number, isFailing: boolean): string =>
  `${creditorNames[index] ?? 'Fir'} ${isFailing && index === 1 ? 'fails ' : ''}Ltd`;

/** Calls of a consumer that onboards itself; each rejects if the sandbox refuses it. */
function consumerAt({ url, credentials }: Tested) {
  const { applicationId, apiKey } = credentials;
  async function call(method: string, path: string, headers: Record<string, string>, body?: object) {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const common = {
      [header.application]: applicationId,
      [header.apiKey]: apiKey,
      [header.interaction]: randomUUID(),
      'content-type': 'application/json',
    };
    const answer = await fetch(url + path, { method, headers: { ...common, ...headers }, ...(text !== undefined && { body: text }) });
    const answered = await answer.text();
    if (!answer.ok) throw new Error(`The sandbox refused ${method} ${path} with ${answer.status}: ${answered}`);
    return (answered === '' ? {} : JSON.parse(answered)) as Record<string, string> & { data: Record<string, string> };
  }
  const signed = (path: string, key: string, headers: Record<string, string>, body?: object) => {
    const nonce = randomUUID();
    const signature = sign({ method: 'POST', url: url + path, body: body ? JSON.stringify(body) : '', nonce, key });
    return call('POST', path, { ...headers, [header.nonce]: nonce, [header.signature]: signature }, body);
  };
  return { call, signed };
}

type Consumer = ReturnType<typeof consumerAt>;

/** Creates organisation and company; returns their ids, the signing key and the company's token. */
async function onboard({ call, signed }: Consumer, applicationKey: string) {
  const organisation = await signed(
    endpoints.createOrganisation,
    applicationKey,
    { [header.idempotency]: randomUUID() },
    { sageCRMId: 'crm-1', primaryCountry: 'GBR', adminEmail: 'admin@example.com', defaultLanguage: 'EN', externalId: randomUUID() },
  );
  const { organisationId = '', primarySigningKey: signingKey = '' } = organisation;
  const tokenOf = async (more: Record<string, string>) =>
    (await signed(endpoints.accessToken, signingKey, { [header.organisation]: organisationId, ...more }))['jwt'] ?? '';
  const { companyId = '' } = await call(
    'POST',
    endpoints.createCompany,
    { authorization: `Bearer ${await tokenOf({})}`, [header.idempotency]: randomUUID() },
    { externalId: 'company-1', name: 'Example Ltd' },
  );
  const authorization = `Bearer ${await tokenOf({ [header.company]: companyId })}`;
  return { organisationId, signingKey, companyId, authorization };
}

/** Creates a subscription and waits until its provider has authorised it. */
async function subscribe({ call }: Consumer, organisationId: string, authorization: string): Promise<string> {
  const additionalData = JSON.stringify({ sortCode: '112233', accountNumber: '12345678' });
  const headers = { authorization, [header.idempotency]: randomUUID() };
  const created = await call('POST', createSubscriptionPath(organisationId), headers, { data: { providerId, additionalData } });
  const { subscriptionId = '' } = created.data;
  for (;;) {
    const { data } = await call('GET', `${endpoints.subscriptions}/${subscriptionId}`, { authorization });
    if (data['status'] === 'Authorised') return subscriptionId;
    await pause(50);
  }
}

/** Prepares a fresh sandbox for a program that pays. */
export async function prepare(tested: Tested, { isFailing, responseTime }: { isFailing: boolean; responseTime: number }): Promise<Prepared> {
  const consumer = consumerAt(tested);
  const { applicationId, apiKey, signingKey: applicationKey, webhookSecret } = tested.credentials;
  const { authorization, ...onboarded } = await onboard(consumer, applicationKey);
  const subscriptionId = await subscribe(consumer, onboarded.organisationId, authorization);
  const debtorId = randomUUID();
  const put = (kind: string, data: object) =>
    consumer.call('POST', `${endpoints.messaging}/${kind}`, { authorization, [header.idempotency]: randomUUID() }, { data: { subscriptionId, ...data } });
  await put('debtoraccountputs', { debtorId, debtorAccount, debtorAgent: agent, currency: 'GBP' });
  const creditors = creditorNames.map((_, index) => ({ creditorId: randomUUID(), creditorName: nameOf(index, isFailing) }));
  for (const { creditorId, creditorName } of creditors)
    await put('creditorputs', { creditorId, creditor: { name: creditorName, postalAddress } });
  return { url: tested.url, applicationId, apiKey, webhookSecret, ...onboarded, subscriptionId, debtorId, creditors, responseTime };
}

/** Returns invoices for some of the creditors, each with an id and an amount of its own. */
export const invoicesFor = ({ creditors }: Prepared, prefix: string, from: number, to: number): Invoice[] =>
  creditors.slice(from, to).map((creditor, index) => {
    const id = `${prefix}-${from + index + 1}`;
    return { id, ...creditor, amount: `${120 + 7 * (from + index)}.50`, currency: 'GBP', reference: id };
  });

/** The content of the file of invoices. For a payment by bank file it has the members of the batch and of accounts. */
export const invoicesFile = (invoices: readonly Invoice[], byFile: boolean): object => ({
  ...(byFile && {
    file: {
      fileFormatId,
      debtorAgent: agent,
      debtorAccount: debtorAccount,
      userIdentification: { name: 'EXAMPLE LTD' },
      additionalData: JSON.stringify({ serialNumber: '000001', serviceUserNumber: '123456' }),
    },
  }),
  invoices: invoices.map((invoice) => ({
    ...invoice,
    ...(byFile && { creditorAgent: agent, creditorAccount: { identification: '87654321', name: invoice.creditorName } }),
  })),
});
