import { answering, type Sent } from '../answer.ts';
import { failing } from '../port.ts';
import { press } from '../say.ts';
import { failed, failedAsSent, type QueryContext } from './query.ts';

/**
 * The states of deleting a debtor or creditor: the user confirms, the message is sent, the provider answers; the list
 * stays visible throughout. The chart supplies the ports `deleteParty`, `askOutcome` and `sendAgain`, the action
 * `removeRow`, and the state `concluding`, which follows when a deletion is accepted or abandoned.
 */
export const deletion = (id: string) =>
  ({
    confirming: {
      tags: ['list'],
      meta: { description: 'Deleting a row is to be confirmed' },
      on: {
        'delete.confirm': { target: 'deleting', description: press('Delete') },
        'delete.dismiss': { target: 'listing', description: press('Cancel') },
      },
    },
    deleting: {
      tags: ['list', 'busy'],
      meta: { description: 'The deletion is being sent' },
      entry: 'forget',
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
        onError: failing('refused'),
      },
    },
    answering: {
      tags: ['list'],
      meta: { description: "The provider's answer to the deletion is awaited" },
      ...answering(
        {
          ends: [
            { guard: 'isRefused', target: `#${id}.refused`, actions: 'failByOutcome' },
            { target: `#${id}.concluding`, actions: ['removeRow', 'tell'] },
          ],
          unanswered: `#${id}.unanswered`,
        },
        { 'answer.leave': { target: 'concluding', description: press('Stop waiting') } },
      ),
    },
    refused: {
      ...failed('The deletion was refused; the list is as it was', [
        { guard: 'isInList', target: 'confirming' },
        { target: 'checking' },
      ]),
      entry: 'tell', // a record that it depends on may have been deleted
    },
    unanswered: failedAsSent('Whether the row was deleted could not be read', {
      target: 'answering',
      actions: 'forgetFailure',
    }),
  }) as const;
