import type { Body } from '#contract/shapes.ts';
import { labNews as labId } from '#contract/constants.ts';
import { labKind, type LabAct, type LabReading } from '#machines/lab/lab.ts';
import { call } from '../client/client.ts';
import { withLabEvent, subscribeToRecord } from '../client/recordEvents.ts';
import { every, newsOf, resource, whenVisible, type News } from './resource.ts';

type Doings = { [Name in LabAct['act']]: (act: Extract<LabAct, { act: Name }>) => Promise<unknown> };

const change = (body: Body<'changeClock'>) => call('changeClock', { body });

const doings: Doings = {
  'lab.stop': () => call('stopLab', {}),
  'faults.stop': () => call('stopFaults', {}),
  'fault.remove': ({ ruleId }) => call('removeFault', { params: { ruleId } }),
  'clock.move': ({ ms }) => change({ move: ms }),
  'clock.hold': () => change({ still: true }),
  'clock.run': () => change({ still: false }),
  'clock.everyDay': () => change({ everyDay: true }),
  'clock.bankingDays': () => change({ everyDay: false }),
  'clock.reset': () => call('resetClock', {}),
  'receiver.remove': () => call('removeReceiver', {}),
};

/** Polling interval (ms) for a sandbox that does not notify the console of changes. */
const looks = 5000;

/** A sandbox that is a separate process sends no news and is polled. */
const ofOther: News = (wake, now) =>
  every(looks)(() => {
    if (now.facts()?.sandbox?.isApart && document.visibilityState === 'visible') wake();
  }, now);

/** News of the lab. */
export const labNews = newsOf(whenVisible, (wake) => subscribeToRecord(labId, wake), ofOther);

/** The lab's banner and its page show one reading, which begins with the first of them: a live service has no lab. */
export const lab = resource({
  kind: labKind,
  shared: true,
  news: labNews,
  read: async (_: null, signal: AbortSignal): Promise<LabReading> => ({
    ...(await call('getLab', { signal })).data,
    readAt: performance.now(),
  }),
  async act(act) {
    await withLabEvent((doings[act.act] as (each: LabAct) => Promise<unknown>)(act)); // the name selects what is done
    return null;
  },
});
