import { setTimeout as pause } from 'node:timers/promises';
import type { Prepared, Sandbox, Snapshot } from '#server/sandbox/api.ts';
import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { credentialVariables } from './environment.ts';
import { invoicesFor, prepare, type Situation } from './situation.ts';
import type { Opening, OpenService, TestedService } from './tested.ts';
import { sandboxForm } from './webhookForm.ts';

/** Time (ms) in which a webhook is sent and answered, or given up. */
const longestDelivery = 12_000;

/** Time (ms) after which a batch that is not held has ended, unless it waits for its day. */
const withinTheDay = 2500;

/** A batch as the fault lab lists it. */
interface Listed {
  batchId: string;
  status: string;
  next: string | null;
  at: string;
  fault?: string;
}

/** A situation, and the snapshot by which another sandbox with the same seed is brought into it. */
interface Saved {
  prepared: Prepared;
  snapshot: Snapshot;
}

const saved = async (sandbox: Sandbox): Promise<Saved> => ({
  prepared: await prepare(sandbox),
  snapshot: await sandbox.snapshot(),
});

/** Returns what opens a fresh sandbox with this seed, in a situation in which a program can pay: each time in the same. */
export function sandboxService(): OpenService {
  let first: Promise<Saved> | undefined;
  return (opening) =>
    openSandbox(opening, async (sandbox) => {
      if (first === undefined) return (await (first = saved(sandbox))).prepared;
      // Far quicker than the calls by which it was prepared.
      const { prepared, snapshot } = await first;
      await sandbox.restore(snapshot);
      return prepared;
    });
}

async function openSandbox(
  { seed, webhookPort }: Opening,
  prepareAgain: (sandbox: Sandbox) => Promise<Prepared>,
): Promise<TestedService> {
  const webhookUrl = `http://127.0.0.1:${webhookPort}/notifications`;
  const sandbox = await createSandbox({ port: 0, seed, clock: 'running', webhookUrl });
  try {
    const situation: Situation = {
      ...sandbox.credentials,
      ...(await prepareAgain(sandbox)),
      url: sandbox.url,
    };
    const { apiKey, primarySigningKey, webhookSecret, controlToken } = situation;
    /** How many webhooks there are once all steps have been told. */
    let expected = 0;
    const headers = { authorization: `Bearer ${controlToken}` };
    const waiting = async (): Promise<Listed[]> => {
      const listed = await sandbox.fetch('/sandbox/batches', { headers });
      const { data } = (await listed.json()) as { data: Listed[] }; // as documented
      return data.filter(({ next }) => next !== null);
    };
    // A batch may have advanced by itself meanwhile, which is refused.
    const advance = async (batches: readonly Listed[]): Promise<void> => {
      for (const { batchId } of batches)
        await sandbox.fetch(`/sandbox/batches/${batchId}/step`, { method: 'POST', headers });
    };
    return {
      url: sandbox.url,
      calls: () => sandbox.calls(),
      webhooks: sandbox.webhooks,
      batches: () => sandbox.batches(),
      addFault: async (rule) => void (await sandbox.faults.add(rule)),
      clearFaults: () => sandbox.faults.clear(),
      async step(batchId?: string): Promise<void> {
        const batches = (await waiting()).filter((each) => batchId === undefined || each.batchId === batchId);
        expected = sandbox.webhooks().length + batches.length;
        await advance(batches);
      },
      async passDay(): Promise<void> {
        const since = Date.now() - withinTheDay;
        if (!sandbox.calls().some(({ operation, isDone, at }) => operation === 'createBatch' && isDone && at < since))
          return;
        const isLeft = ({ status, fault, at }: Listed) =>
          status === 'Processing' && fault === undefined && Date.parse(at) < since;
        await advance((await waiting()).filter(isLeft));
      },
      setClockOn: (ms) => sandbox.clock.advance(ms),
      async told(): Promise<void> {
        const until = Date.now() + longestDelivery;
        while (sandbox.webhooks().length < expected && Date.now() < until) await pause(25);
      },
      close: () => sandbox.close(),
      environment: credentialVariables(situation),
      invoicesFor: (prefix, asked) => invoicesFor(situation.creditors, prefix, asked),
      webhookForm: sandboxForm(situation),
      secrets: [apiKey, primarySigningKey, webhookSecret],
      trouble: () => Promise.resolve(''),
      reading: undefined,
    };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}
