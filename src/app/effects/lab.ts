import type { Body } from '#contract/shapes.ts';
import { labMachine, type LabAct } from '#machines/lab/lab.machine.ts';
import { provideEffects } from '#machines/lib/effect.ts';
import { call } from '../api/client.ts';
import { withLabEvent } from '../api/labEvents.ts';

type Doings = { [Type in LabAct['type']]: (act: Extract<LabAct, { type: Type }>) => Promise<unknown> };

const change = (body: Body<'changeClock'>) => call('changeClock', { body });

const doings: Doings = {
  'lab.stop': () => call('stopLab', {}),
  'faults.stop': () => call('stopFaults', {}),
  'fault.remove': ({ ruleId }) => call('removeFault', { params: { ruleId } }),
  'clock.move': ({ ms }) => change({ move: ms }),
  'clock.hold': () => change({ still: true }),
  'clock.run': () => change({ still: false }),
  'clock.reset': () => call('resetClock', {}),
  'receiver.remove': () => call('removeReceiver', {}),
};

export const lab = provideEffects(labMachine, {
  readLab: async (_, signal) => ({ ...(await call('getLab', { signal })).data, readAt: performance.now() }),
  change: async (act) => {
    if (act) await withLabEvent((doings[act.type] as (each: LabAct) => Promise<unknown>)(act)); // the type selects what is done
  },
});
