import { createSandbox } from '#server/sandbox/createSandbox.ts';
import { credentialVariables } from './environment.ts';
import { invoicesFor, prepare } from './situation.ts';
import type { OpenService } from './tested.ts';
import { sandboxForm } from './webhookForm.ts';

/** Opens a fresh sandbox in a situation in which a program can pay. */
export const openSandbox: OpenService = async ({ seed, webhookPort }) => {
  const webhookUrl = `http://127.0.0.1:${webhookPort}/notifications`;
  const sandbox = await createSandbox({ port: 0, seed, clock: 'running', webhookUrl });
  try {
    const situation = await prepare(sandbox);
    const { apiKey, primarySigningKey, webhookSecret, controlToken } = situation;
    const headers = { authorization: `Bearer ${controlToken}` };
    return {
      url: sandbox.url,
      calls: sandbox.calls,
      webhooks: sandbox.webhooks,
      batches: sandbox.batches,
      addFault: async (rule) => void (await sandbox.faults.add(rule)),
      clearFaults: sandbox.faults.clear,
      async step(): Promise<void> {
        const listed = await sandbox.fetch('/sandbox/batches', { headers });
        const { data } = (await listed.json()) as { data: { batchId: string; next: string | null }[] }; // as documented
        for (const { batchId, next } of data)
          // A batch may have advanced by itself meanwhile, which is refused.
          if (next !== null) await sandbox.fetch(`/sandbox/batches/${batchId}/step`, { method: 'POST', headers });
      },
      close: sandbox.close,
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
};
