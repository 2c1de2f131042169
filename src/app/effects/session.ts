import { sessionMachine } from '#machines/lab/session.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { decodeText } from '#rules/decodeText.ts';
import { importWithRetry } from '../api/importWithRetry.ts';

export const session = provideEffects(sessionMachine, {
  async read(file) {
    if (!file) throw new Error('No file was chosen.');
    // Few open a file, and masking its secrets needs much code.
    const { readSession, sessionLimits } = await importWithRetry(() => import('#rules/harSession.ts'));
    if (file.size > sessionLimits.bytes)
      throw new Error(`It has ${file.size} bytes: give a file of at most ${sessionLimits.bytes} bytes.`);
    return { name: file.name, ...readSession(decodeText(new Uint8Array(await file.arrayBuffer()), 'The file')) };
  },
});
