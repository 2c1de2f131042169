import type { FileFormat } from '#contract/entities.ts';
import { filePaymentMachine } from '#machines/payment.machine.ts';
import { fulfil, port } from '#machines/port.ts';
import { call } from '../client.ts';
import { commonMaterial, pay } from './payment.ts';

/** A refusal opens the same gate as finding none (spec, section 8: "returned a non-200 status or failed"). */
const loadFileFormats = (signal: AbortSignal): Promise<FileFormat[]> =>
  call('getFileFormats', { signal }).then(
    ({ data }) => data,
    () => [],
  );

export const machine = filePaymentMachine.provide({
  actors: {
    loadMaterial: fulfil(port('loadMaterial'), async (_, signal) => {
      const [material, fileFormats] = await Promise.all([
        commonMaterial('filePayment', signal),
        loadFileFormats(signal),
      ]);
      return { ...material, facts: { ...material.facts, fileFormats: fileFormats.length }, fileFormats };
    }),
    pay,
  },
});
