import type { InstrumentDefinition } from './definition.ts';
import { addressRules, creditorRules, debtorRules, paymentRules } from './parties.ts';
import { au } from '#server/sandbox/catalogue/wording/au.ts';
import { ca, canadianLanguages } from '#server/sandbox/catalogue/wording/ca.ts';
import type { CountryWords } from '#server/sandbox/catalogue/wording/country.ts';
import { gb } from '#server/sandbox/catalogue/wording/gb.ts';
import { us } from '#server/sandbox/catalogue/wording/us.ts';

/** The rules of a transfer between accounts, which needs both of them. */
const transferRules = (words: CountryWords) => [...debtorRules(words), ...creditorRules(words), ...paymentRules(words)];

/** All payment types; providers refer to them by id (wire, section 8). */
export const instruments: readonly InstrumentDefinition[] = [
  { localInstrumentId: 'bacs', name: 'Bacs Direct Credit', languages: ['en'], rules: transferRules(gb) },
  { localInstrumentId: 'faster-payments', name: 'Faster Payments', languages: ['en'], rules: transferRules(gb) },
  // A cheque is sent by post, so it needs a postal address.
  {
    localInstrumentId: 'cheque',
    name: 'Cheque',
    languages: ['en'],
    rules: [...addressRules(gb, 'required'), ...paymentRules(gb)],
  },
  { localInstrumentId: 'ach', name: 'ACH Credit', languages: ['en'], rules: transferRules(us) },
  { localInstrumentId: 'eft', name: 'EFT Credit', languages: canadianLanguages, rules: transferRules(ca) },
  { localInstrumentId: 'direct-entry', name: 'Direct Entry', languages: ['en'], rules: transferRules(au) },
];
