import { createHmac, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listening } from './listen.ts';

/**
 * Definitions as another service may have them: nulls and numbers in unusual places, unknown members, duplicate and
 * unreadable entries among valid ones, a hidden group. Each name describes its entry.
 */
const rule = (apiPath: string, jsonPath: string, more: object = {}) => ({
  future: { nested: [null] },
  validation: {
    optionality: 'Required',
    regex: null,
    example: null,
    enumeration: null,
    errorMessage: null,
    uiLabel: jsonPath,
    apiPath,
    jsonPath,
    ...more,
  },
  ruleId: `${apiPath} ${jsonPath}`,
  sourceValidation: null,
});

const provider = {
  clientID: null,
  logo: null,
  accountType: {
    validationRules: [
      null,
      rule('Creditors', 'creditor.postalAddress.countryCode', { example: 'GB' }),
      rule('Creditors', 'creditor.name', { example: 'Payee Ltd' }),
      rule('Creditors', 'creditor.postalAddress.addressLine1', { example: '1 High St' }),
      rule('Creditors', 'creditorAccount.identification', { example: '12345678', regex: '^\\d{8}$' }),
      rule('DebtorAccounts', 'currency', {
        example: 'GBP',
        enumeration: [{ value: 'GBP', description: null }, { value: 'GBP' }, null],
      }),
      rule('DebtorAccounts', 'debtorAccount.name', { example: 'Payer Ltd' }),
      rule('DebtorAccounts', 'debtorAgent.identification', { example: '112233' }),
      rule('DebtorAccounts', 'debtorAccount.identification', { example: '87654321' }),
      rule('Subscriptions', 'additionalData.level', {
        example: 2,
        enumeration: [
          { value: 1, description: 'One' },
          { value: 2, description: 'Two' },
        ],
      }),
      rule('Subscriptions', 'additionalData.owners', { fieldType: 'Array', optionality: 'Hidden' }),
      rule('Subscriptions', 'additionalData.owners.name', { example: 'Owner' }),
      rule('BatchPayments', 'payments.additionalData.purpose', { example: 'SUPP' }),
      { ruleId: 'without a place', validation: { apiPath: 'BatchPayments', optionality: 'Required' } },
    ],
    capabilities: [
      'SubscriptionRequired',
      'DebtorQueries',
      null,
      'CreditorQueries',
      'FutureCapability',
      'DebtorAccountRequired',
    ],
  },
  maximumPaymentCount: null,
  supportedLanguages: null,
  localInstruments: ['instrument', 'unknown'],
  country: ['GB', null],
  name: 'Other provider',
  providerId: 'other-provider',
};

const fileRules = [
  { type: 'Trailer', ruleId: 'constant', sourceValidation: null, destination: { destination: null } },
  {
    type: null,
    ruleId: 'name',
    sourceValidation: { jsonPath: 'userIdentification.name', optionality: 'Required', example: 'Clerk', regex: null },
    destination: null,
  },
  {
    ruleId: 'number',
    sourceValidation: {
      jsonPath: 'additionalData.userNumber',
      optionality: 'Required',
      example: 123456,
      uiLabel: null,
    },
  },
];

/** Lists by the last segment of their path below /v3/. */
const definitions: Record<string, (Record<string, unknown> | null)[]> = {
  providers: [null, { providerId: 7, name: null }, provider, { ...provider, name: 'repeated' }],
  localinstruments: [{ localInstrumentId: 'instrument', validationRules: null }, {}],
  fileformats: [{ name: 'Other file', specification: { rules: fileRules }, fileFormatId: 'other-file' }, null],
  banks: [{ bank_id: 'other-bank', abilities: null, service_status: null, future: 1 }, { name: 'without an id' }],
};

type Body = Record<string, unknown>;
interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  url: string;
  headers: IncomingMessage['headers'];
  body: Body;
  raw: string;
}
/** A status, and a body if there is one. */
type Reply = [status: number, body?: unknown];

const credentials = { applicationId: 'sage.other.product', apiKey: 'other api key', signingKey: 'other signing key' };
const header = { name: 'x-other-agreed', value: 'other agreed value' };
const encode = (part: string) =>
  encodeURIComponent(part).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
const jwt = (claims: object) =>
  [
    '{"alg":"RS256"}',
    JSON.stringify({ iss: 'wpb-auth', exp: Math.floor(Date.now() / 1000) + 1200, ...claims }),
    'signature',
  ]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');
/** An HTML page of a third party. */
const page = (body: string) => `<!doctype html><link rel="icon" href="data:,"><title>Other</title>${body}`;
const refusal = (status: number, code: string, message: string): Reply => [
  status,
  { error: { code, message, detail: null } },
];

/**
 * A payments service other than the sandbox, written only from the description of the wire: different hosts, tokens by
 * GET, unexpected members and nulls, links within the data, other statuses, errors in the other form, webhooks with
 * several events that are authenticated only by the agreed header. Undocumented requests are refused and recorded in
 * `refused`. `worded` changes the spelling of its statuses.
 */
export async function otherService(worded = (status: string) => status) {
  const organisations = new Map<string, string>();
  const tokens = new Map<string, string>();
  const subscriptions = new Map<
    string,
    { providerId: string; status: string; suspended: boolean | null; data: unknown }
  >();
  const batches = new Map<string, { body: Body; looks: number }>();
  const nonces = new Set<string>();
  const once = new Map<string, Reply>();
  const refused: string[] = [];
  const written: { path: string; body: Body }[] = [];
  const hosts = { auth: '', network: '', api: '', messages: '', files: '', provider: '' };
  let webhookUrl = '';

  async function send(events: unknown[]): Promise<void> {
    const headers = { 'content-type': 'application/json', [header.name]: header.value };
    const { status } = await fetch(webhookUrl, { method: 'POST', headers, body: JSON.stringify(events) });
    if (status !== 204) refused.push(`a webhook was answered with ${status}`);
  }
  const later = (...events: unknown[]) => setTimeout(() => void send(events), 20);

  /** Verifies the wire's signature with an independent implementation. */
  function isSigned({ method, url, headers, raw }: Asked, key: string): boolean {
    const nonce = String(headers['x-nonce'] ?? '');
    const parameters = raw ? `body=${encode(Buffer.from(raw).toString('base64'))}` : '';
    const base = [method, encode(url.toLowerCase()), encode(parameters), encode(nonce)].join('&');
    const fresh = nonce !== '' && !nonces.has(nonce);
    nonces.add(nonce);
    return fresh && createHmac('sha1', `${key}&null`).update(base).digest('base64') === headers['x-signature'];
  }
  const bearerOf = ({ headers }: Asked) => tokens.get(String(headers.authorization).replace('Bearer ', ''));

  function auth(asked: Asked): Reply {
    const organisationId = String(asked.headers['x-organisation-id'] ?? '');
    if (asked.path === '/auth-v1/organisations' && asked.method === 'POST') {
      if (!isSigned(asked, credentials.signingKey)) return refusal(401, 'Unauthorised', 'signature');
      const made = randomUUID();
      organisations.set(made, `key of ${made}`);
      return [200, { ...asked.body, name: null, logoUrl: null, signingKey: `key of ${made}`, organisationId: made }];
    }
    if (asked.path === '/auth-v1/accessToken') {
      if (asked.method !== 'GET') return [405, { error: { code: 'MethodNotAllowed', message: 'GET', detail: [] } }];
      if (!isSigned(asked, organisations.get(organisationId) ?? '')) return refusal(401, 'Unauthorised', 'signature');
      const companyId = String(asked.headers['x-company-id'] ?? '');
      const token = jwt({ organisationId, companyId, id: randomUUID() });
      tokens.set(token, companyId || organisationId);
      return [200, { expires: null, jwt: token, scope: [] }];
    }
    if (asked.path !== '/auth-v1/companies' || bearerOf(asked) === undefined)
      return refusal(403, 'Forbidden', 'company');
    return [201, { companyId: randomUUID(), organisationId: null, address: null, ...asked.body }];
  }

  function network({ path, query, method, headers }: Asked): Reply {
    if (path === '/idp/authorize') {
      const answer = new URLSearchParams({
        state: query.get('state') ?? '',
        token_type: 'bearer',
        access_token: userToken,
      });
      return [200, page(`<a href="${query.get('redirect_uri')}#${String(answer).replaceAll('&', '&amp;')}">Enter</a>`)];
    }
    if (headers.authorization !== `Bearer ${userToken}`) return refusal(401, 'Unauthorised', 'user token');
    if (path === '/idp/userinfo')
      return [200, { email_verified: false, sub: 'other|1', email: 'user@example.com', name: null }];
    return method === 'POST' ? [202, { links: null, data: { attributes: null, id: randomUUID(), type: 'x' } }] : [404];
  }

  /** Each reading advances a subscription by one status; a person must then authorise it. */
  const steps = ['Received', 'Pending', 'UnderReview', 'AwaitingAuthorisation'];
  function subscription(id: string): Reply {
    const kept = subscriptions.get(id);
    if (!kept) return refusal(404, 'NotFound', 'subscription');
    const at = steps.indexOf(kept.status);
    kept.status = (at < 0 ? undefined : steps[at + 1]) ?? kept.status;
    const { providerId, status, suspended, data } = kept;
    const authorise = status === 'AwaitingAuthorisation' ? `${hosts.provider}/onboard/${id}` : null;
    const links = { authorise, authoriseIssuedAt: null };
    return [
      200,
      {
        data: {
          links,
          future: [null, 9007199254740993n],
          suspendedByConsumer: suspended,
          status: worded(status),
          providerId,
          subscriptionId: id,
          additionalData: data,
        },
      },
    ];
  }

  function batch(id: string): Reply {
    const kept = batches.get(id);
    if (!kept) return refusal(404, 'NotFound', 'batch');
    kept.looks += 1;
    const isFile = 'fileFormatId' in kept.body;
    const status = kept.looks < 2 ? 'Validating' : isFile ? 'PaymentFileAvailable' : 'ProcessedByBank';
    const paymentFile = status === 'PaymentFileAvailable' ? `${hosts.files}/download/${id}?sig=a%2Fb` : null;
    return [
      200,
      {
        links: null,
        error: null,
        data: { ...kept.body, batchId: id, status: worded(status), links: { paymentFile, authorise: null } },
      },
    ];
  }

  function createBatch(body: Body): Reply {
    const payments = body['payments'] as { creditor: Body; additionalData?: unknown }[]; // as documented, else it throws: 500
    const routes = ['subscriptionId', 'fileFormatId'].filter((name) => name in body);
    const texts = [body, ...payments].every(({ additionalData = '' }) => typeof additionalData === 'string');
    const payees = payments.every(({ creditor }) => 'creditorId' in creditor !== 'postalAddress' in creditor);
    const empty = /\{\}|""|null/.test(JSON.stringify({ ...body, additionalData: 0 }));
    if (!routes.includes('subscriptionId') || !texts || !payees || empty)
      return [
        422,
        {
          error: {
            code: 'Invalid',
            message: 'batch',
            detail: [{ target: 'data', code: 'x', message: JSON.stringify({ routes, texts, payees, empty }) }],
          },
        },
      ];
    const batchId = randomUUID();
    batches.set(batchId, { body, looks: 0 });
    later({ type: 'batchUpdated', resource: { url: null, id: batchId, type: 'BatchPayment' }, subscriptionId: null });
    return [202, { data: { batchId } }];
  }

  function api(asked: Asked): Reply {
    const { method, path, headers, body } = asked;
    if (headers['x-application'] !== credentials.applicationId || headers['x-api-key'] !== credentials.apiKey)
      return refusal(401, 'Unauthorised', 'application');
    if (!/^[\da-f-]{36}$/.test(String(headers['x-fapi-interaction-id'])))
      return refusal(400, 'BadRequest', 'interaction id');
    if (path === '/v3/status') return [200, { data: { version: '9', branch: null, name: null, uptime: 1 } }];
    const [, , resource = '', id = ''] = path.split('/');
    const defined = definitions[resource];
    if (defined && method === 'GET')
      return [
        200,
        id
          ? { data: defined.find((each) => each && 'providerId' in each && each['providerId'] === id) }
          : { links: [], data: defined, meta: null },
      ];
    if (bearerOf(asked) === undefined) return refusal(401, 'Unauthorised', 'bearer');
    const data = body['data'] as Body;
    if (method === 'GET') return resource === 'subscriptions' ? subscription(id) : batch(id);
    if (method === 'PATCH') {
      subscriptions.get(id)!.suspended = Boolean(data['suspendedByConsumer']);
      return [204];
    }
    if (resource === 'batchpayments') return createBatch(data);
    if (typeof data['additionalData'] !== 'string') return refusal(422, 'Invalid', 'additionalData is a text');
    const subscriptionId = randomUUID();
    subscriptions.set(subscriptionId, {
      providerId: String(data['providerId']),
      status: 'Received',
      suspended: null,
      data: null,
    });
    return [202, { data: { subscriptionId, organisationId: null } }];
  }

  function messages(asked: Asked): Reply {
    if (asked.path.endsWith('/status')) return [200, { version: '9', name: 'messages' }];
    if (bearerOf(asked) === undefined) return refusal(401, 'Unauthorised', 'bearer');
    const kind = asked.path.split('/').at(-1) ?? '';
    const data = asked.body['data'] as Body;
    const subscriptionId = String(data['subscriptionId']);
    const more = { resource: null, subscriptionId, additionalData: null };
    const party = kind.startsWith('debtor') ? { debtorId: data['debtorId'] } : { creditorId: data['creditorId'] };
    const listed = kind.startsWith('debtor') ? 'debtors' : 'creditors';
    const kept = written
      .filter(({ path }) => path.endsWith(kind.replace('listqueries', 'puts')))
      .map(({ body }) => body['data']);
    if (kind.endsWith('queries'))
      later({
        ...more,
        type: kind.replace('queries', 'queryresponses'),
        data: { [listed]: [null, {}, ...kept, ...kept] },
      });
    // Sends an unknown event, and then the message's outcome.
    else
      later(
        { type: 'serviceNotice', resource: null, data: { text: kind } },
        { ...more, type: kind, data: { ...party, status: null, links: null, errors: null } },
      );
    return [202];
  }

  const serve = (name: keyof typeof hosts, answer: (asked: Asked) => Reply | Promise<Reply>) =>
    listening((request, response) => {
      void text(request).then(async (raw) => {
        const { method = '', url: target = '', headers } = request;
        const path = target.split('?')[0] ?? '';
        const body = raw ? (JSON.parse(raw) as Body) : {};
        const key = headers['x-idempotency-key'];
        const known = typeof key === 'string' ? once.get(`${path} ${key}`) : undefined;
        const [status, answered] =
          known ??
          (await answer({
            method,
            path,
            query: new URLSearchParams(target.split('?')[1]),
            url: `${hosts[name]}${path}`,
            headers,
            body,
            raw,
          }));
        if (typeof key === 'string' && status < 300) once.set(`${path} ${key}`, [status, answered]);
        if (status >= 400 && status !== 405) refused.push(`${method} ${target}: ${JSON.stringify(answered)}`);
        else if (method !== 'GET' && !known) written.push({ path, body });
        if (typeof answered === 'string') response.writeHead(status, { 'content-type': 'text/html' }).end(answered);
        else if (answered === undefined) response.writeHead(status).end();
        else
          response
            .writeHead(status, { 'content-type': 'application/vnd.other+json' })
            .end(
              JSON.stringify(answered, (_, value: unknown) =>
                typeof value === 'bigint' ? `big ${value}` : value,
              ).replace(/"big (\d+)"/g, '$1'),
            );
      });
    });

  const userToken = jwt({ sub: 'other|1' });
  const file = ({ headers, path }: Asked): Reply => {
    const found = batches.get(path.split('/').at(-1) ?? '');
    if (!found || headers.authorization || headers['x-api-key']) return refusal(403, 'Forbidden', 'file');
    return [200, `<file>${JSON.stringify(found.body['payments'])}`];
  };
  const onboard = ({ path }: Asked): Reply => {
    const id = path.split('/').at(-1) ?? '';
    subscriptions.get(id)!.status = 'Authorised';
    later({ type: 'resourceUpdated', resource: { id, type: 'Subscription', url: null } });
    return [200, page('It is done.')];
  };
  const parts = { auth, network, api, messages, files: file, provider: onboard };
  for (const name of Object.keys(parts) as (keyof typeof parts)[]) hosts[name] = await serve(name, parts[name]); // its keys

  return {
    refused,
    written,
    userToken,
    /** The console's configuration for this service. */
    environment: {
      UPSTREAM: 'live',
      UPSTREAM_URL: hosts.api,
      UPSTREAM_AUTH_URL: hosts.auth,
      UPSTREAM_MESSAGING_URL: hosts.messages,
      UPSTREAM_NETWORK_URL: hosts.network,
      UPSTREAM_APPLICATION_ID: credentials.applicationId,
      UPSTREAM_API_KEY: credentials.apiKey,
      UPSTREAM_SIGNING_KEY: credentials.signingKey,
      PAYMENT_FILE_ORIGINS: hosts.files,
      IDENTITY_PROVIDER_URL: `${hosts.network}/idp`,
      IDENTITY_CLIENT_ID: 'other client',
      PROVIDER_URL: hosts.provider,
      TRANSFER_URL: `${hosts.provider}/transfer`,
      WEBHOOK_HEADER_NAME: header.name,
      WEBHOOK_HEADER_VALUE: header.value,
    },
    notify: (url: string) => (webhookUrl = url),
  };
}
