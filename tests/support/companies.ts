import type { Provider, Rule } from '#contract/lookup.ts';
import { companyHeader } from '#contract/constants.ts';
import type { Settings } from '#contract/settings.ts';
import type { apiAt } from './api.ts';
import { companyBody, organisationBody } from './bodies.ts';
import { onboard, subscribe } from './guidedPath.ts';

export interface Made {
  name: string;
  organisationId: string;
  companyId: string;
  companyKey: string;
  subscriptionId: string;
  provider: Provider;
  rules: readonly Rule[];
}

/** Makes a company the current one, as a page does. */
export const selectCompany = (
  { done }: Pick<ReturnType<typeof apiAt>, 'done'>,
  { companyKey, companyId }: Pick<Made, 'companyKey' | 'companyId'>,
): Promise<Settings> =>
  done('setSetting', { body: { key: 'companyId', value: companyId }, headers: { [companyHeader]: companyKey } });

/**
 * Creates two organisations with two companies each, each company with a subscription (of the provider named `wanted`,
 * if given), a debtor and a creditor. The last company is current.
 */
export async function fourCompanies(server: Pick<ReturnType<typeof apiAt>, 'done'>, wanted?: string): Promise<Made[]> {
  const { done } = server;
  const made: Made[] = [];
  const keep = async (name: string) => {
    const { subscriptionId, provider, rules } = await subscribe(server, wanted);
    const { companyKey, settings } = await done('getFacts');
    const { organisationId, companyId } = settings;
    made.push({ name, organisationId, companyId, companyKey, subscriptionId, provider, rules });
  };
  await onboard(server);
  await keep('Example & Co');
  await done('createCompany', { body: companyBody('Second') });
  await keep('Second');
  await done('createOrganisation', { body: organisationBody });
  for (const name of ['Third', 'Fourth']) {
    await done('createCompany', { body: companyBody(name) });
    await keep(name);
  }
  return made;
}
