import type { Facts } from '#contract/facts.ts';
import { phaseOf, phases, type JourneyId, type Phase } from '#machines/journeys.ts';
import { counted } from '#rules/counted.ts';
import { shortId } from '#steps/kit/shortId.ts';
import type { Tone } from '#steps/kit/StatusWord.tsx';
import { guidedRows, type GuidedRow } from './guidedRows.ts';

/** A phase of the guided path with its rows. */
export interface PhaseRows {
  phase: Phase;
  rows: GuidedRow[];
  tone: Tone;
  word: string;
  /** A short summary of its state: the result, the number of rows done, or "later". */
  stands: string;
}

/** The name of the current company, else its short id; '' if there is none. */
export const companyOf = ({ companies, scope, settings }: Facts): string =>
  companies.find((each) => each.scope === scope)?.companyName || shortId(settings.companyId);

/** The short result of each row that is done: ids as their first eight and last four characters. */
const given: Partial<Record<JourneyId, (facts: Facts) => string>> = {
  settings: ({ settings }) => `${settings.providerCountry} · ${settings.acceptLanguage || 'no language'}`,
  organisation: ({ settings }) => shortId(settings.organisationId),
  company: (facts) => [...new Set([shortId(facts.settings.companyId), companyOf(facts)])].join(' · '),
  accessToken: () => 'Kept on the server',
  userToken: ({ userToken }) => (userToken ? 'Kept on the server' : 'Expired'),
  account: ({ settings }) => shortId(settings.accountId),
  dataset: ({ settings }) => shortId(settings.dataSetId),
  subscription: ({ settings, provider }) =>
    [shortId(settings.subscriptionId), provider?.name].filter(Boolean).join(' · '),
  authorisation: ({ subscription }) => subscription?.status ?? '',
  debtor: ({ debtors }) => counted(debtors, 'debtor'),
  creditor: ({ creditors }) => counted(creditors, 'creditor'),
  electronicPayment: ({ batches }) => counted(batches, 'batch', 'batches'),
  batch: ({ settings, batchStatus }) => `${shortId(settings.batchId)} · ${batchStatus}`,
};

export const givenBy = (id: JourneyId, facts: Facts): string => given[id]?.(facts) ?? '';

/** The status of the record that a row is about; '' if there is none yet. */
export const statusOf = (id: JourneyId, { subscription, batchStatus }: Facts): string =>
  (id === 'authorisation' ? subscription?.status : id === 'batch' ? batchStatus : '') ?? '';

/** Phases that are summarised by their result once they are done. */
const summaries: Partial<Record<Phase, (facts: Facts) => string>> = {
  'Set up': (facts) => givenBy('settings', facts),
  Identity: companyOf,
};

function standsOf(phase: Phase, rows: readonly GuidedRow[], isLater: boolean, facts: Facts): string {
  const done = rows.filter(({ tone }) => tone === 'done').length;
  const summary = done === rows.length && summaries[phase]?.(facts);
  if (summary) return summary;
  if (done === 0 && isLater) return `${counted(rows.length, 'step')} later`;
  return `${done} of ${rows.length}`;
}

/** The phases of the guided path; leaves out phases without rows. */
export function phaseRows(facts: Facts): PhaseRows[] {
  const all = guidedRows(facts);
  return phases.flatMap((phase) => {
    const rows = all.filter(({ id }) => phaseOf(id) === phase);
    if (rows.length === 0) return [];
    const isDone = rows.every(({ tone }) => tone === 'done');
    const isPresent = rows.some(({ tone }) => tone === 'next');
    const { tone, word }: Pick<PhaseRows, 'tone' | 'word'> = isDone
      ? { tone: 'done', word: 'Done' }
      : isPresent
        ? { tone: 'next', word: 'Next' }
        : { tone: 'idle', word: 'Later' };
    return [{ phase, rows, tone, word, stands: standsOf(phase, rows, !isPresent, facts) }];
  });
}
