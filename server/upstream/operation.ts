import { createSubscriptionPath, endpoints, messageKinds } from './wire.ts';
import type { MessageKind } from './wire.ts';

/** The service's calls by path: exact paths, then paths with one segment that names a resource. */
const exact = {
  [endpoints.createOrganisation]: 'createOrganisation',
  [endpoints.createCompany]: 'createCompany',
  [endpoints.accessToken]: 'accessToken',
  [endpoints.keySet]: 'keySet',
  [endpoints.accounts]: 'createAccount',
  [endpoints.datasets]: 'createDataset',
  [endpoints.userInfo]: 'userInfo',
  [endpoints.providers]: 'providers',
  [endpoints.localInstruments]: 'localInstruments',
  [endpoints.fileFormats]: 'fileFormats',
  [endpoints.banks]: 'banks',
  [endpoints.batches]: 'createBatch',
  [endpoints.consumerStatus]: 'consumerStatus',
  [endpoints.messagingStatus]: 'messagingStatus',
} as const;
const below = {
  [endpoints.providers]: 'provider',
  [endpoints.translations]: 'translation',
  [endpoints.batches]: 'batch',
  [endpoints.subscriptions]: 'subscription',
  '/files': 'paymentFile',
} as const;

/** A call of the service, as a label; `other` for calls outside its protocol. */
export type Operation =
  | (typeof exact)[keyof typeof exact]
  | (typeof below)[keyof typeof below]
  | MessageKind
  | 'createSubscription'
  | 'patchSubscription'
  | 'other';

const messages: ReadonlyMap<string, MessageKind> = new Map(
  messageKinds.map((kind) => [`${endpoints.messaging}/${kind}`, kind]),
);
const byPath: ReadonlyMap<string, Operation> = new Map(Object.entries(exact));
const byParent: ReadonlyMap<string, Operation> = new Map(Object.entries(below));
const subscriptions = new RegExp(`^${createSubscriptionPath('').replace('//', '/[^/]+/')}$`);

/** Returns the operation of a call by its path in the service's protocol, ignoring the query. */
export function operationOf(method: string, path: string): Operation {
  const [plain = ''] = path.split('?');
  const operation =
    byPath.get(plain) ??
    messages.get(plain) ??
    (subscriptions.test(plain) ? 'createSubscription' : byParent.get(plain.slice(0, plain.lastIndexOf('/')))) ??
    'other';
  return operation === 'subscription' && method === 'PATCH' ? 'patchSubscription' : operation;
}
