import type { JsonObject } from '#contract/json.ts';
import { parseJson } from '#rules/json.ts';
import { additionalData } from '#rules/payload.ts';
import { pressLabel } from '../lib/describe.ts';
import { mirrored } from '../lib/journeyActions.ts';
import { ended, follows, heldTo, passesOn, passesOnResending, unsentTo } from '../lib/messaging.ts';
import { listSetup } from './authorisation.setup.ts';

/** The update of a subscription: a form of the provider's properties, sent by a message, whose answer is awaited. */
export const updatingState = listSetup.createStateConfig({
  tags: ['list'],
  description: 'Changes the provider’s data of the subscription',
  initial: 'editing',
  on: {
    'form.cancel': { target: 'list', actions: 'leaveUndone', description: pressLabel('Cancel', 'Stop waiting') },
  },
  states: {
    editing: {
      description: 'The form is open',
      exit: 'forgetMessage',
      on: {
        'form.change': { actions: 'changeField' },
        'form.submit': [
          { guard: 'isValid', target: 'messaging', description: pressLabel('Send update') },
          { actions: 'showErrors' },
        ],
      },
    },
    messaging: {
      description: 'Sends the update and waits for the provider’s webhook',
      entry: 'clearFailure',
      exit: 'forgetInvoked',
      on: { 'message.sendAgain': passesOnResending, retry: passesOn },
      invoke: {
        id: 'message',
        src: 'message',
        input: ({ context: { messageId, chosen, form, values, again } }) => ({
          request:
            messageId === ''
              ? {
                  request: 'update',
                  subscriptionId: chosen?.subscriptionId ?? '',
                  properties: parseJson(additionalData(form, values)) as JsonObject, // always an object
                  again,
                }
              : null,
          messageId,
          outcome: chosen?.pending?.messageId === messageId ? chosen.pending : null,
        }),
        onSnapshot: { actions: [mirrored, follows] },
        onDone: [
          unsentTo('refused'),
          heldTo('another'),
          {
            guard: { type: 'isRefused', params: ended },
            target: 'refused',
            actions: ['settleUpdate', { type: 'assignRefusal', params: ended }],
          },
          { target: '#authorisation.acting', actions: 'settleUpdate' },
        ],
      },
    },
    another: {
      description: 'Another update is pending; this one was not sent',
      on: {
        'answer.await': { target: 'messaging', description: pressLabel('Wait for the webhook') },
        'update.again': {
          target: 'messaging',
          actions: ['confirmAgain', 'forgetMessage'],
          description: pressLabel('Send this update as well'),
        },
        'form.change': { target: 'editing', actions: ['changeField', 'clearAgain'] },
      },
    },
    refused: {
      tags: ['failed'],
      description: 'The update was refused, or the server could not be reached',
      entry: 'emitFactsChanged', // a record that it depends on may have been deleted
      exit: 'forgetMessage',
      on: {
        'form.change': { target: 'editing', actions: ['changeField', 'clearAgain'] },
        'form.submit': { target: 'messaging' },
        retry: { guard: 'canHelp', target: 'messaging' },
      },
    },
  },
});
