import type { CallName } from '#contract/calls.ts';
import type { Body, Params, Query } from '#contract/shapes.ts';
import { companyBody, filled, organisationBody } from './bodies.ts';
import { batch } from './creatingWrites.ts';

/** The id used for everything that a call names. */
export const someId = '0b8a5f0e-4f3c-4d43-9a57-6a7d7c1f0c55';
const subscriptionId = 'subscription-1';
const text = 'text';
type Asking = { [C in CallName]?: { params?: Params<C>; query?: Query<C>; body?: Body<C> } };

/** All calls that cause requests to the service, with their arguments. A different `own` makes each request unique. */
export const askingCalls = (serviceUrl: string, own: string) =>
  ({
    getFacts: {},
    getProviders: {},
    getProvider: { params: { providerId: own } },
    getLocalInstruments: {},
    getBanks: {},
    getSubscription: { params: { subscriptionId } },
    getFileFormats: {},
    getBatch: { params: { batchId: 'batch-1' } },
    getTranslation: { params: { key: own } },
    getConsumerHealth: {},
    getMessagingHealth: {},
    getToken: {},
    getUserInfo: {},
    downloadPaymentFile: { params: { link: `${serviceUrl}/files/1` }, query: { batchId: 'batch-1' } },
    storeUserToken: { body: { token: 'TOKEN', state: 'state' } },
    useExisting: { body: { organisationId: own, companyId: own, signingKey: text } },
    removeRecord: { body: { kind: 'subscription', id: subscriptionId } },
    setSetting: { body: { key: 'subscriptionId', value: own } },
    createOrganisation: { body: organisationBody },
    createCompany: { body: companyBody(text) },
    createAccount: {
      body: {
        data: {
          type: 'Account',
          attributes: { ...filled('account'), externalSource: text },
          owner: { user: { email: text, locale: text, identityId: text } },
        },
      },
    },
    createDataset: { body: { data: { type: 'DataSet', attributes: filled('dataset') } } },
    createSubscription: { body: { data: { providerId: 'p', additionalData: '{}' } } },
    patchSubscription: { params: { subscriptionId }, body: { data: { suspendedByConsumer: true } } },
    sendUpdate: { body: { data: { resource: 'Subscription', id: subscriptionId, subscriptionId, properties: {} } } },
    putDebtor: { body: { data: { debtorId: someId, subscriptionId }, whilePending: 'send' } },
    putCreditor: { body: { data: { creditorId: someId, subscriptionId }, whilePending: 'send' } },
    queryDebtors: { body: { data: { subscriptionId } } },
    queryCreditors: { body: { data: { subscriptionId } } },
    deleteDebtor: { body: { data: { debtorId: someId, subscriptionId }, whilePending: 'send' } },
    deleteCreditor: { body: { data: { creditorId: someId, subscriptionId }, whilePending: 'send' } },
    createBatch: { body: { ...batch(own), subscriptionId } },
  }) as const satisfies Asking;

export type AskingCall = keyof ReturnType<typeof askingCalls>;
