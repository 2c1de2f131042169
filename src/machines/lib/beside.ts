import type { AnyMachineSnapshot } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import { own } from '#contract/member.ts';
import { latestIn } from '#rules/latest.ts';
import type { JourneyContext } from './gate.ts';
import { isUnknown } from './journeyActions.ts';
import { hasTag } from './state.ts';

/** A kind of record before whose creation the user may be asked. */
type Created = keyof typeof latestIn;

/** What the user of a form knows of others that were created, as its call is told. */
export interface Beside {
  /** The latest record as the form was opened; '' for none. The server refuses the form if there is another. */
  beside: string;
  /** Earlier requests that may have created one, as the form was refused because of them; '' for none. */
  despite: string;
}

/** What the user of a form that opens knows of others. */
export const besideIn = (kind: Created, facts: Facts): Beside => ({ beside: latestIn[kind](facts), despite: '' });

/** What a form that was refused has shown to its user, who may send it again. */
export const despiteIn = ({ failure }: JourneyContext): Pick<Beside, 'despite'> => ({
  despite: failure?.despite ?? '',
});

export const isCreated = (kind: string | undefined): kind is Created => kind !== undefined && own(latestIn, kind);

/**
 * Whether another tab, or a program, has created a record of a kind since the form was opened that is to create one. Not
 * while the form is sent, nor while its own outcome is unknown: then the record may be its own.
 */
export function isMadeBeside(form: AnyMachineSnapshot, kind: Created, facts: Facts): boolean {
  const { beside, failure } = form.context as JourneyContext & Partial<Beside>; // every journey's context extends JourneyContext
  if (beside === undefined || !form.hasTag('form') || hasTag(form, 'busy')) return false;
  return !isUnknown({ failure }) && !['', beside].includes(latestIn[kind](facts));
}
