import { assign, setup } from 'xstate';
import { isBlocked, journeyTypes } from '../lib/gate.ts';
import type { JourneyInput } from '../lib/gate.ts';
import { doubleClick } from '../lib/doubleClick.ts';
import type { DraftInput } from '../lib/draft.ts';
import { draftActions } from '../lib/draftActions.ts';
import { actionTexts, effect, readTexts } from '../lib/effect.ts';
import { formActions } from '../lib/formActions.ts';
import { journeyActions, journeyGuards } from '../lib/journeyActions.ts';
import { describedGuard } from '../lib/describe.ts';
import { corrections, errorsWithout, examples, formOf, learntFrom, restored, type PaymentEvent } from './choices.ts';
import { electronicPayment, filePayment } from './journeys.ts';
import { findingsOf } from './review.ts';
import { refusedErrors } from './faults.ts';
import {
  isLive,
  mayPay,
  paymentChoices,
  paymentErrors,
  settledIn,
  type InvoicesAsked,
  type OutgoingPayment,
  type PaymentContext,
  type PaymentInput,
  type PaymentMaterial,
  type PreparedPayment,
  type UnsentBatch,
} from './payment.ts';

interface Args {
  context: PaymentContext;
  event: PaymentEvent;
}

const requiredBy = ({ kind }: PaymentContext) => (kind === 'file' ? filePayment : electronicPayment).requires;

/** The types, effects, guards and actions of both kinds of payment. */
export const payment = setup({
  types: journeyTypes<{
    context: PaymentContext;
    events: PaymentEvent;
    input: Partial<PaymentInput> & DraftInput;
    result: { batchId: string };
  }>(),
  actors: {
    loadMaterial: effect<JourneyInput<InvoicesAsked>, PaymentMaterial>(
      'reads',
      readTexts('Accounts, payees and invoices'),
    ),
    prepare: effect<UnsentBatch, PreparedPayment>('writes', {
      answers: 'The idempotency key arrives',
      fails: 'The review cannot be opened',
    }),
    pay: effect<OutgoingPayment, { batchId: string }>('writes', actionTexts('The batch is posted')),
  },
  delays: { doubleClick },
  guards: {
    isBlocked: describedGuard('a requirement is missing', (args: Args) => isBlocked(requiredBy(args.context))(args)),
    isFormatMissing: describedGuard('no template is chosen yet', ({ context }: Args) => context.format === null),
    isOffered: describedGuard(
      'it is offered',
      ({ context, event }: Args) =>
        event.type === 'format.choose' &&
        context.fileFormats.some((format) => format.fileFormatId === event.fileFormatId),
    ),
    mayFill: describedGuard('it is the sandbox', ({ context }: Args) => context.facts.environment === 'sandbox'),
    isValid: describedGuard('nothing is in error', ({ context }: Args) => paymentErrors(context).length === 0),
    mayPay: describedGuard(
      'no value breaks a rule; no invoice may be paid already, or paying again is confirmed; and the total is confirmed where required',
      ({ context }: Args) => mayPay(context),
    ),
    isSettled: describedGuard(
      'it names the payment’s batch',
      ({ context, event }: Args) => event.type === 'facts.arrived' && settledIn(event.facts, context) !== undefined,
    ),
    isLive: describedGuard('real money moves', ({ context }: Args) => isLive(context)),
    isCovered: describedGuard(
      'an invoice may be paid already',
      ({ context }: Args) => (context.prepared?.covered.length ?? 0) > 0,
    ),
  },
  actions: {
    assignMaterial: assign(({ context }, material: PaymentMaterial) => learntFrom(context, material)),
    openForm: assign(({ context }) => formOf(context)),
    restoreDraft: assign(({ context }) => restored(context)),
    showCorrections: assign(({ context }) => corrections(context)),
    chooseFormat: assign(({ context: { fileFormats }, event }) =>
      event.type === 'format.choose'
        ? { format: fileFormats.find(({ fileFormatId }) => fileFormatId === event.fileFormatId) ?? null }
        : {},
    ),
    chooseDebtor: assign(({ context, event }) =>
      event.type === 'debtor.choose'
        ? { debtorId: event.debtorId, errors: errorsWithout(context, paymentChoices.bankAccount) }
        : {},
    ),
    chooseDate: assign(({ context, event }) =>
      event.type === 'date.choose' ? { date: event.date, errors: errorsWithout(context, paymentChoices.date) } : {},
    ),
    fillExamples: assign(({ context }) => examples(context)),
    chooseCount: assign(({ event }) => (event.type === 'invoices.ask' ? { invoiceCount: event.count } : {})),
    tickInvoices: assign(({ context, event }) =>
      event.type === 'invoices.tick'
        ? { ticked: event.ids, errors: errorsWithout(context, paymentChoices.invoices) }
        : {},
    ),
    showErrors: assign(({ context }) => ({ errors: paymentErrors(context) })),
    // Errors that the service reported no longer apply once the batch is sent again.
    clearErrors: assign({ errors: [], sought: '' }),
    openReview: assign(({ context }, prepared: PreparedPayment) => {
      const { preview, broken } = findingsOf(context, prepared);
      return { prepared, preview, broken, again: false, repeats: false, confirmation: '' };
    }),
    allowAgain: assign(({ event }) => (event.type === 'again.allow' ? { again: event.allowed } : {})),
    typeTotal: assign(({ event }) => (event.type === 'total.confirm' ? { confirmation: event.text } : {})),
    markRefusal: assign(({ context }) => refusedErrors(context)),
    markRepeated: assign(({ context: { repeats, failure } }) => ({
      repeats: repeats || ['unknown', 'done'].includes(failure?.outcome ?? ''),
    })),
    assignResult: assign((_, result: { batchId: string }) => ({ result })),
  },
})
  .extend({ guards: journeyGuards, actions: journeyActions })
  .extend({ actions: { changeField: formActions.changeField } })
  .extend({ actions: { keepField: draftActions.keepField, keepExamples: draftActions.keepExamples } });
