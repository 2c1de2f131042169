import { expect, it } from 'vitest';
import { endpoints, header } from '#server/upstream/wire.ts';
import { organisationBody } from '#tests/support/bodies.ts';
import { clientOf, problemOf } from '#tests/support/client.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';

const key = 'a key for an organisation';
const made = { organisationId: 'o-1', primarySigningKey: 'its signing key' };

/** A service that refuses the first calls, as one does whose nonce was used before. */
async function refusing(times: number) {
  let left = times;
  const service = await fakeUpstream({
    [endpoints.createOrganisation]: (...exchange) => {
      const refuses = left > 0;
      left -= 1;
      return (refuses ? answering({ detail: 'no', code: 'No' }, 401) : answering(made, 201))(...exchange);
    },
  });
  const sent = (name: string) => service.askedFor(endpoints.createOrganisation).map(({ headers }) => headers[name]);
  return { client: clientOf(service.url), sent };
}

it('an organisation is requested once more after a 401, under the same key with another nonce (wire 2.2.12)', async () => {
  const { client, sent } = await refusing(1);
  expect(await client.createOrganisation(organisationBody, key)).toEqual(made);
  expect(sent(header.idempotency)).toEqual([key, key]);
  expect(new Set(sent('x-nonce')).size).toBe(2);
});

it('an organisation that is refused with 401 twice is reported as refused', async () => {
  const { client, sent } = await refusing(9);
  expect(await problemOf(client.createOrganisation(organisationBody, key))).toMatchObject({ code: 'key-rejected' });
  expect(sent(header.idempotency)).toHaveLength(2);
});
