import { describe, expect, it } from 'vitest';
import { settingsMachine, shownSettings, type Change } from '#machines/settings/settings.machine.ts';
import { everything, factsAfter } from '#tests/support/facts.ts';
import { live } from '#tests/support/live.ts';
import { failure } from '#tests/support/material.ts';

const stored = factsAfter('nothing').settings;
const change = (key: Change['key'], value: string) => ({ type: 'setting.change' as const, key, value });

async function openSettings() {
  const running = live(settingsMachine, { input: { facts: everything } });
  await running.answer('readSettings', stored);
  return running;
}

describe('changed settings', () => {
  it('are saved one after another in the order of the changes', async () => {
    const { send, answer, calls, actor } = await openSettings();
    await send(change('providerCountry', 'GB'));
    await send(change('acceptLanguage', 'en'));
    await send(change('providerCountry', 'CA'));
    const saved = () => calls.flatMap(({ port, input }) => (port === 'saveSetting' ? [input] : []));
    expect(saved()).toEqual([{ key: 'providerCountry', value: 'GB' }]);
    await answer('saveSetting', { ...stored, providerCountry: 'GB' });
    expect(actor.getSnapshot().context.settings).toMatchObject({ providerCountry: 'GB' });
    await answer('saveSetting', { ...stored, providerCountry: 'GB', acceptLanguage: 'en' });
    await answer('saveSetting', { ...stored, providerCountry: 'CA', acceptLanguage: 'en' });
    expect(saved()).toEqual([
      { key: 'providerCountry', value: 'GB' },
      { key: 'acceptLanguage', value: 'en' },
      { key: 'providerCountry', value: 'CA' },
    ]);
    expect(actor.getSnapshot()).toMatchObject({ value: 'choosing', context: { queue: [] } });
    expect(actor.getSnapshot().context.settings).toMatchObject({ providerCountry: 'CA', acceptLanguage: 'en' });
  });

  it('are shown before they are saved, the last change on top', () => {
    const queue: Change[] = [
      { key: 'providerCountry', value: 'GB' },
      { key: 'providerCountry', value: 'CA' },
    ];
    expect(shownSettings({ settings: stored, queue })).toEqual({ ...stored, providerCountry: 'CA' });
  });

  it('that could not be saved wait for another try, or give way to the next change', async () => {
    const { send, refuse, calls, actor } = await openSettings();
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
