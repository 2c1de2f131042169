import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { paymentForm } from '#rules/field.ts';
import { apiAt } from '#tests/support/api.ts';
import { eventually } from '#tests/support/eventually.ts';
import { batchBody, onboard, subscribe } from '#tests/support/guidedPath.ts';
import { statement } from '#tests/support/postgres.ts';
import { severalProcesses, type SeveralProcesses } from '#tests/support/severalProcesses.ts';

const minute = 60_000;

let several: SeveralProcesses;
let material: Awaited<ReturnType<typeof subscribe>>;

beforeAll(async () => {
  several = await severalProcesses(2);
  const api = apiAt(several.proxy.url);
  await onboard(api);
  material = await subscribe(api, 'Larkfield Bacs Bureau');
}, 180_000);
afterAll(() => several.close(), 60_000);

/** The keys that are claimed in the database. */
const claimed = async (): Promise<string> =>
  JSON.stringify(await statement(several.database.url, 'select key from writes'));

it.each([
  ['a bank file, whose key the service has forgotten when it wakes', true],
  ['an electronic batch', false],
])(
  'A server whose process is stopped between its claim and the request that takes effect does not pay what another server has paid: %s (threat 7.15)',
  async (_, isFile) => {
    const [stopped, other] = several.consoles;
    const lab = several.lab();
    const [format] = (await apiAt(other!.url).done('getFileFormats')).data;
    const { rules, subscriptionId } = material;
    const form = isFile ? paymentForm(rules, format?.specification.rules) : paymentForm(rules);
    const body = await batchBody(apiAt(other!.url), subscriptionId, form, isFile ? format?.fileFormatId : undefined);
    const before = several.made('batch').length;
    // After its claim, the service refuses its token, and it waits for another.
    await apiAt(stopped!.url).done('getFileFormats'); // gives it a token
    await lab.set({ on: 'call', of: 'createBatch', fault: { kind: 'expiredToken' }, times: 1 });
    const { ruleId } = await lab.set({ on: 'call', of: 'accessToken', fault: { kind: 'latency', ms: 8000 }, times: 1 });
    const key = randomUUID();
    const first = apiAt(stopped!.url).call('createBatch', { body, key });
    const happened = async () => (await lab.rules()).find((each) => each.ruleId === ruleId)?.happened;
    await eventually(async () => expect(await happened()).toBe(1));
    expect(await claimed()).toContain(key);
    process.kill(stopped!.pid(), 'SIGSTOP');
    try {
      const { data } = await apiAt(other!.url).done('createBatch', { body, key });
      // It is not set back: a service whose time goes back leaves the life of every key in doubt.
      await lab.ask('PATCH', '/clock', { move: 11 * minute });
      process.kill(stopped!.pid(), 'SIGCONT');
      const reply = await first;
      expect(reply.ok && reply.answer.data).toEqual(data);
      expect(reply.headers.get('idempotent-replay')).toBe('true');
      expect((await apiAt(stopped!.url).done('createBatch', { body, key })).data).toEqual(data);
      expect(several.made('batch').slice(before)).toEqual([data.batchId]);
    } finally {
      process.kill(stopped!.pid(), 'SIGCONT');
    }
  },
  120_000,
);
