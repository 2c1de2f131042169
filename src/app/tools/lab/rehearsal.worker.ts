import { rehearse } from '#runner/rehearse.ts';
import { createWalker } from '#runner/runJourney.ts';
import { scenarios } from '#runner/scenarios.ts';
import { pageLab, restore } from '#app/effects/practice.ts';
import type { Asked, Reported } from './background.ts';
import { connect } from './connect.ts';

/** Rehearses one scenario for a page (background.ts), as a tab of its own without a screen. */

const ending = new AbortController();
const report = (reported: Reported) => postMessage(reported);

async function run({ scenario: id, ...server }: Exclude<Asked, 'stop'>): Promise<void> {
  const scenario = scenarios.find((each) => each.id === id);
  if (!scenario) throw new Error(`No scenario is called ${id}`);
  const { actor, go, pause, end } = await connect(server);
  const walker = createWalker(
    actor,
    {
      go,
      pause,
      patient: false,
      now: () => performance.now(),
      visit: () => Promise.resolve(),
      tell: (told) => 'begins' in told && report({ begins: told.begins }),
    },
    ending.signal,
  );
  const lab = pageLab();
  try {
    const { because } = await rehearse(scenario, walker, lab, restore);
    await lab.end();
    report({ because });
  } catch (error) {
    await lab.end();
    throw error;
  } finally {
    walker.stop();
    end();
  }
}

addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  if (data === 'stop') ending.abort(new Error('The run was stopped'));
  else void run(data).catch((error: unknown) => report({ error: String(error) }));
});
