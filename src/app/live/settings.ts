import { fulfil, port } from '#machines/port.ts';
import { settingsMachine } from '#machines/settings.machine.ts';
import { call } from '../client.ts';

/** Settings over HTTP, one key and value at a time (behaviour, section 7). */
export const machine = settingsMachine.provide({
  actors: {
    readSettings: fulfil(port('readSettings'), (_, signal) => call('getSettings', { signal })),
    saveSetting: fulfil(port('saveSetting'), (change, signal) => call('setSetting', { body: change, signal })),
  },
});
