import { awaitingAnswer, type Sent } from '../lib/messageOutcome.ts';
import { toFailed } from '../lib/effect.ts';
import { pressLabel } from '../lib/describe.ts';
import { failed, failedAsSent, type QueryContext } from './query.ts';

/**
 * The states of deleting a debtor or creditor: the user confirms, the message is sent, the provider answers; the list
 * stays visible throughout. The chart supplies the effects `deleteParty`, `askOutcome` and `sendAgain`, the action
 * `removeRow`, and the state `concluding`, which follows when a deletion is accepted, abandoned or not confirmed.
 */
export const deletion = (id: string) =>
  ({
    confirming: {
      tags: ['list'],
      meta: { description: 'Deleting a row is to be confirmed' },
      on: {
        'delete.confirm': { target: 'deleting', description: pressLabel('Delete') },
        'delete.dismiss': { target: 'concluding', description: pressLabel('Cancel') },
      },
    },
    deleting: {
      tags: ['list', 'busy'],
      meta: { description: 'The deletion is being sent' },
      entry: 'clear',
      invoke: {
        id: 'deleteParty',
        src: 'deleteParty',
        input: ({ context }: { context: QueryContext<unknown> }) => ({
          subscriptionId: context.subscriptionId,
          id: context.resourceId,
        }),
        onDone: {
          target: 'answering',
          actions: { type: 'follow', params: ({ event }: { event: { output: Sent } }) => event.output },
        },
        onError: toFailed('refused'),
      },
    },
    answering: {
      tags: ['list'],
      meta: { description: 'Waiting for the provider’s webhook on the deletion' },
      ...awaitingAnswer(
        {
          ends: [
            { guard: 'isRefused', target: `#${id}.refused`, actions: 'failByOutcome' },
            { target: `#${id}.concluding`, actions: ['removeRow', 'emitFactsChanged'] },
          ],
          unanswered: `#${id}.unanswered`,
        },
        { 'answer.leave': { target: 'concluding', description: pressLabel('Stop waiting') } },
      ),
    },
    refused: {
      ...failed('The deletion was refused; the list is as it was', [
        { guard: 'isInList', target: 'confirming' },
        { target: 'checking' },
      ]),
      entry: 'emitFactsChanged', // a record that it depends on may have been deleted
    },
    unanswered: failedAsSent('The status of the deletion could not be read', {
      target: 'answering',
      actions: 'clearFailure',
    }),
  }) as const;
