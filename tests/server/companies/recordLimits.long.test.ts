import { expect, it } from 'vitest';
import { maximumLength, maximumWaiting } from '#server/messages/save.ts';
import { keptMessage } from '#tests/support/messages.ts';
import { notified, subscriptionId } from '#tests/support/consoleWithWebhooks.ts';

const creditorId = '0b8a5f0e-4f3c-4d43-9a57-6a7d7c1f0c55';
const put = (more: object) => ({ body: { data: { creditorId, subscriptionId, ...more } } });

it('Pending messages are limited in their length (413) and their number (429) (threat 6.16)', async () => {
  const { server } = await notified();
  const long = 'x'.repeat(maximumLength);
  expect(await server.refused('putCreditor', put({ long }))).toMatchObject({ status: 413, code: 'too-large' });
  expect(await server.store.messages.list()).toEqual([]);

  await server.store.messages.putAll(
    Array.from({ length: maximumWaiting }, (_, index) => [`m${index}`, keptMessage({ messageId: `m${index}` })]),
  );
  expect(await server.refused('putCreditor', put({ long: long.slice(200) }))).toMatchObject({ code: 'rate-limited' });
  expect(await server.store.messages.list()).toHaveLength(maximumWaiting);
  await server.store.messages.remove('m0');
  await server.done('putCreditor', put({ long: long.slice(200) }));
});
