import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Database from 'libsql';
import { onTestFinished } from 'vitest';
import { SimulatedClock } from 'xstate';
import { sign } from '#server/upstream/signature.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import type { WireWebhook } from '#server/upstream/webhooks.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { header } from '#server/upstream/wire.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import type { ConsoleOptions } from '#server/sandbox/options.ts';
import type { Catalogue } from '#server/sandbox/catalogue/types.ts';
import { eventually } from '#tests/support/eventually.ts';
import { catalogueDouble } from './catalogueDouble.ts';
import { credentialsOf } from '#server/sandbox/credentials.ts';
import { statement, temporaryDatabase } from '#tests/support/postgres.ts';
import { sandboxSecret } from '#tests/support/sandboxCredentials.ts';
import { withSandboxKey } from '#tests/support/sandboxKey.ts';

export const organisation = {
  sageCRMId: 'crm-1',
  primaryCountry: 'GBR',
  adminEmail: 'admin@example.com',
  defaultLanguage: 'EN',
  externalId: 'ext-1',
};
export const company = {
  name: 'Example & Co',
  externalId: 'company-1',
  taxNumber: '1',
  standardIndustrialCode: '2',
  contactTelNo: '3',
  contactEmail: 'user@example.com',
};

/** Every member of an answer that a test reads; each call's answer has its own. */
interface Body {
  organisationId: string;
  companyId: string;
  primarySigningKey: string;
  jwt: string;
  keys: object[];
  sub: string;
  detail: string;
  data: {
    id: string;
    subscriptionId: string;
    batchId: string;
    snapshotId: string;
    status: string;
    additionalData: string;
    suspendedByConsumer: boolean;
    translation: string;
    payments: { paymentId: string; status: string }[];
  };
  links: { self: string; authorise: string; authoriseExpiresAt: string; paymentFile: string };
  errors: { path: string; message: string }[];
  error: { detail: object[] };
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  webhook: WireWebhook;
}

/** A consumer's /notifications; answers with `answer.status`. */
async function openReceiver() {
  const received: Received[] = [];
  const answer = { status: 204 };
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, text: body, webhook: JSON.parse(body) as WireWebhook });
      response.writeHead(answer.status).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listening on a port
  return { received, answer, url: `http://127.0.0.1:${port}/notifications`, close: () => server.close() };
}

export interface Call {
  body?: unknown;
  headers?: Record<string, string>;
  token?: string;
}

/**
 * The sandbox at a URL as the program of an application calls it, each time after `before`; without a name, that of the
 * default application.
 */
function programOf(url: () => string, application?: string, before: () => Promise<void> = () => Promise.resolve()) {
  const credentials = credentialsOf(sandboxSecret, application);

  async function call(method: string, path: string, { body: sent, headers = {}, token }: Call = {}): Promise<Answer> {
    await before();
    const response = await fetch(path.startsWith('http') ? path : url() + credentials.path + path, {
      method,
      redirect: 'manual',
      headers: {
        [header.application]: credentials.applicationId,
        [header.apiKey]: credentials.apiKey,
        [header.interaction]: randomUUID(),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(sent !== undefined && { body: sent instanceof URLSearchParams ? sent : JSON.stringify(sent) }),
    });
    const answer = await response.text();
    const { status } = response;
    const isJson = response.headers.get('content-type')?.includes('json');
    const body = (isJson ? JSON.parse(answer) : {}) as Body; // each test knows what it asked for
    return { status, headers: response.headers, text: answer, body };
  }

  /** A call of the auth service, signed with the key. */
  function signed(method: string, path: string, key: string, { body, headers = {} }: Call = {}): Promise<Answer> {
    const nonce = randomUUID();
    const signature = sign({
      method,
      url: url() + credentials.path + path,
      body: body ? JSON.stringify(body) : '',
      nonce,
      key,
    });
    return call(method, path, {
      body,
      headers: { [header.nonce]: nonce, [header.signature]: signature, ...headers },
    });
  }

  /** Returns a new token of an organisation, or of its company if one is given. */
  const tokenOf = async ({
    organisationId,
    companyId,
    primarySigningKey,
  }: {
    organisationId: string;
    companyId?: string;
    primarySigningKey: string;
  }): Promise<string> => {
    const headers = {
      [header.organisation]: organisationId,
      ...(companyId !== undefined && { [header.company]: companyId }),
    };
    return (await signed('GET', endpoints.accessToken, primarySigningKey, { headers })).body.jwt;
  };

  /** Organisation, company and the company's token (wire, section 2.2). */
  async function onboard(named: Partial<typeof company> = {}) {
    const created = await signed('POST', endpoints.createOrganisation, credentials.signingKey, {
      body: organisation,
    });
    const { organisationId, primarySigningKey } = created.body;
    const organisationToken = await tokenOf({ organisationId, primarySigningKey });
    const { companyId } = (
      await call('POST', endpoints.createCompany, { body: { ...company, ...named }, token: organisationToken })
    ).body;
    const token = await tokenOf({ organisationId, companyId, primarySigningKey });
    return { organisationId, companyId, primarySigningKey, organisationToken, token };
  }

  const subscribe = (who: { organisationId: string; token: string }, name: string, more: Call = {}) =>
    call('POST', pathOf('createSubscription', who.organisationId), {
      body: { data: { providerId: `provider-${name}`, additionalData: '{"account":"12345678"}' } },
      token: who.token,
      ...more,
    });

  return { credentials, call, signed, tokenOf, onboard, subscribe };
}

/** Whether the tests' sandboxes keep what they have in PostgreSQL. */
const isOnPostgres = process.env['STORE'] === 'postgres';

/** A sandbox over an empty folder with a simulated clock and a webhook receiver; closed when the test ends. */
export async function testSandbox(
  config: NonNullable<ConsoleOptions['config']> = {},
  catalogue: Catalogue = catalogueDouble,
  storeUrl?: string,
) {
  const dataDir = await withSandboxKey(await mkdtemp(join(tmpdir(), 'sandbox-')));
  const receiver = await openReceiver();
  const simulated = new SimulatedClock();
  const clock = Object.assign(simulated, { steady: () => simulated.now() });
  clock.set(Date.now());
  const options = {
    secret: sandboxSecret,
    catalogue,
    machineClock: clock,
    data: dataDir,
    storeUrl: storeUrl ?? (isOnPostgres ? await temporaryDatabase() : undefined),
    port: 0,
    webhookUrl: receiver.url,
    config,
  };
  let sandbox = await createSandbox(options);
  onTestFinished(async () => {
    await sandbox.close();
    receiver.close();
    await rm(dataDir, { recursive: true });
  });

  /** Ends when what the clock has set in motion has happened, if it does so soon: a receiver may keep the sandbox waiting. */
  async function settled(): Promise<void> {
    const until = performance.now() + 1000;
    do await new Promise((resolve) => setImmediate(resolve));
    while (!sandbox.isSettled() && performance.now() < until);
  }

  function as(application?: string) {
    const program = programOf(() => sandbox.url, application, settled);
    const { credentials, call, onboard, subscribe } = program;
    return {
      ...program,
      /** A call of the fault lab. */
      lab: (method: string, path: string, body?: unknown) =>
        call(method, `/sandbox${path}`, { token: credentials.resetToken, ...(body !== undefined && { body }) }),
      /** The company with an Authorised subscription. */
      async authorised(name = 'authorises') {
        const who = await onboard();
        const { subscriptionId } = (await subscribe(who, name)).body.data;
        await settled();
        clock.increment(1000);
        await settled();
        return { ...who, subscriptionId };
      },
    };
  }

  return {
    clock,
    settled,
    as,
    ...as(),
    dataDir,
    /** The rows of a query in its store. */
    async kept(text: string): Promise<unknown[]> {
      if (options.storeUrl !== undefined) return statement(options.storeUrl, text);
      const db = new Database(join(dataDir, 'sandbox.sqlite'), { readonly: true });
      try {
        return db.prepare(text).all();
      } finally {
        db.close();
      }
    },
    received: receiver.received,
    receiverAnswer: receiver.answer,
    url: () => sandbox.url,
    /** Restarts it with the same data, after `downtime` ms. */
    async restart(downtime = 0) {
      await sandbox.close();
      clock.increment(downtime);
      sandbox = await createSandbox(options);
    },
    /** Advances the clock until a webhook of this type arrives, and returns it. */
    webhook: async (type: string, which = 0): Promise<Received> => {
      await settled();
      clock.increment(500);
      return eventually(() => {
        const found = receiver.received.filter(({ webhook }) => webhook.type === type)[which];
        if (!found) throw new Error(`no webhook ${type} yet`);
        return found;
      });
    },
  };
}
