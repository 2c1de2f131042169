import { onTestFinished } from 'vitest';
import { connect } from '#app/tools/lab/connect.ts';
import { visitSandbox } from '#command/visits.ts';
import { createWalker } from '#runner/runJourney.ts';
import { consoleWithSandbox } from './console.ts';

/** The journeys of the guided path, with those of the network. */
export const path: readonly string[] = [
  'settings',
  'organisation',
  'company',
  'accessToken',
  'userToken',
  'account',
  'dataset',
  'subscription',
  'authorisation',
  'debtor',
  'creditor',
  'electronicPayment',
  'batch',
];

/** Console and sandbox, and who walks journeys on them without a screen. */
export async function walkerOn() {
  const server = await consoleWithSandbox();
  const connected = await connect({ origin: server.url, headers: {} });
  const walker = createWalker(connected.actor, {
    ...connected,
    visit: (visit) => visitSandbox(visit, connected.reload),
    patient: false,
    now: () => performance.now(),
  });
  onTestFinished(() => {
    walker.stop();
    connected.end();
  });
  return { walker, server, connected };
}
