import { blockedState, cancelledState, checkingState, finalOutput, succeededState } from '../lib/gate.ts';
import { failsTo } from '../lib/journeyActions.ts';
import { pressLabel } from '../lib/describe.ts';
import { noPayment } from './choices.ts';
import { electronicPayment, filePayment } from './journeys.ts';
import { payment } from './payment.setup.ts';
import { assignMaterial, formState, invoicesAsked, reviewState, unavailable } from './states.ts';

const loadingText = 'Reads accounts, payees, invoices and rules';
const listingText = 'Another number of invoices is being read';
const succeeded = succeededState('The batch is posted');

/**
 * Pays invoices electronically (behaviour, sections 2 and 5): choose, review, then pay. The review receives the
 * idempotency key and asks for confirmation if an invoice may already be paid. Pay replaces the Review button and is
 * ignored for 500 ms, so that a double click pays nothing. While a payment is in progress, no event can send it again.
 * Effects: `loadMaterial`, `prepare`, `pay`; the input contains the number of invoices to list.
 */
export const electronicPaymentMachine = payment.createMachine({
  id: electronicPayment.id,
  context: ({ input }) => noPayment('electronic', input),
  initial: 'checking',
  output: finalOutput,
  states: {
    checking: checkingState('loading'),
    blocked: blockedState(electronicPayment.requires),
    loading: {
      tags: ['busy'],
      description: loadingText,
      entry: 'clearFailure',
      invoke: {
        id: 'loadMaterial',
        src: 'loadMaterial',
        input: invoicesAsked,
        onDone: { target: 'choosing', actions: [assignMaterial, 'openForm', 'restoreDraft', 'showCorrections'] },
        onError: failsTo('unavailable'),
      },
    },
    unavailable,
    choosing: {
      tags: ['form'],
      description: 'What is paid is chosen',
      initial: 'form',
      states: {
        form: formState(electronicPayment.id),
        listing: {
          tags: ['busy'],
          description: listingText,
          invoke: {
            id: 'loadMaterial',
            src: 'loadMaterial',
            input: invoicesAsked,
            onDone: { target: 'form', actions: [assignMaterial, 'openForm', 'restoreDraft', 'showCorrections'] },
            onError: failsTo(`#${electronicPayment.id}.unavailable`),
          },
        },
      },
    },
    review: reviewState(electronicPayment.id),
    succeeded,
    cancelled: cancelledState,
  },
});

/** Pays invoices by a bank file: the same, after a template has been chosen. */
export const filePaymentMachine = payment.createMachine({
  id: filePayment.id,
  context: ({ input }) => noPayment('file', input),
  initial: 'checking',
  output: finalOutput,
  states: {
    checking: checkingState('loading'),
    blocked: blockedState(filePayment.requires),
    loading: {
      tags: ['busy'],
      description: loadingText,
      entry: 'clearFailure',
      invoke: {
        id: 'loadMaterial',
        src: 'loadMaterial',
        input: invoicesAsked,
        onDone: { target: 'entering', actions: assignMaterial },
        onError: failsTo('unavailable'),
      },
    },
    unavailable,
    // Checks again, because the facts now contain the number of templates just read.
    entering: {
      always: [
        { guard: 'isBlocked', target: 'blocked' },
        { guard: 'isFormatMissing', target: 'choosing.format' },
        { target: 'choosing.form', actions: ['openForm', 'restoreDraft', 'showCorrections'] },
      ],
    },
    choosing: {
      tags: ['form'],
      description: 'What is paid is chosen',
      initial: 'format',
      on: {
        'format.choose': {
          guard: 'isOffered',
          target: '.form',
          actions: ['chooseFormat', 'openForm', 'restoreDraft', 'showCorrections'],
          description: 'Choose a bank file template',
        },
      },
      states: {
        format: {
          description: 'A bank file template is to be chosen first',
          on: { 'form.cancel': { target: `#${filePayment.id}.cancelled`, description: pressLabel('Cancel') } },
        },
        form: formState(filePayment.id),
        listing: {
          tags: ['busy'],
          description: listingText,
          on: { 'format.choose': {} },
          invoke: {
            id: 'loadMaterial',
            src: 'loadMaterial',
            input: invoicesAsked,
            onDone: { target: `#${filePayment.id}.entering`, actions: assignMaterial },
            onError: failsTo(`#${filePayment.id}.unavailable`),
          },
        },
      },
    },
    review: reviewState(filePayment.id),
    succeeded,
    cancelled: cancelledState,
  },
});
