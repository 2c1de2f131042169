import { companyHeader } from '../../src/contract/constants.ts';
import { alerts } from '../../src/contract/alerts.ts';
import type { Batch } from '../../src/contract/batch.ts';
import type { Facts } from '../../src/contract/facts.ts';
import { blockers, journeyOf, journeyOrder } from '../../src/machines/journeys.ts';
import { requirements, requirement, type RequirementId } from '../../src/machines/requirements.ts';
import type { Lab } from '../../src/runner/rehearse.ts';
import { apiAt } from '../../tests/support/api.ts';
import type { Truth } from './truth.ts';

/** What was sent to pay invoices again, because a user has ticked that. */
export interface Sent {
  again: ReadonlySet<string>;
}

/** Payments that have not come to anything. */
const undone: readonly string[] = ['Failed', 'Rejected', 'Cancelled'];

/** The titles of gates of which every requirement is met. */
function metBy(facts: Facts): string[] {
  const gates = (Object.keys(requirements) as RequirementId[]).flatMap((id) => {
    const { alert, isMet: met } = requirement(id);
    return alert ? [{ title: alerts[alert], met: met(facts) }] : [];
  });
  return [...new Set(gates.map(({ title }) => title))].filter((title) =>
    gates.every((gate) => gate.title !== title || gate.met),
  );
}

const barOf = ({ settings, provider }: Facts): Truth['facts']['bar'] => ({
  Subscription: settings.subscriptionId,
  Provider: provider?.name ?? '',
  'PR Ctry': settings.providerCountry,
  'FF Ctry': settings.fileFormatCountry,
  Lang: settings.acceptLanguage,
});

/** The references of what a batch pays, without what has failed. */
const paidIn = ({ status, payments = [] }: Batch): string[] =>
  undone.includes(status)
    ? []
    : payments.flatMap((payment) => {
        const { remittanceInformation, status: of } = payment as {
          remittanceInformation?: { reference?: string };
          status?: string;
        }; // wire, section 5.3
        const reference = remittanceInformation?.reference ?? '';
        return reference === '' || undone.includes(of ?? '') ? [] : [reference];
      });

/** Asks console and sandbox, again and again, what is so. */
export function upstreamOf(url: string, lab: Lab, sent: Sent) {
  const { done } = apiAt(url);
  const settled = new Map<string, string[]>();

  /** What each batch of the company pays; read again until its status is the last one. */
  async function paidBy(batches: readonly { batchId: string; next: string | null }[], headers: Record<string, string>) {
    const paid: string[][] = [];
    for (const { batchId, next } of batches) {
      const known = settled.get(batchId);
      const references = known ?? paidIn((await done('getBatch', { params: { batchId }, headers })).data);
      if (next === null) settled.set(batchId, references);
      paid.push(references);
    }
    return paid.flat();
  }

  /** What is so for the company with this key, '' for the current one. Rejects if that cannot be read. */
  return async function truth(companyKey: string): Promise<Truth> {
    const headers: Record<string, string> = companyKey ? { [companyHeader]: companyKey } : {};
    const facts = await done('getFacts', { headers });
    const batches = await lab.batches();
    const own = batches.filter(({ companyId }) => companyId === facts.settings.companyId);
    const paid = await paidBy(own, headers);
    return {
      facts: {
        bar: barOf(facts),
        organisationId: facts.settings.organisationId,
        debtors: facts.debtors,
        subscriptionStatus: facts.subscription?.status ?? '',
      },
      met: metBy(facts),
      open: journeyOrder.flatMap((id) => (blockers(id, facts).length === 0 ? journeyOf(id).path : [])),
      batches: Object.fromEntries(batches.map(({ batchId, status }) => [batchId, status])),
      twice: [...new Set(paid.filter((reference, index) => paid.indexOf(reference) !== index))].filter(
        (reference) => !sent.again.has(reference),
      ),
    };
  };
}
