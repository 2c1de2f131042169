import { faultOnArrowMachine, type FaultedRun } from '#machines/lab/faultOnArrow.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { isOpen } from '#rules/lab.ts';
import { call } from '../client/client.ts';
import { withLabEvent } from '../client/labEvents.ts';
import { sendRecorded } from '../client/sendRecorded.ts';

/** Narrows the run, which its event has set. Throws if it is null. */
function chosen(run: FaultedRun | null): FaultedRun {
  if (run === null) throw new Error('No fault was chosen');
  return run;
}

export const faultOnArrow = provideEffects(faultOnArrowMachine, {
  async run(given) {
    const { rule, repeat } = chosen(given);
    await withLabEvent(call('setFault', { body: rule }));
    const { id, status } = await sendRecorded(repeat);
    return { id, succeeded: status >= 200 && status < 300 };
  },
  async disarm(given) {
    const { rule } = chosen(given);
    const { rules } = (await call('getLab', {})).data;
    const set = rules.filter((each) => each.seed === rule.seed && each.on === rule.on && each.of === rule.of);
    const unhit = set.filter(isOpen);
    for (const { ruleId } of unhit) await withLabEvent(call('removeFault', { params: { ruleId } }));
    return unhit.length > 0;
  },
});
