import type { Exercise } from '#server/programs/checks/evidence.ts';
import type { CallFault } from '#server/sandbox/faultRules.ts';

/** How the program is run in a scenario. */
type Course =
  /** Once, until it ends. */
  | 'once'
  /** Killed and started again with the same state, as often as there are faults: each run but the last one meets one of them. */
  | 'killed'
  /** Two instances at the same time, with the same state. */
  | 'twice'
  /** Again with other invoices after it has ended, with the same state. */
  | 'again'
  /** Days after all is paid, again with the same invoices; and then with one that replaces an invoice that came back whole. */
  | 'later';

/**
 * When a run is killed: as soon as its call for a batch has come, or the service has accepted one, or the program a webhook
 * that names a payment as returned; or soon after such a call, or a reading, has ended.
 */
export type Moment = 'sent' | 'accepted' | 'told' | 'refused' | 'read';

/** A situation that a program is put into. */
export interface Scenario {
  id: string;
  title: string;
  course: Course;
  /** Rules of the fault lab that are set before the program starts; where it is killed, one before each run. */
  faults: readonly Exercise[];
  /** When its runs are killed. */
  killedAt?: Moment;
  /** Ids of the checks that it is for. Many other checks judge it as well. */
  checks: readonly string[];
  /** Words in the names of the creditors, in their order, by which something becomes of their payments (docs/sandbox.md). */
  words?: readonly string[];
  /** Rules of the fault lab that are set before the run that comes days later. */
  later?: readonly Exercise[];
  /** Whether the invoices are to be paid in a bank file. */
  byFile?: boolean;
  /** Whether all invoices have the same amount, and those of two runs the same creditors. */
  alike?: boolean;
  /** Whether all invoices have the same creditor. */
  toOne?: boolean;
  /** Whether the creditors' names are long, and have letters outside ASCII and signs that mean something to shells. */
  foreign?: boolean;
  /** Whether the second file repeats the invoices of the first one: only for a program whose files may do so. */
  repeats?: boolean;
  /** Whether a minute ends after the first call that pays: only for a program that makes its keys from the invoices. */
  atMinuteEnd?: boolean;
  /** Whether a day of the program ends after its first run. */
  dayEnds?: boolean;
  /** Whether webhooks of all kinds are sent to the program. */
  webhooks?: boolean;
  /** Whether webhooks say of a batch that it has failed, and that it is completed, while it fails in part. */
  misled?: boolean;
  /** Time (ms) after which a run is ended here, whatever the option says: what it says until then is judged. */
  limit?: number;
  /** The interval (ms) at which batches advance once the program has read them; without it, they do so by themselves. */
  stepEvery?: number;
  /** Roughly how long it takes (ms); the longest scenarios start first. */
  expected?: number;
}

/** A fault of so many calls that pay. */
export const atBatch = (fault: CallFault, times = 1): Exercise => ({ on: 'call', of: 'createBatch', fault, times });

/** A fault of so many calls that read a batch. */
export const atReading = (fault: CallFault, times = 1): Exercise => ({ on: 'call', of: 'batch', fault, times });

/** How often a fault happens that is to meet each call of a program. */
export const everyTime = 100;

/** A batch that stays in each state until it is advanced. */
export const heldBatch: Exercise = { on: 'batch', of: 'any', fault: { kind: 'hold' }, times: everyTime };
