import { onTestFinished } from 'vitest';
import { connect } from '#command/connect.ts';
import { visitSandbox } from '#command/visits.ts';
import { createWalker } from '#walk/walk.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';

/** Console and sandbox, and who walks journeys on them without a screen. */
export async function walkerOn() {
  const server = await consoleWithSandbox();
  const connected = await connect({ origin: server.url, headers: {} });
  const walker = createWalker(connected.actor, {
    ...connected,
    visit: (visit) => visitSandbox(visit, connected.go),
    now: () => performance.now(),
  });
  onTestFinished(() => {
    walker.stop();
    connected.end();
  });
  return { walker, server };
}
