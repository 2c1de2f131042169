import { collectionOf } from '#rules/collection/collection.ts';
import { walkerOn } from './journeyRunner.ts';
import { testSandbox } from './console.ts';
import { sandboxCredentials } from './sandboxCredentials.ts';

/** The calls of a company from nothing to a paid batch, as a console has recorded them, in their order. */
async function recordedPath() {
  const { walker, server } = await walkerOn();
  await walker.all([{ journey: 'settings', values: { useNetwork: 'false' }, choices: {} }]);
  const walked = await walker.guided();
  const failed = walked.find(({ end }) => end !== 'done');
  if (failed) throw new Error(`${failed.journey}: ${failed.because}`);
  const { data } = await server.done('getTimeline', { query: { kind: 'service', limit: '999' } });
  return data.reverse();
}

/** A collection of that path, and a sandbox to send it to, where nobody has to approve. */
export async function recordedCollection() {
  const recorded = await recordedPath();
  const sandbox = await testSandbox();
  await sandbox.faults.add({ on: 'authorisation', fault: { kind: 'approve', ms: 0 }, times: 'always' });
  const { apiKey, signingKey } = sandboxCredentials;
  return { collection: collectionOf(recorded), sandbox, secrets: { apiKey, signingKey } };
}
