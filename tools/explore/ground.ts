import { labOf } from '../../src/command/lab.ts';
import { connect } from '../../src/app/tools/lab/connect.ts';
import { visitSandbox } from '../../src/command/visits.ts';
import { bringAbout, type Lab } from '../../src/runner/rehearse.ts';
import type { SituationId } from '../../src/runner/situations.ts';
import { createWalker } from '../../src/runner/runJourney.ts';
import { newConsole, type ConsoleProcess } from '../../tests/support/consoleProcess.ts';
import { openThrough, type Through } from './through.ts';

/** A console in a process of its own, whose sandbox is in a situation, and the way through which it is explored. */
export interface Ground {
  program: ConsoleProcess;
  lab: Lab;
  through: Through;
  close: () => Promise<void>;
}

async function prepare(url: string, situation: SituationId, lab: Lab): Promise<void> {
  const connected = await connect({ origin: url, headers: {} });
  const walker = createWalker(connected.actor, {
    ...connected,
    visit: (visit) => visitSandbox(visit, connected.go),
    patient: false,
    now: () => performance.now(),
  });
  try {
    const { because } = await bringAbout(situation, walker, lab);
    if (because) throw new Error(`The situation is not there: ${because}`);
  } finally {
    walker.stop();
    connected.end();
  }
}

/** Starts a console, and brings the situation about as a user would. Rejects if either fails. */
export async function groundFor(situation: SituationId): Promise<Ground> {
  const program = await newConsole({ RATE_LIMIT: '1000' });
  try {
    await program.start();
    const lab = await labOf(program.sandboxUrl);
    await prepare(program.url, situation, lab);
    const through = await openThrough(program.url, lab);
    const close = async () => {
      await through.close();
      await program.remove();
    };
    return { program, lab, through, close };
  } catch (error) {
    await program.remove();
    throw error;
  }
}
