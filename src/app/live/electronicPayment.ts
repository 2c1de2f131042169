import { electronicPaymentMachine } from '#machines/payment.machine.ts';
import type { InvoicesAsked, PaymentMaterial } from '#machines/payment.ts';
import { fulfil, port } from '#machines/port.ts';
import { commonMaterial, pay, prepare } from './payment.ts';

export { input } from './payment.ts';

export const machine = electronicPaymentMachine.provide({
  actors: {
    loadMaterial: fulfil(port<InvoicesAsked, PaymentMaterial>('loadMaterial'), async (asked, signal) => ({
      ...(await commonMaterial('electronicPayment', asked, signal)),
      fileFormats: [],
    })),
    prepare,
    pay,
  },
});
