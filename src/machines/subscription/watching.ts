import { poll, type PollEvent } from '../lib/poll.ts';
import { readOneTexts, toFailed } from '../lib/effect.ts';
import { pressLabel } from '../lib/describe.ts';
import { isDecided, type RowsState, type SubscriptionRow } from './rows.ts';

/** The effect that polls a subscription until it is decided, while its authorise page is open. */
export const watchRow = poll<SubscriptionRow, SubscriptionRow>(readOneTexts('The subscription'), {
  isEnough: isDecided,
});

export type WatchEvent = PollEvent<'watchRow', SubscriptionRow> | { type: 'authorise.close' };

/**
 * The states of an open authorise page: polls the subscription until it is decided; a failed poll does not close the
 * page. The chart supplies the effect `watchRow` and the actions `see` and `assignRow`; `decided`, `closed` and `left` are
 * the targets once the subscription is decided, the page is closed, or the journey is left.
 */
export const watching = <const Ends extends { id: string; decided: string; closed: string; left: object }>({
  id,
  decided,
  closed,
  left,
}: Ends) =>
  ({
    initial: 'waiting',
    on: {
      'authorise.close': { target: closed, description: pressLabel('Close the authorise page') },
      'form.cancel': left,
    },
    states: {
      waiting: {
        meta: { description: 'Polls the subscription until it is decided' },
        on: {
          'poll.told.watchRow': {
            actions: { type: 'see', params: ({ event }: { event: PollEvent<'watchRow', SubscriptionRow> }) => event },
          },
        },
        invoke: {
          id: 'watchRow',
          src: 'watchRow',
          input: ({ context }: { context: RowsState }) => context.chosen as SubscriptionRow, // entered only with a chosen row
          onDone: {
            target: `#${id}.${decided}`,
            actions: [
              { type: 'assignRow', params: ({ event }: { event: { output: SubscriptionRow } }) => event.output },
              'emitFactsChanged',
            ],
          },
          onError: toFailed('unanswered'),
        },
      },
      // The page stays open and keeps its input.
      unanswered: {
        tags: ['failed'],
        meta: { description: 'Asking failed; the authorise page stays open' },
        on: { retry: { target: 'waiting', actions: 'clearFailure' } },
      },
    },
  }) as const;
