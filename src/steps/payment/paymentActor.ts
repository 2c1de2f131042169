import type { ActorRefFrom } from 'xstate';
import type { electronicPaymentMachine } from '#machines/payment/payment.machine.ts';

/** Electronic and file payments share one statechart. */
export type PaymentActor = ActorRefFrom<typeof electronicPaymentMachine>;
