import { describe, expect, it } from 'vitest';
import type { Facts } from '#contract/facts.ts';
import type { JourneyEmitted } from '#machines/lib/gate.ts';
import { blockers, hasResult, journeyOrder } from '#machines/journeys.ts';
import { requirement } from '#machines/requirements.ts';
import { shownSettings, type Change } from '#machines/settings/changes.ts';
import { settingsMachine } from '#machines/settings/settings.machine.ts';
import { everything, factsAfter, withFacts } from '#tests/support/facts.ts';
import { live } from '#tests/support/deferredPorts.ts';
import { failure } from '#tests/support/fixtures.ts';

const stored = factsAfter('nothing').settings;
const change = (key: Change['key'], value: string) => ({ type: 'setting.change' as const, key, value });

const openSettings = (facts = withFacts(everything, { settings: stored })) =>
  live(settingsMachine, { input: { facts } });

describe('changed settings', () => {
  it('are saved one after another in the order of the changes', async () => {
    const { send, answer, calls, actor } = openSettings();
    await send(change('providerCountry', 'GB'));
    await send(change('acceptLanguage', 'en'));
    await send(change('providerCountry', 'CA'));
    const saved = () => calls.flatMap(({ port, input }) => (port === 'saveSetting' ? [input] : []));
    expect(saved()).toEqual([{ key: 'providerCountry', value: 'GB' }]);
    await answer('saveSetting', { ...stored, providerCountry: 'GB' });
    expect(actor.getSnapshot().context.facts.settings).toMatchObject({ providerCountry: 'GB' });
    await answer('saveSetting', { ...stored, providerCountry: 'GB', acceptLanguage: 'en' });
    await answer('saveSetting', { ...stored, providerCountry: 'CA', acceptLanguage: 'en' });
    expect(saved()).toEqual([
      { key: 'providerCountry', value: 'GB' },
      { key: 'acceptLanguage', value: 'en' },
      { key: 'providerCountry', value: 'CA' },
    ]);
    expect(actor.getSnapshot()).toMatchObject({ value: 'choosing', context: { queue: [] } });
    expect(actor.getSnapshot().context.facts.settings).toMatchObject({ providerCountry: 'CA', acceptLanguage: 'en' });
  });

  it('are shown before they are saved, with the last change on top', () => {
    const queue: Change[] = [
      { key: 'providerCountry', value: 'GB' },
      { key: 'providerCountry', value: 'CA' },
    ];
    expect(shownSettings({ facts: factsAfter('nothing'), queue })).toEqual({ ...stored, providerCountry: 'CA' });
  });

  it('that could not be saved are retried, or replaced by the next change', async () => {
    const { send, refuse, calls, actor } = openSettings();
    await send(change('useMock', 'false'));
    await refuse('saveSetting', failure);
    expect(actor.getSnapshot()).toMatchObject({ value: 'unsaved', context: { failure } });
    await send({ type: 'retry' });
    expect(actor.getSnapshot().context.failure).toBeNull();
    expect(calls.at(-1)?.input).toEqual({ key: 'useMock', value: 'false' });
    await refuse('saveSetting', failure);
    await send(change('useNetwork', 'false'));
    expect(calls.at(-1)?.input).toEqual({ key: 'useNetwork', value: 'false' });
  });
});

describe('a change of the settings', () => {
  /** The events emitted for `changes`, each saved before the next one. */
  async function told(facts: Facts, ...changes: [Change['key'], string][]) {
    const { send, answer, refuse, actor } = openSettings(facts);
    const all: JourneyEmitted[] = [];
    actor.on('*', (each) => all.push(each));
    for (const [key, value] of changes) {
      await send(change(key, value));
      if (value === 'refused') await refuse('saveSetting', failure);
      else await answer('saveSetting', { ...actor.getSnapshot().context.facts.settings, [key]: value });
    }
    return all;
  }
  const fresh = factsAfter('nothing');
  const country = ['providerCountry', 'GB'] as [Change['key'], string];

  it('emits facts.known while no gate depends on the settings, then facts.changed', async () => {
    const known = withFacts(fresh, { settings: { providerCountry: 'GB' } });
    expect(await told(fresh, country, ['fileFormatCountry', 'GB'], ['useMock', 'false'])).toEqual([
      { type: 'facts.known', facts: known },
      { type: 'facts.changed' },
      { type: 'facts.changed' },
    ]);
  });

  it('emits facts.changed if there is a company or a change was not saved', async () => {
    const settled = withFacts(fresh, { settings: { companyId: 'company-1' } });
    expect(await told(settled, country)).toEqual([{ type: 'facts.changed' }]);
    expect(await told(fresh, ['providerCountry', 'refused'])).toEqual([{ type: 'facts.changed' }]);
  });

  it('before there is a company requires no read of providers, as no first gate needs it', () => {
    const asked = journeyOrder.flatMap((id) => blockers(id, fresh).slice(0, 1));
    expect(asked.filter((need) => ['providers', 'fileFormats'].includes(requirement(need).reads ?? ''))).toEqual([]);
    expect(journeyOrder.filter((id) => hasResult(id, fresh))).toEqual([]);
  });
});
