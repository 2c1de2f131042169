import { calls, type CallName } from '#contract/calls.ts';
import { companyHeader } from '#contract/constants.ts';
import type { apiAt } from '#tests/support/api.ts';
import type { Exchange } from './line.ts';

type Console = ReturnType<typeof apiAt>;

const isOf = (name: CallName, { method, path }: Exchange): boolean =>
  calls[name].method === method && calls[name].path === path;
const json = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>; // an answer of the console

/** The ids that answers of a call have confirmed to somebody, with the company that they belong to. */
function confirmed(
  exchanges: readonly Exchange[],
  name: CallName,
  idIn: (answer: never, body: never) => string,
): { id: string; companyKey: string; at: number }[] {
  return exchanges
    .filter((each) => each.status >= 200 && each.status < 300 && isOf(name, each))
    .map(({ text, body, companyKey, at }) => ({
      id: idIn(json(text || '{}') as never, json(body || '{}') as never), // as the contract declares them
      companyKey,
      at,
    }));
}

const dataId = ({ data }: { data: { data: { id: string } } }) => data.data.id;
const organisationId = (answer: { organisationId: string }) => answer.organisationId;
const companyId = (answer: { companyId: string }) => answer.companyId;
const subscriptionId = ({ data }: { data: { subscriptionId: string } }) => data.subscriptionId;
const batchId = ({ data }: { data: { batchId: string } }) => data.batchId;
const debtorId = (_: unknown, { data }: { data: { debtorId: string } }) => data.debtorId;
const creditorId = (_: unknown, { data }: { data: { creditorId: string } }) => data.creditorId;

/** What the answers so far have confirmed. */
export const confirmations = (exchanges: readonly Exchange[]) => ({
  organisations: confirmed(exchanges, 'createOrganisation', organisationId),
  companies: confirmed(exchanges, 'createCompany', companyId),
  accounts: confirmed(exchanges, 'createAccount', dataId),
  datasets: confirmed(exchanges, 'createDataset', dataId),
  subscriptions: confirmed(exchanges, 'createSubscription', subscriptionId),
  batches: confirmed(exchanges, 'createBatch', batchId),
  parties: [...confirmed(exchanges, 'putDebtor', debtorId), ...confirmed(exchanges, 'putCreditor', creditorId)],
});

/** The latest value of each setting that was confirmed, and those that were sent since and may have been stored. */
function settingsThatMayBe(exchanges: readonly Exchange[]): Map<string, Set<string>> {
  const values = new Map<string, Set<string>>();
  for (const each of exchanges) {
    if (!isOf('setSetting', each)) continue;
    const { key, value } = JSON.parse(each.body) as { key: string; value: string }; // of the contract
    const isConfirmed = each.status >= 200 && each.status < 300;
    const isRefused = each.status >= 400 && each.status < 500;
    if (isRefused) continue;
    const before = values.get(key);
    // Of two that were under way at the same time either may be the last.
    const others = exchanges.some(
      (other) => other !== each && isOf('setSetting', other) && other.sentAt < each.at && other.at > each.sentAt,
    );
    if (isConfirmed && !others) values.set(key, new Set([value]));
    else if (before) before.add(value);
  }
  return values;
}

/** Whether a program has written the list of batches, which then is what it wrote. */
export const areBatchesWritten = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some((each) => isOf('setSetting', each) && each.body.includes('"postedBatches"'));

/** The settings that belong to the workspace, not to a company. */
const ofWorkspace = ['providerCountry', 'fileFormatCountry'] as const;

/**
 * Compares what was confirmed to users with what is stored now. Returns what is missing, a sentence each; undefined if it cannot be read.
 */
export async function notStored(console: Console, exchanges: readonly Exchange[]): Promise<string[] | undefined> {
  const { organisations, companies, accounts, datasets, subscriptions, batches, parties } = confirmations(exchanges);
  const mayBe = settingsThatMayBe(exchanges);
  const lines: string[] = [];
  const missing = (kind: string, id: string) =>
    lines.push(`The ${kind} ${id} was confirmed to a user, and is not stored.`);
  try {
    const facts = await console.done('getFacts');
    const known = new Set(facts.companies.flatMap((each) => [each.organisationId, each.companyId]));
    for (const { id } of organisations) if (!known.has(id)) missing('organisation', id);
    for (const { id } of companies) if (!known.has(id)) missing('company', id);
    for (const key of ofWorkspace) {
      const values = mayBe.get(key);
      if (values && !values.has(facts.settings[key]))
        lines.push(
          `The setting ${key} is ${facts.settings[key]}, and was confirmed to be ${[...values].join(' or ')}.`,
        );
    }
    const companyKeys = new Set(
      [...accounts, ...datasets, ...subscriptions, ...batches, ...parties].map(({ companyKey }) => companyKey),
    );
    for (const companyKey of companyKeys) {
      const headers = { [companyHeader]: companyKey };
      const here = <T extends { companyKey: string }>(list: readonly T[]) =>
        list.filter((each) => each.companyKey === companyKey);
      const settings = await console.done('getSettings', { headers });
      if (here(accounts).length > 0 && settings.accountId === '') missing('account of', companyKey);
      if (here(datasets).length > 0 && settings.dataSetId === '') missing('data set of', companyKey);
      for (const { id } of here(subscriptions)) if (!settings.subscriptions.includes(id)) missing('subscription', id);
      const { data: posted } = await console.done('getPostedBatches', { headers });
      for (const { id } of areBatchesWritten(exchanges) ? [] : here(batches))
        if (!posted.includes(id)) missing('batch', id);
      for (const { id } of here(parties)) {
        const { data } = await console.done('getMessage', { headers, params: { resourceId: id } });
        if (!data) missing('message about', id);
      }
    }
  } catch {
    return undefined; // the server dies, or its disk is full
  }
  return lines;
}
