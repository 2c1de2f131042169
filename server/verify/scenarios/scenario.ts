import type { Exercise } from '#server/programs/checks/evidence.ts';
import type { CallFault } from '#server/sandbox/faultRules.ts';

/** How the program is run in a scenario. */
type Course =
  /** Once, until it ends. */
  | 'once'
  /** Killed while its first batch is under way, then started again with the same state. */
  | 'killed'
  /** Likewise, but killed while its first call for a batch is under way. */
  | 'killed-early'
  /** Two instances at the same time, with the same state. */
  | 'twice'
  /** Again with other invoices after it has ended, with the same state. */
  | 'again';

/** A situation that a program is put into. */
export interface Scenario {
  id: string;
  title: string;
  course: Course;
  /** Rules of the fault lab that are set before the program starts. */
  faults: readonly Exercise[];
  /** Ids of the checks that it is for. Many other checks judge it as well. */
  checks: readonly string[];
  /** Whether the payment of the second invoice fails at the bank. */
  failing?: boolean;
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
  /** Whether the local day of the program ends after its first run. */
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

/** A fault of one call that reads a batch. */
export const atReading = (fault: CallFault): Exercise => ({ on: 'call', of: 'batch', fault, times: 1 });

/** How often a fault happens that is to meet each call of a program. */
export const everyTime = 100;
