/**
 * The program under test: pays all creditors with one batch, and repeats the call under the same key until it has a
 * response. `fetch` reaches the service; `clock` gives the day of the payment, a test passes the sandbox's.
 */
export async function pay({ fetch, credentials, prepared, clock = Date, attempts = 3 }) {
  const { token, subscriptionId, debtorId, creditors } = prepared;
  const request = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-application': credentials.applicationId,
      'x-api-key': credentials.apiKey,
      // A program that can be killed stores key and body before the first attempt.
      'x-idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({
      data: {
        externalId: crypto.randomUUID(),
        subscriptionId,
        debtor: { debtorId },
        requestedExecutionDateTime: `${new Date(clock.now()).toISOString().slice(0, 10)}T00:00:00Z`,
        payments: creditors.map(({ creditorId, name }, index) => ({
          instructedAmount: { amount: '120.50', currency: 'GBP' },
          creditor: { creditorId, name },
          remittanceInformation: { reference: `INV-${1001 + index}` },
        })),
      },
    }),
  };
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await fetch('/v3/batchpayments', request);
      if (response.status < 500 || attempt === attempts) return response;
    } catch (error) {
      if (attempt === attempts) throw error;
    }
  }
}
