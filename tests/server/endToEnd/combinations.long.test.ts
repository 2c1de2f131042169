import { describe, expect, it } from 'vitest';
import { fileFormatCountries, languageOfCountry, languages, providerCountries } from '#contract/constants.ts';
import type { Facts } from '#contract/facts.ts';
import type { SettingKey } from '#contract/settings.ts';
import { blockers, journeyOrder, nextJourney, reason, requirementStatus, type JourneyId } from '#machines/journeys.ts';
import type { RequirementId } from '#machines/requirements.ts';
import { nextStepFor } from '#machines/unblock.ts';
import type { Rate } from '#server/http/tokenBucket.ts';
import { catalogue } from '#server/sandbox/catalogue/index.ts';
import { eventually } from '#tests/support/eventually.ts';
import { consoleWithSandbox } from '#tests/support/console.ts';
import { onboard, subscribeTo } from '#tests/support/guidedPath.ts';

type Console = Awaited<ReturnType<typeof consoleWithSandbox>>;

const unlimited: Rate = { perSecond: 1_000_000, burst: 1_000_000 };
const countries = [...new Set([...providerCountries, ...Object.keys(languageOfCountry)])];
const subscribable = catalogue
  .providersFor()
  .filter(({ accountType }) => accountType.capabilities?.includes('SubscriptionRequired'));

const set = async ({ done }: Console, choices: Partial<Record<SettingKey, string>>) => {
  for (const [key, value] of Object.entries(choices))
    await done('setSetting', { body: { key: key as SettingKey, value } }); // the keys of choices
};

/** The settings that the sentence of a blocked page proposes: for each setting its first value. */
function choicesIn(sentence: string, need: RequirementId): Partial<Record<SettingKey, string>> {
  const country = / country (?:[^()]*\()?([A-Z]{2})\b/.exec(sentence.split(': choose')[1] ?? '')?.[1];
  const language = /language (\S+)/.exec(sentence.split(': choose')[1] ?? '')?.[1];
  const elsewhere = sentence.endsWith('choose another country') ? 'GB' : country;
  return {
    ...(elsewhere && { [need === 'fileFormats' ? 'fileFormatCountry' : 'providerCountry']: elsewhere }),
    ...(language && { acceptLanguage: language === 'none' ? '' : language }),
  };
}

/** Why the next step that a blocked page names fails: it is blocked too, or does not unblock the page. */
async function faultOf(server: Console, id: JourneyId, facts: Facts): Promise<string> {
  const [need] = blockers(id, facts);
  if (!need) return '';
  const way = nextStepFor(need, facts);
  if (!way) return `${id}: no way to ${need}`;
  const shut = reason(way.journey, facts);
  if (shut) return `${id}: ${need} leads to ${way.journey}, where "${shut}"`;
  if (way.journey !== 'settings') return '';
  let then = facts;
  // The country first, then the language that the page names for it.
  for (let step = 0; step < 2 && blockers(id, then).includes(way.need); step += 1) {
    await set(server, choicesIn(requirementStatus(way.need, then), way.need));
    then = await server.done('getFacts');
  }
  const { providerCountry, fileFormatCountry, acceptLanguage } = facts.settings;
  await set(server, { providerCountry, fileFormatCountry, acceptLanguage });
  return blockers(id, then).includes(way.need) ? `${id}: ${requirementStatus(way.need, then)}` : '';
}

/**
 * The pages that cannot continue while subscribed to this provider alone, in any country and language: in as many
 * combinations as hold each of them once.
 */
async function faultsOf(server: Console, provider: (typeof subscribable)[number]): Promise<Set<string>> {
  const { store } = server;
  const { providerId, name } = provider;
  const subscriptionId = await subscribeTo(server, provider, provider.accountType.validationRules);
  await eventually(async () => expect((await server.done('getFacts')).subscription?.status).not.toBe('Received'));
  const faults = new Set<string>();
  const followed = new Set<string>();
  for (const [row, providerCountry] of countries.entries())
    for (const [column, fileFormatCountry] of fileFormatCountries.entries())
      for (const [place, acceptLanguage] of languages.entries()) {
        const turn = Math.max(row, column, place);
        const isTaken = [countries, fileFormatCountries, languages].every(
          ({ length }, index) => [row, column, place][index] === Math.min(turn, length - 1),
        );
        if (!isTaken) continue;
        const chosen = { providerCountry, fileFormatCountry, acceptLanguage };
        await store.settings.writeAll(chosen);
        const facts = await server.done('getFacts');
        expect(facts.settings).toMatchObject(chosen);
        expect(facts.provider).toMatchObject({ providerId, name });
        expect(facts.subscription?.subscriptionId).toBe(subscriptionId);
        expect(facts.alternatives).toEqual([]);
        for (const id of journeyOrder.filter((each) => blockers(each, facts).length > 0)) {
          // The sentence names everything that the requirement depends on.
          const said = `${id} ${blockers(id, facts)
            .map((need) => requirementStatus(need, facts))
            .join()}`;
          if (followed.has(said)) continue;
          followed.add(said);
          const fault = await faultOf(server, id, facts);
          if (fault) faults.add(`${name}, ${Object.values(chosen).join(' ')}: ${fault}`);
        }
        const next = nextJourney(facts);
        if (!next || reason(next, facts) !== undefined) faults.add(`${name}: next is ${next}, which is blocked`);
      }
  expect(followed.size).toBeGreaterThan(0);
  await store.subscriptions.remove(subscriptionId);
  return faults;
}

describe('With a subscription to any one provider', () => {
  it('each page can continue or names a working next step, in every country and language', async () => {
    const server = await consoleWithSandbox(undefined, unlimited);
    await onboard(server);
    const faults: string[] = [];
    for (const provider of subscribable) faults.push(...(await faultsOf(server, provider)));
    expect(faults).toEqual([]);
  }, 600_000);
});
