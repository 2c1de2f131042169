import { provideEffects } from '#machines/lib/effect.ts';
import { settingsMachine } from '#machines/settings/settings.machine.ts';
import { call } from '../client/client.ts';
import type { JourneyCode } from '#machines/console.ts';

/** Reads and writes settings over HTTP, one key and value at a time (behaviour, section 7). */
export const settings = {
  machine: provideEffects(settingsMachine, {
    saveSetting: (change, signal) => call('setSetting', { body: change, signal }),
  }),
} satisfies JourneyCode;
