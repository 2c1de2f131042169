import { systemClock } from '#server/clock.ts';
import { createRecordBudget } from '#server/sandbox/records/budget.ts';
import { createRecorder, type RecorderOptions } from '#server/sandbox/records/recorder.ts';

/** A recorder of an application without a console. */
export const recorderOf = (changes: Partial<RecorderOptions> = {}) =>
  createRecorder({
    maximum: 100,
    budget: createRecordBudget(1024 * 1024),
    clock: systemClock,
    url: '',
    unrecorded: 'never sent',
    isOwn: () => false,
    addressesOf: () => undefined,
    onCall: () => undefined,
    ...changes,
  });
