import type { SettingKey } from '#contract/settings.ts';
import { Failure } from '#server/failure.ts';

/** The failure for a refused value; `message` says which values are allowed. */
export const invalidSetting = (key: SettingKey, message: string) =>
  new Failure('invalid-request', `The setting ${key} cannot have this value: ${message}.`, {
    errors: [{ path: 'value', message }],
  });

/** The failure for a value that would weaken a promise; `why` says which. */
export const forbidden = (key: SettingKey, why: string) =>
  new Failure('forbidden', `The setting ${key} cannot have this value: ${why}.`);
