import type { LabClock, LabStanding } from '#contract/lab.ts';
import type { ResourceKind } from '../lib/resource.machine.ts';

/** The acts on the lab's current state that need no form. */
export type LabAct =
  | { act: 'lab.stop' }
  | { act: 'faults.stop' }
  | { act: 'fault.remove'; ruleId: string }
  | { act: 'clock.move'; ms: number }
  | { act: 'clock.hold' }
  | { act: 'clock.run' }
  | { act: 'clock.everyDay' }
  | { act: 'clock.bankingDays' }
  | { act: 'clock.reset' }
  | { act: 'receiver.remove' };

/** The lab, and the steady time (ms) at which it was read. */
export interface LabReading extends LabStanding {
  readAt: number;
}

/** Controls of which each replaces the other one once it was pressed. */
const opposites: Partial<Record<LabAct['act'], LabAct['act']>> = {
  'clock.hold': 'clock.run',
  'clock.run': 'clock.hold',
  'clock.everyDay': 'clock.bankingDays',
  'clock.bankingDays': 'clock.everyDay',
};

/** Whether the sandbox's clock differs from the machine's. */
const isShifted = ({ offset, still }: LabClock): boolean => still || offset !== 0;

/** Whether the lab injects faults or has moved the clock. */
export const isOn = (lab: LabStanding | null): boolean =>
  lab !== null && (isShifted(lab.clock) || lab.rules.length > 0);

const permitted: { [Name in LabAct['act']]: (lab: LabStanding, act: Extract<LabAct, { act: Name }>) => boolean } = {
  'lab.stop': isOn,
  'faults.stop': ({ rules }) => rules.length > 0,
  'fault.remove': ({ rules }, act) => rules.some(({ ruleId }) => ruleId === act.ruleId),
  'clock.move': () => true,
  'clock.hold': ({ clock }) => !clock.still,
  'clock.run': ({ clock }) => clock.still,
  'clock.everyDay': ({ clock }) => !clock.everyDay,
  'clock.bankingDays': ({ clock }) => clock.everyDay === true,
  'clock.reset': ({ clock }) => isShifted(clock),
  'receiver.remove': ({ receiver }) => receiver.url !== null,
};

/** The current state of the sandbox's fault lab: its rules, clock and second receiver. Other users may change them. */
export const labKind: ResourceKind<LabReading, LabAct> = {
  reads: 'at once',
  permits: (act, lab) => lab !== null && (permitted[act.act] as (lab: LabStanding, each: LabAct) => boolean)(lab, act), // the name selects the guard
  repeats: (act, last) => [last.act, opposites[last.act]].includes(act.act),
};
