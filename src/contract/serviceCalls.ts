import { endpoints, messageKinds, type MessageKind } from './requests/endpoints.ts';

/** A call of the service; `{}` in its path stands for one segment. */
interface ServiceCall {
  methods: readonly string[];
  path: string;
}

const get = (path: string): ServiceCall => ({ methods: ['GET'], path });
const post = (path: string): ServiceCall => ({ methods: ['POST'], path });
const messages = Object.fromEntries(
  messageKinds.map((kind) => [kind, post(`${endpoints.messaging}/${kind}`)]),
) as Record<MessageKind, ServiceCall>; // made from exactly these kinds

/** The calls with credentials, for each of which a fault can be set. */
export const serviceCalls = {
  createOrganisation: post(endpoints.createOrganisation),
  createCompany: post(endpoints.createCompany),
  accessToken: { methods: ['GET', 'POST'], path: endpoints.accessToken },
  authorize: { methods: ['GET', 'POST'], path: endpoints.authorize },
  userInfo: get(endpoints.userInfo),
  createAccount: post(endpoints.accounts),
  createDataset: post(endpoints.datasets),
  providers: get(endpoints.providers),
  provider: get(`${endpoints.providers}/{}`),
  localInstruments: get(endpoints.localInstruments),
  fileFormats: get(endpoints.fileFormats),
  banks: get(endpoints.banks),
  translation: get(`${endpoints.translations}/{}`),
  createSubscription: post(`${endpoints.subscriptions}/organisations/{}/subscriptions`),
  subscription: get(`${endpoints.subscriptions}/{}`),
  patchSubscription: { methods: ['PATCH'], path: `${endpoints.subscriptions}/{}` },
  ...messages,
  createBatch: post(endpoints.batches),
  batch: get(`${endpoints.batches}/{}`),
  paymentFile: get('/files/{}'),
} satisfies Record<string, ServiceCall>;

export type ServiceCallName = keyof typeof serviceCalls;

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
