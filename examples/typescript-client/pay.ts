import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { paths } from './service.ts';
import { signing, type Credentials } from './signing.ts';

/** What a payment needs that exists already: the ids of an authorised subscription, its debtor and a creditor. */
export interface Payable {
  organisationId: string;
  companyId: string;
  subscriptionId: string;
  debtorId: string;
  creditor: { creditorId: string; name: string };
}

/** Pays one invoice: obtains the company's token, sends the batch under a key, and reads the batch. */
export async function pay(baseUrl: string, credentials: Credentials, payable: Payable, day: string) {
  const known = { ...credentials };
  const client = createClient<paths>({ baseUrl });
  client.use(signing(known));
  const { organisationId, companyId, subscriptionId, debtorId, creditor } = payable;
  const owner = { 'x-organisation-id': organisationId, 'x-company-id': companyId };
  const token = await client.POST('/auth-v1/accessToken', { params: { header: owner } });
  if (token.error) throw new Error(token.error.detail);
  known.companyToken = token.data.jwt;

  // Keep the key with the batch, and send it again if no answer arrives.
  const key = randomUUID();
  const created = await client.POST('/v3/batchpayments', {
    params: { header: { 'x-idempotency-key': key } },
    body: {
      data: {
        externalId: key,
        subscriptionId,
        debtor: { debtorId },
        requestedExecutionDateTime: `${day}T00:00:00Z`,
        payments: [
          {
            instructedAmount: { amount: '120.50', currency: 'GBP' },
            creditor,
            remittanceInformation: { reference: 'INV-1' },
          },
        ],
      },
    },
  });
  if (created.error) throw new Error(created.error.detail);
  const { batchId } = created.data.data;
  const read = await client.GET('/v3/batchpayments/{batchId}', { params: { path: { batchId } } });
  if (read.error) throw new Error(read.error.detail);
  return { batchId, status: read.data.data.status };
}
