import { z } from 'zod';
import { fileFormatCountries, languageOfCountry, languages, providerCountries } from '#contract/constants.ts';
import { own } from '#contract/member.ts';
import type { SettingKey } from '#contract/settings.ts';
import type { Deps } from '#server/deps.ts';
import { Failure } from '#server/failure.ts';
import { isMove, kept, move, wrong } from '#server/workspace/moves.ts';
import { settingsFor } from '#server/workspace/settings.ts';
import { markRead } from '#server/webhooks/inbox.ts';
import type { Handlers } from './route.ts';

const oneOf = (values: readonly string[]) =>
  z.enum(values, { error: `give one of ${values.map((value) => value || "'' (none)").join(', ')}` });
const onOrOff = oneOf(['true', 'false']);

/** The settings that the browser may write; all others are derived from the service's answers. */
const choices = {
  // The country of a selected subscription may be one that the settings page does not offer (behaviour, section 4: ZA).
  providerCountry: oneOf(['', ...new Set([...providerCountries, ...Object.keys(languageOfCountry)])]),
  fileFormatCountry: oneOf(['', ...fileFormatCountries]),
  acceptLanguage: oneOf(languages),
  useMock: onOrOff,
  useNetwork: onOrOff,
  providerId: z.string(),
} satisfies Partial<Record<SettingKey, z.ZodType<string>>>;

const isChoice = (key: SettingKey): key is keyof typeof choices => own(choices, key);

const webhookIds = z.array(z.string());

export function settingsRoutes(deps: Deps) {
  const { config, store } = deps;

  async function write(key: SettingKey, value: string): Promise<void> {
    if (isChoice(key)) {
      const { error } = choices[key].safeParse(value);
      if (error) throw wrong(key, error.issues.map(({ message }) => message).join('; '));
      return store.settings.write(key, value);
    }
    if (key === 'webhookData') return markRead(deps, value === '' ? undefined : idsIn(value));
    if (key === 'userJwt' && value === '') return store.settings.write(key, value);
    throw new Failure('forbidden', `The setting ${key} cannot be written. ${kept[key] ?? ''}`);
  }

  return {
    getSettings: ({ query }) => settingsFor(deps, { whole: query.lists === 'whole' }),
    getSetAside: async () => ({ data: await store.setAside() }),
    async setSetting({ body: { key, value }, moveTo, service }) {
      if (!isMove(key)) {
        await write(key, value);
        return settingsFor(deps);
      }
      const scope = await move({ ...deps, upstream: service() }, key, value);
      moveTo(scope);
      return settingsFor({ config, store: store.at(scope) });
    },
  } satisfies Partial<Handlers>;
}

function idsIn(value: string): string[] {
  try {
    return webhookIds.parse(JSON.parse(value));
  } catch {
    throw wrong('webhookData', "give '' to clear all, or a JSON list of webhook ids to clear those");
  }
}
