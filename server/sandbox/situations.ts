import { situations } from '#contract/controlCalls.ts';
import { stringify } from '#contract/json.ts';
import { headersOf, requests, type ServiceRequest } from '#contract/requests/requests.ts';
import { iso } from '#server/clock.ts';
import { header, type MessageKind } from '#server/upstream/wire.ts';
import { sign } from '#server/upstream/signature.ts';
import type { Prepared, Situation } from './api.ts';
import type { SandboxCredentials } from './credentials.ts';

/** A provider that authorises a subscription without a visit of its page, and needs no members of its own. */
const providerId = '04fc6e54-b172-42d6-850a-a142c39ee007';
/** Time (ms) in which the provider authorises a subscription, and a batch ends. */
const soon = 5000;
/** More than the validity of a token, in ms. */
const tokenExpiry = 21 * 60_000;

const registered = {
  taxNumber: 'GB123456789',
  standardIndustrialCode: '01240',
  contactTelNo: '+44 1632 960001',
  contactEmail: 'accounts@example.com',
};
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

  /** Sends a request with a token, or signed with a key. */
  async function send(request: ServiceRequest, { key, token }: { key?: string; token?: string }): Promise<Answered> {
    const { method, path } = request;
    const body = request.body === undefined ? '' : stringify(request.body);
    const nonce = newId();
    const headers = headersOf(request, {
      applicationId,
      apiKey,
      ...(key !== undefined && { nonce, signature: sign({ method, url: url + base + path, body, nonce, key }) }),
      ...(token !== undefined && { token }),
    });
    const response = await fetch(base + path, {
      method,
      headers: { [header.interaction]: newId(), ...headers },
      ...(body !== '' && { body }),
    });
    const answer = await response.text();
    if (!response.ok) throw new Error(`The sandbox refused ${method} ${path} with ${response.status}: ${answer}`);
    return (answer === '' ? {} : JSON.parse(answer)) as Answered; // the members that each call's answer has
  }

  const tokenOf = async (key: string, organisationId: string, companyId = ''): Promise<string> =>
    (await send(requests.accessToken(organisationId, companyId), { key })).jwt;

  async function organisation(): Promise<Prepared> {
    const body = { sageCRMId: 'crm-1', primaryCountry: 'GBR', adminEmail: 'admin@example.com', defaultLanguage: 'EN' };
    const request = requests.createOrganisation(body, newId());
    const { organisationId, primarySigningKey } = await send(request, { key: signingKey });
    return { ...nothing, organisationId, primarySigningKey };
  }

  async function company(): Promise<Prepared> {
    const before = await organisation();
    const { organisationId, primarySigningKey: key } = before;
    const request = requests.createCompany({ ...registered, externalId: 'company-1', name: account.name }, newId());
    const { companyId } = await send(request, { token: await tokenOf(key, organisationId) });
    return { ...before, companyId, token: await tokenOf(key, organisationId, companyId) };
  }

  async function subscribed(): Promise<Prepared> {
    const before = await company();
    const additionalData = JSON.stringify({ sortCode: '112233', accountNumber: '12345678' });
    const body = { data: { providerId, additionalData } };
    const { data } = await send(requests.createSubscription(before.organisationId, body, newId()), {
      token: before.token,
    });
    await pass(soon);
    return { ...before, providerId, subscriptionId: data.subscriptionId };
  }

  /** `named`: the names of the creditors. */
  async function payable(named: readonly string[]): Promise<Prepared> {
    const before = await subscribed();
    const { subscriptionId, token } = before;
    const put = (kind: MessageKind, data: object) =>
      send(requests.message(kind, { subscriptionId, ...data }, newId()), { token });
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
    const { data } = await send(requests.createBatch(batch, newId()), { token });
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
