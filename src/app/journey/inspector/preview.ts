import type { AnyMachineSnapshot } from 'xstate';
import type { Facts } from '#contract/facts.ts';
import type { JourneyId } from '#machines/journeys.ts';
import type { Preview } from '#steps/preview.ts';
import { steps } from '#steps/steps.ts';
import { createdWord, keyWord } from './code/request.ts';

/** What the code calls the key that the page creates: a party's is its id. */
const ownVariable = (id: JourneyId) => (id === 'debtor' ? 'DEBTOR_ID' : id === 'creditor' ? 'CREDITOR_ID' : 'KEY');

/** The request that a page is about to send; null if it sends none, is blocked, or does not know it yet. */
export const previewOf = (
  id: JourneyId,
  snapshot: AnyMachineSnapshot,
  facts: Facts,
  key = keyWord,
  own = createdWord(ownVariable(id)),
): Preview | null => (snapshot.hasTag('gate') ? null : (steps[id].preview?.(snapshot, facts, key, own) ?? null));
