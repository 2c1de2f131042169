import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createSandbox } from 'payments-out-console/sandbox';
import { pay } from '../pay.mjs';

let sandbox;
beforeEach(async () => {
  sandbox = await createSandbox({ seed: 1 });
});
afterEach(() => sandbox.close());

it('pays once although the response is lost', async () => {
  const prepared = await sandbox.prepare('payable');
  await sandbox.faults.add({ on: 'call', of: 'createBatch', fault: { kind: 'answerLost' } });

  const response = await pay({ ...sandbox, prepared });

  expect(response.status).toBe(201);
  await sandbox.clock.advance(5000);
  expect(await sandbox.batches()).toMatchObject([{ status: 'Completed' }]);
  expect(sandbox.calls().map(({ status }) => status)).toEqual([0, 201]);
});
