import { member } from './member.ts';
import { endpoints, messageKinds, type MessageKind } from './requests/endpoints.ts';

/** What a write creates at the service, under an id that the service issues once. */
export type Created = 'batch' | 'subscription' | 'organisation' | 'company' | 'account' | 'dataset';

/** What a call creates, the member of its answer that names it, and the path of the collection to which it belongs. */
export interface Creation {
  kind: Created;
  member: string;
  collection: string;
}

/** A call of the service; `{}` in its path stands for one segment. */
interface ServiceCall {
  methods: readonly string[];
  path: string;
  creates?: Creation;
}

const get = (path: string): ServiceCall => ({ methods: ['GET'], path });
const post = (path: string): ServiceCall => ({ methods: ['POST'], path });
const creating = (path: string, kind: Created, member: string) => ({
  methods: ['POST'],
  path,
  creates: { kind, member, collection: path },
});
const messages = Object.fromEntries(
  messageKinds.map((kind) => [kind, post(`${endpoints.messaging}/${kind}`)]),
) as Record<MessageKind, ServiceCall>; // made from exactly these kinds

/** The calls with credentials, for each of which a fault can be set. */
export const serviceCalls = {
  createOrganisation: creating(endpoints.createOrganisation, 'organisation', 'organisationId'),
  createCompany: creating(endpoints.createCompany, 'company', 'companyId'),
  accessToken: { methods: ['GET', 'POST'], path: endpoints.accessToken },
  authorize: { methods: ['GET', 'POST'], path: endpoints.authorize },
  userInfo: get(endpoints.userInfo),
  createAccount: creating(endpoints.accounts, 'account', 'id'),
  createDataset: creating(endpoints.datasets, 'dataset', 'id'),
  providers: get(endpoints.providers),
  provider: get(`${endpoints.providers}/{}`),
  localInstruments: get(endpoints.localInstruments),
  fileFormats: get(endpoints.fileFormats),
  banks: get(endpoints.banks),
  translation: get(`${endpoints.translations}/{}`),
  createSubscription: creating(
    `${endpoints.subscriptions}/organisations/{}/subscriptions`,
    'subscription',
    'subscriptionId',
  ),
  subscription: get(`${endpoints.subscriptions}/{}`),
  patchSubscription: { methods: ['PATCH'], path: `${endpoints.subscriptions}/{}` },
  ...messages,
  createBatch: creating(endpoints.batches, 'batch', 'batchId'),
  batch: get(`${endpoints.batches}/{}`),
  paymentFile: get('/files/{}'),
} satisfies Record<string, ServiceCall>;

export type ServiceCallName = keyof typeof serviceCalls;

/** The name of a call that creates something. */
export type CreatingCall = {
  [Name in ServiceCallName]: (typeof serviceCalls)[Name] extends { creates: Creation } ? Name : never;
}[ServiceCallName];

/** Returns what the write of this name creates; undefined if it creates nothing. */
export const creationOf = (name: string): Creation | undefined => member<ServiceCall>(serviceCalls, name)?.creates;

/** Calls that anybody may make. A fault happens to them only under their own name, not under `any`. */
export const openCalls = {
  keySet: get(endpoints.keySet),
  consumerStatus: get(endpoints.consumerStatus),
  messagingStatus: get(endpoints.messagingStatus),
} satisfies Record<string, ServiceCall>;

export type OpenCallName = keyof typeof openCalls;

/** The name of any call of the service. */
export type ServiceOperation = ServiceCallName | OpenCallName;

const patterns = Object.entries<ServiceCall>({ ...serviceCalls, ...openCalls }).map(([name, { methods, path }]) => ({
  name: name as ServiceOperation, // its own keys
  methods,
  path: path.replaceAll('.', String.raw`\.`).replaceAll('{}', '[^/]+'),
}));
const exact = patterns.map((each) => ({ ...each, path: new RegExp(`^${each.path}$`) }));
const below = patterns.map((each) => ({ ...each, path: new RegExp(`${each.path}$`) }));

const nameIn = (known: typeof exact, method: string, path: string): ServiceOperation | undefined => {
  const [plain = ''] = path.split('?');
  return known.find((each) => each.methods.includes(method) && each.path.test(plain))?.name;
};

/** Returns the operation of a call by its path in the protocol, ignoring the query; undefined for any other call. */
export const operationOf = (method: string, path: string): ServiceOperation | undefined => nameIn(exact, method, path);

/** The same where the path may begin with that of the service's address. */
export const operationAt = (method: string, path: string): ServiceOperation | undefined => nameIn(below, method, path);
