import { situations } from '#contract/controlCalls.ts';
import { iso } from '#server/clock.ts';
import { createSubscriptionPath, endpoints, header } from '#server/upstream/wire.ts';
import { sign } from '#server/upstream/signature.ts';
import type { Prepared, Situation } from './api.ts';
import type { SandboxCredentials } from './credentials.ts';

/** A provider that authorises a subscription without a visit of its page, and needs no members of its own. */
const providerId = '04fc6e54-b172-42d6-850a-a142c39ee007';
/** Time (ms) in which the provider authorises a subscription, and a batch ends. */
const soon = 5000;
/** More than the validity of a token, in ms. */
const tokenExpiry = 21 * 60_000;

const agent = { identification: '112233' };
const account = { name: 'Orchard & Co', identification: '12345678' };
const postalAddress = { addressLine1: '1 Orchard Lane', addressLine3: 'Applewick', countryCode: 'GB', postalCode: 'AB1 2CD' }; // prettier-ignore
const names = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Gorse', 'Hazel', 'Ivy', 'Juniper'];

const nothing: Prepared = {
  organisationId: '',
  primarySigningKey: '',
  companyId: '',
  token: '',
  providerId: '',
  subscriptionId: '',
  debtorId: '',
  creditors: [],
  batchId: '',
};

export interface Preparing {
  credentials: SandboxCredentials;
  /** The sandbox's URL, without the application's path. */
  url: string;
  newId: () => string;
  /** Calls the application's sandbox; the path begins with the application's own. */
  fetch: (path: string, init: RequestInit) => Promise<Response>;
  /** The sandbox's time (ms since the epoch). */
  now: () => number;
  /** Lets this time pass at the sandbox. */
  pass: (ms: number) => Promise<void>;
}

interface Answered extends Record<string, unknown> {
  organisationId: string;
  primarySigningKey: string;
  companyId: string;
  jwt: string;
  data: { subscriptionId: string; batchId: string };
}

/** The steps of all situations. Each rejects if the sandbox refuses a call, for example because of a fault. */
function steps({ credentials, url, newId, fetch, now, pass }: Preparing) {
  const { applicationId, apiKey, path: base, signingKey } = credentials;

  async function call(path: string, headers: Record<string, string>, body?: object): Promise<Answered> {
    const common = {
      [header.application]: applicationId,
      [header.apiKey]: apiKey,
      [header.interaction]: newId(),
      [header.idempotency]: newId(),
      'content-type': 'application/json',
    };
    const text = body && JSON.stringify(body);
    const response = await fetch(base + path, { method: 'POST', headers: { ...common, ...headers }, ...(text !== undefined && { body: text }) }); // prettier-ignore
    const answer = await response.text();
    if (!response.ok) throw new Error(`The sandbox refused POST ${path} with ${response.status}: ${answer}`);
    return (answer === '' ? {} : JSON.parse(answer)) as Answered; // the members that each call's answer has
  }

  function signed(path: string, key: string, headers: Record<string, string>, body?: object): Promise<Answered> {
    const nonce = newId();
    const toSign = { method: 'POST', url: url + base + path, body: body ? JSON.stringify(body) : '', nonce, key };
    return call(path, { ...headers, [header.nonce]: nonce, [header.signature]: sign(toSign) }, body);
  }

  const tokenOf = async (key: string, headers: Record<string, string>): Promise<string> =>
    (await signed(endpoints.accessToken, key, headers)).jwt;

  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  async function organisation(): Promise<Prepared> {
    const body = { externalId: newId(), sageCRMId: 'crm-1', primaryCountry: 'GBR', adminEmail: 'admin@example.com', defaultLanguage: 'EN' }; // prettier-ignore
    const { organisationId, primarySigningKey } = await signed(endpoints.createOrganisation, signingKey, {}, body);
    return { ...nothing, organisationId, primarySigningKey };
  }

  async function company(): Promise<Prepared> {
    const before = await organisation();
    const { organisationId, primarySigningKey: key } = before;
    const owner = { [header.organisation]: organisationId };
    const own = bearer(await tokenOf(key, owner));
    const { companyId } = await call(endpoints.createCompany, own, { externalId: 'company-1', name: account.name });
    return { ...before, companyId, token: await tokenOf(key, { ...owner, [header.company]: companyId }) };
  }

  async function subscribed(): Promise<Prepared> {
    const before = await company();
    const additionalData = JSON.stringify({ sortCode: '112233', accountNumber: '12345678' });
    const path = createSubscriptionPath(before.organisationId);
    const { data } = await call(path, bearer(before.token), { data: { providerId, additionalData } });
    await pass(soon);
    return { ...before, providerId, subscriptionId: data.subscriptionId };
  }

  /** `named`: the names of the creditors. */
  async function payable(named: readonly string[]): Promise<Prepared> {
    const before = await subscribed();
    const { subscriptionId, token } = before;
    const put = (kind: string, data: object) =>
      call(`${endpoints.messaging}/${kind}`, bearer(token), { data: { subscriptionId, ...data } });
    const debtorId = newId();
    await put('debtoraccountputs', { debtorId, debtorAccount: account, debtorAgent: agent, currency: 'GBP' });
    const creditors = named.map((name) => ({ creditorId: newId(), name }));
    for (const { creditorId, name } of creditors)
      await put('creditorputs', { creditorId, creditor: { name, postalAddress } });
    await pass(soon);
    return { ...before, debtorId, creditors };
  }

  async function paid(): Promise<Prepared> {
    const before = await payable(['Alder Ltd', 'Birch fails Ltd']);
    const { subscriptionId, debtorId, creditors, token } = before;
    const payments = creditors.map(({ creditorId, name }, index) => ({
      instructedAmount: { amount: `${120 + index}.50`, currency: 'GBP' },
      creditor: { creditorId, name },
      remittanceInformation: { reference: `INV-${1001 + index}` },
    }));
    const requestedExecutionDateTime = `${iso(now()).slice(0, 10)}T00:00:00Z`;
    const batch = { externalId: newId(), subscriptionId, debtor: { debtorId }, requestedExecutionDateTime, payments };
    const { data } = await call(endpoints.batches, bearer(token), { data: batch });
    await pass(soon);
    return { ...before, batchId: data.batchId };
  }

  return {
    organisation,
    company,
    'authorised-subscription': subscribed,
    payable: () => payable(['Alder Ltd']),
    'ten-creditors': () => payable(names.map((name) => `${name} Ltd`)),
    'batch-partly-failed': paid,
    async 'token-expired'() {
      const before = await payable(['Alder Ltd']);
      await pass(tokenExpiry);
      return before;
    },
  } satisfies Record<Situation, () => Promise<Prepared>>;
}

/** Creates a situation through the sandbox's own API. Throws if there is none of this name. */
export async function prepareSituation(situation: Situation, means: Preparing): Promise<Prepared> {
  const known = steps(means);
  if (!Object.hasOwn(known, situation))
    throw new Error(`There is no situation ${JSON.stringify(situation)}: give one of ${situations.join(', ')}`);
  return known[situation]();
}
