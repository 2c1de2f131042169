import type { CallName } from '#contract/calls.ts';
import { pathOf } from '#contract/serviceCalls.ts';
import { endpoints } from '#tests/support/endpoints.ts';
import { executionDate } from './executionDate.ts';
import { companyBody, organisationBody } from './bodies.ts';
import type { Request } from './api.ts';

const payment = (reference: string, amount: string) => ({
  instructedAmount: { amount, currency: 'GBP' },
  creditor: { name: `Payee of ${reference}`, creditorId: `creditor of ${reference}` },
  remittanceInformation: { reference },
});
export const batch = (
  externalId: string,
  payments = [payment(`${externalId}-1`, '10.00'), payment(`${externalId}-2`, '2.50')],
) => ({
  externalId,
  subscriptionId: 's',
  requestedExecutionDateTime: executionDate,
  payments,
});
const account = (externalId: string) => ({
  data: {
    type: 'Account' as const,
    attributes: { externalId, externalSource: 'console' },
    owner: { user: { email: 'user@example.com', locale: 'en-GB', identityId: 'user' } },
  },
});
const dataset = (externalId: string) => ({
  data: { type: 'DataSet' as const, attributes: { name: 'n', country: 'GB', externalId, externalSource: 'console' } },
});

/** A write that creates something: its call, the path of its request, the answer that names an id, and a request of its own. */
type Write = {
  [C in CallName]: [name: C, prefix: string, answer: (id: string) => object, request: (turn: string) => Request<C>];
}[CallName];
export const creatingWrites: Write[] = [
  ['createBatch', endpoints.batches, (batchId) => ({ data: { batchId } }), (turn) => ({ body: batch(turn) })],
  [
    'createSubscription' as const,
    pathOf('createSubscription', 'o'),
    (subscriptionId: string) => ({ data: { subscriptionId } }),
    (turn) => ({ body: { data: { providerId: 'p', additionalData: JSON.stringify({ turn }) } } }),
  ],
  [
    'createOrganisation' as const,
    endpoints.createOrganisation,
    (organisationId: string) => ({ organisationId, primarySigningKey: 'k' }),
    (turn) => ({ body: { ...organisationBody, sageCRMId: turn } }),
  ],
  ['createCompany', endpoints.createCompany, (companyId) => ({ companyId }), (turn) => ({ body: companyBody(turn) })],
  ['createAccount', endpoints.accounts, (id) => ({ data: { id } }), (turn) => ({ body: account(turn) })],
  ['createDataset', endpoints.datasets, (id) => ({ data: { id } }), (turn) => ({ body: dataset(turn) })],
];
