import { electronicPaymentMachine } from '#machines/payment.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { commonMaterial, pay } from './payment.ts';

export const machine = electronicPaymentMachine.provide({
  actors: {
    loadMaterial: fulfil(port('loadMaterial'), async (_, signal) => ({
      ...(await commonMaterial('electronicPayment', signal)),
      fileFormats: [],
    })),
    pay,
  },
});
