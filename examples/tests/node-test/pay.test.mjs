import assert from 'node:assert/strict';
import { afterEach, beforeEach, it } from 'node:test';
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

  assert.equal(response.status, 201);
  await sandbox.clock.advance(5000);
  assert.deepEqual(
    (await sandbox.batches()).map(({ status }) => status),
    ['Completed'],
  );
  assert.deepEqual(
    sandbox.calls().map(({ status }) => status),
    [0, 201],
  );
});
