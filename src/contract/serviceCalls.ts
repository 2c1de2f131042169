import { member } from './member.ts';

/** What a write creates at the service, under an id that the service issues once. */
export type Created = 'batch' | 'subscription' | 'organisation' | 'company' | 'account' | 'dataset';

/** What a call creates, the member of its answer that names it, and the path of the collection to which it belongs. */
export interface Creation {
  kind: Created;
  member: string;
  collection: string;
}

/** The service's hosts; the configuration has an address for each (wire, section 1). */
export type Host = 'consumer' | 'messaging' | 'network' | 'auth' | 'userInfo';

/**
 * What the console authenticates a call with (wire, section 2): the API key, or a signature with the signing key of the
 * application or the organisation, and the token of an owner.
 */
export const proofs = {
  /** Anybody may call. A fault happens to such a call only under its own name, not under `any`. */
  none: { by: 'apiKey' },
  /** The address contains the authorisation. */
  link: { by: 'none' },
  application: { by: 'applicationSignature' },
  /** The organisation whose token, or whose company's, is asked for. */
  owner: { by: 'organisationSignature' },
  organisation: { by: 'organisationSignature', token: 'organisation' },
  client: { by: 'apiKey' },
  /** As `client`; the application's id alone will do. */
  lookup: { by: 'apiKey' },
  company: { by: 'apiKey', token: 'company' },
  /** As `company`; the token alone will do. */
  payer: { by: 'apiKey', token: 'company' },
  user: { by: 'apiKey', token: 'user' },
  /** Without the API key, which the identity provider did not issue. */
  identity: { by: 'none', token: 'user' },
} as const satisfies Record<string, { by: string; token?: string }>;
export type Proof = keyof typeof proofs;

/** A call of the service, as it is sent; `{name}` in its path stands for an id. What its bodies are: server/upstream/operations.ts. */
interface ServiceCall {
  /** What it is for, in one sentence; shown by the timeline and the description. */
  purpose: string;
  methods: readonly ('GET' | 'POST' | 'PATCH')[];
  host: Host;
  path: string;
  proof: Proof;
  /** A write has an idempotency key; that of a message is also its interaction id. */
  writes?: 'once' | 'message';
  /** Whether texts are in the language of x-accept-language. */
  isTranslated?: true;
  /** What it creates, and the member of its answer that names it. */
  creates?: Omit<Creation, 'collection'>;
}

/** The messages to the provider by their purposes; a webhook answers each (wire, section 6.1). */
const messages = <Kind extends string>(purposes: Record<Kind, string>) =>
  Object.fromEntries(
    Object.entries<string>(purposes).map(([kind, purpose]): [string, ServiceCall] => [
      kind,
      {
        purpose,
        methods: ['POST'],
        host: 'messaging',
        path: `/api-msg-v1/${kind}`,
        proof: 'company',
        writes: 'message',
      },
    ]),
  ) as Record<Kind, Omit<ServiceCall, 'proof' | 'writes'> & { proof: 'company'; writes: 'message' }>; // of exactly these kinds

/**
 * The calls of the service (wire, sections 1-6). Decisions on points that the public pages leave open are marked "choice"; the
 * real service may differ.
 */
export const serviceCalls = {
  createOrganisation: {
    purpose: 'Creates an organisation; the application’s key signs it, and the response holds the organisation’s key.',
    methods: ['POST'],
    host: 'auth',
    path: '/auth-v1/organisations',
    proof: 'application',
    writes: 'once',
    creates: { kind: 'organisation', member: 'organisationId' },
  },
  createCompany: {
    purpose: 'Creates a company; the organisation’s key signs it.',
    methods: ['POST'],
    host: 'auth',
    /** choice: the path is not public. */
    path: '/auth-v1/companies',
    proof: 'organisation',
    writes: 'once',
    creates: { kind: 'company', member: 'companyId' },
  },
  accessToken: {
    purpose: 'Exchanges a signed request for a short-lived access token, which later calls carry.',
    methods: ['POST', 'GET'],
    host: 'auth',
    path: '/auth-v1/accessToken',
    proof: 'owner',
  },
  authorize: {
    purpose: 'Sends the user to the identity provider to log in.',
    methods: ['GET', 'POST'],
    host: 'userInfo',
    path: '/idp/authorize',
    proof: 'link',
  },
  userInfo: {
    purpose: 'Asks the identity provider who the user token belongs to.',
    methods: ['GET'],
    host: 'userInfo',
    path: '/idp/userinfo',
    proof: 'identity',
  },
  createAccount: {
    purpose: 'Creates the network account of the user, with the user’s token.',
    methods: ['POST'],
    host: 'network',
    /** choice: network accounts and data sets have no public path. */
    path: '/network-v1/accounts',
    proof: 'user',
    writes: 'once',
    creates: { kind: 'account', member: 'id' },
  },
  createDataset: {
    purpose: 'Creates a data set, with the user’s token.',
    methods: ['POST'],
    host: 'network',
    path: '/network-v1/datasets',
    proof: 'user',
    writes: 'once',
    creates: { kind: 'dataset', member: 'id' },
  },
  providers: {
    purpose: 'Lists the providers of a country.',
    methods: ['GET'],
    host: 'consumer',
    path: '/v3/providers',
    proof: 'client',
    isTranslated: true,
  },
  provider: {
    purpose: 'Reads one provider with its rules.',
    methods: ['GET'],
    host: 'consumer',
    path: '/v3/providers/{providerId}',
    proof: 'client',
    isTranslated: true,
  },
  localInstruments: {
    purpose: 'Lists the local instruments with their rules.',
    methods: ['GET'],
    host: 'consumer',
    path: '/v3/localinstruments',
    proof: 'client',
    isTranslated: true,
  },
  fileFormats: {
    purpose: 'Lists the formats of payment files.',
    methods: ['GET'],
    host: 'consumer',
    path: '/v3/fileformats',
    proof: 'lookup',
    isTranslated: true,
  },
  banks: {
    purpose: 'Lists the banks.',
    methods: ['GET'],
    host: 'consumer',
    /** choice. */
    path: '/v3/banks',
    proof: 'client',
  },
  translation: {
    purpose: 'Reads the translation of a text.',
    methods: ['GET'],
    host: 'consumer',
    /** choice: the key is {entityId}{entityType}.{ruleId}.{field} (wire, section 15). */
    path: '/v3/translations/{key}',
    proof: 'client',
    isTranslated: true,
  },
  createSubscription: {
    purpose: 'Subscribes the company to a provider; the response holds the link to authorise it.',
    methods: ['POST'],
    host: 'consumer',
    /** Exactly as printed on the public page (wire, section 5). */
    path: '/v3/subscriptions/organisations/{organisationId}/subscriptions',
    proof: 'company',
    writes: 'once',
    creates: { kind: 'subscription', member: 'subscriptionId' },
  },
  subscription: {
    purpose: 'Reads a subscription and its status.',
    methods: ['GET'],
    host: 'consumer',
    path: '/v3/subscriptions/{subscriptionId}',
    proof: 'company',
  },
  patchSubscription: {
    purpose: 'Suspends or resumes a subscription.',
    methods: ['PATCH'],
    host: 'consumer',
    path: '/v3/subscriptions/{subscriptionId}',
    proof: 'company',
  },
  ...messages({
    updates: 'Forwards more data about a subscription to the provider: 202 now, the result by webhook.',
    debtoraccountputs: 'Forwards a debtor to the provider: 202 now, the result by webhook.',
    creditorputs: 'Forwards a creditor to the provider: 202 now, the result by webhook.',
    debtoraccountlistqueries: 'Asks the provider for its debtors: 202 now, the list by webhook.',
    creditorlistqueries: 'Asks the provider for its creditors: 202 now, the list by webhook.',
    debtoraccountdeletes: 'Asks the provider to delete a debtor: 202 now, the result by webhook.',
    creditordeletes: 'Asks the provider to delete a creditor: 202 now, the result by webhook.',
  }),
  createBatch: {
    purpose: 'Pays a batch; the idempotency key prevents a second payment.',
    methods: ['POST'],
    host: 'consumer',
    path: '/v3/batchpayments',
    proof: 'payer',
    writes: 'once',
    isTranslated: true,
    creates: { kind: 'batch', member: 'batchId' },
  },
  batch: {
    purpose: 'Reads a batch with the status of each payment.',
    methods: ['GET'],
    host: 'consumer',
    path: '/v3/batchpayments/{batchId}',
    proof: 'payer',
    isTranslated: true,
  },
  paymentFile: {
    purpose: 'Downloads the file that carries a batch’s payments to the bank.',
    methods: ['GET'],
    host: 'consumer',
    path: '/files/{batchId}',
    proof: 'link',
  },
  keySet: {
    purpose: 'Reads the public keys that tokens are signed with.',
    methods: ['GET'],
    host: 'auth',
    path: '/auth-v1/.well-known/jwks.json',
    proof: 'none',
  },
  consumerStatus: {
    purpose: 'Asks whether the consumer API works.',
    methods: ['GET'],
    host: 'consumer',
    path: '/v3/status',
    proof: 'none',
  },
  messagingStatus: {
    purpose: 'Asks whether the messaging API works.',
    methods: ['GET'],
    host: 'messaging',
    path: '/api-msg-v1/status',
    proof: 'none',
  },
} as const satisfies Record<string, ServiceCall>;

/** The name of a call of the service. */
export type ServiceOperation = keyof typeof serviceCalls;

/** The name of a message to the provider. */
export type MessageKind = {
  [Name in ServiceOperation]: (typeof serviceCalls)[Name] extends { writes: 'message' } ? Name : never;
}[ServiceOperation];
export const messageKinds = Object.entries<ServiceCall>(serviceCalls).flatMap(([name, { writes }]) =>
  writes === 'message' ? [name as MessageKind] : [],
);

/** The type of the webhook that answers a message (wire, section 6.1). */
export type AnswerType<Kind extends MessageKind = MessageKind> = Kind extends `${infer Of}queries`
  ? `${Of}queryresponses`
  : Kind;
export const answerTypeOf = <Kind extends MessageKind>(kind: Kind): AnswerType<Kind> =>
  kind.replace(/queries$/, 'queryresponses') as AnswerType<Kind>; // the same replacement

/** The types of webhooks. */
export const webhookTypes = [
  'subscriptionUpdated',
  'batchUpdated',
  ...messageKinds.map((kind) => answerTypeOf(kind)),
] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** Returns a call of the service as its kind has it. */
export const serviceCall = (name: ServiceOperation): ServiceCall => serviceCalls[name];

/** Returns the names of the ids in the path of a call, in its order. */
export const idsIn = (name: ServiceOperation): string[] =>
  [...serviceCall(name).path.matchAll(/\{(\w+)\}/g)].map(([, id]) => id!); // its group

/** Returns the path of a call with these ids in its places. */
export const pathOf = (name: ServiceOperation, ...ids: readonly string[]): string =>
  ids.reduce((path, id) => path.replace(/\{\w+\}/, () => encodeURIComponent(id)), serviceCall(name).path);

/** The name of a call that creates something. */
export type CreatingCall = {
  [Name in ServiceOperation]: (typeof serviceCalls)[Name] extends { creates: object } ? Name : never;
}[ServiceOperation];

/** Returns what the write of this name creates; undefined if it creates nothing. */
export function creationOf(name: CreatingCall): Creation;
export function creationOf(name: string): Creation | undefined;
export function creationOf(name: string): Creation | undefined {
  const { creates, path = '' } = member<ServiceCall>(serviceCalls, name) ?? {};
  return creates && { ...creates, collection: path };
}

/** Whether anybody may make this call. */
export const isOpen = (name: string): boolean => member<ServiceCall>(serviceCalls, name)?.proof === 'none';

const patterns = Object.entries<ServiceCall>(serviceCalls).map(([name, { methods, path }]) => ({
  name: name as ServiceOperation, // its own keys
  methods: new Set<string>(methods),
  path: path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+'),
}));
const exact = patterns.map((each) => ({ ...each, path: new RegExp(`^${each.path}$`) }));
const below = patterns.map((each) => ({ ...each, path: new RegExp(`${each.path}$`) }));

const nameIn = (known: typeof exact, method: string, path: string): ServiceOperation | undefined => {
  const [plain = ''] = path.split('?');
  return known.find((each) => each.methods.has(method) && each.path.test(plain))?.name;
};

/** Returns the operation of a call by its path in the protocol, ignoring the query; undefined for any other call. */
export const operationOf = (method: string, path: string): ServiceOperation | undefined => nameIn(exact, method, path);

/** The same where the path may begin with that of the service's address. */
export const operationAt = (method: string, path: string): ServiceOperation | undefined => nameIn(below, method, path);
