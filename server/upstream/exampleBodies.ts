import type { Json } from '#contract/json.ts';

/**
 * The `data` of the bodies that the shape of an operation does not tell: their values fit together, and the rules of the sandbox's
 * first provider. The reference fills in the ids of the company and the day.
 */
export const exampleOf = {
  subscription: {
    providerId: 'the-provider-id',
    additionalData: JSON.stringify({
      serviceUserNumber: '654321',
      sortCode: '112233',
      accountNumber: '12345678',
      signatories: [{ jobTitle: 'Finance Director' }],
    }),
  },
  suspension: { suspendedByConsumer: false },
  batch: {
    externalId: 'run-2026-01-30',
    subscriptionId: 'the-subscription-id',
    requestedExecutionDateTime: '2026-01-30T00:00:00Z',
    debtorAgent: { identification: '112233' },
    debtorAccount: { identification: '12345678', name: 'Trading account' },
    additionalData: JSON.stringify({ approvalReference: 'RUN-001' }),
    payments: [
      {
        instructedAmount: { amount: '120.50', currency: 'GBP' },
        creditorAgent: { identification: '445566' },
        creditorAccount: { identification: '87654321', name: 'Orchard Supplies Ltd' },
        creditor: { name: 'Orchard Supplies Ltd' },
        remittanceInformation: { reference: 'INV-1001', unstructured: 'Stationery' },
      },
    ],
  },
} satisfies Record<string, Json>;
