import type { FileFormat } from '#contract/entities.ts';
import type { Problem } from '#contract/problem.ts';
import { filePaymentMachine } from '#machines/payment.machine.ts';
import type { InvoicesAsked, PaymentMaterial } from '#machines/payment.ts';
import { fulfil, port } from '#machines/port.ts';
import { languageOf, spoken } from '#rules/language.ts';
import { call } from '../client.ts';
import { commonMaterial, pay, prepare } from './payment.ts';

export { input } from './payment.ts';

/** A refusal opens the same gate as finding none (behaviour, section 8: "returned a non-200 status or failed"). */
const loadFileFormats = (signal: AbortSignal): Promise<{ fileFormats: FileFormat[]; problem?: Problem }> =>
  call('getFileFormats', { signal }).then(
    ({ data }) => ({ fileFormats: data }),
    (problem: Problem) => ({ fileFormats: [], problem }),
  );

const withLanguage = (format: FileFormat, asked: string): FileFormat => ({
  ...format,
  specification: { ...format.specification, rules: spoken(format.specification.rules, languageOf(format, asked)) },
});

export const machine = filePaymentMachine.provide({
  actors: {
    loadMaterial: fulfil(port<InvoicesAsked, PaymentMaterial>('loadMaterial'), async (asked, signal) => {
      const [material, { fileFormats, problem }] = await Promise.all([
        commonMaterial('filePayment', asked, signal),
        loadFileFormats(signal),
      ]);
      const facts = {
        ...material.facts,
        fileFormats: fileFormats.length,
        ...(problem && { unread: [...material.facts.unread, 'fileFormats' as const], unreadBecause: problem }),
      };
      const { acceptLanguage } = facts.settings;
      return { ...material, facts, fileFormats: fileFormats.map((format) => withLanguage(format, acceptLanguage)) };
    }),
    prepare,
    pay,
  },
});
