import { Box, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useId, useState } from 'react';
import type { ActorRefFrom } from 'xstate';
import { fileFormatCountries, languages, providerCountries } from '#contract/constants.ts';
import type { SettingKey } from '#contract/settings.ts';
import { shownSettings } from '#machines/settings/changes.ts';
import type { settingsMachine } from '#machines/settings/settings.machine.ts';
import { countryName } from '#rules/country.ts';
import { Bar } from '#ui/Bar.tsx';
import { FillButton } from '#ui/BesideHeading.tsx';
import { ErrorSummary } from '#ui/ErrorSummary.tsx';
import { Working } from '../kit/Working.tsx';
import { SettingSelect, SettingSwitch } from './SettingControls.tsx';

type SettingsActor = ActorRefFrom<typeof settingsMachine>;

/** The progress of a change that is being saved. */
const doing = 'Saving';

/** Why nothing can be done but to change a setting; '' otherwise. */
const useRests = (actor: SettingsActor): string =>
  useSelector(actor, (snapshot) =>
    snapshot.matches('saving') ? `${doing} …` : snapshot.matches('unsaved') ? 'The last change is not saved' : '',
  );

/** Close and Continue, which says what is missing. */
function Actions({ actor, onContinue }: { actor: SettingsActor; onContinue: () => void }) {
  const rests = useRests(actor);
  const mayClose = useSelector(actor, (snapshot) => snapshot.can({ type: 'form.cancel' }));
  return (
    <Bar
      leave={[{ label: 'Close', rests: mayClose ? '' : rests, onPress: () => actor.send({ type: 'form.cancel' }) }]}
      primary={{ label: 'Continue', rests, onPress: onContinue }}
    />
  );
}

/** The settings: three lists and two switches; each change is saved immediately (behaviour, section 2: /settings). */
export function SettingsStep({ actor }: { actor: SettingsActor }) {
  const facts = useSelector(actor, ({ context }) => context.facts);
  const queue = useSelector(actor, ({ context }) => context.queue);
  const errors = useSelector(actor, ({ context }) => context.errors);
  const saving = useSelector(actor, (snapshot) => snapshot.matches('saving'));
  const mayFill = useSelector(actor, (snapshot) => snapshot.can({ type: 'settings.fill' }));
  const [attempt, setAttempt] = useState(0);
  const id = useId();
  const rests = useRests(actor);
  const shown = shownSettings({ facts, queue });
  const setting = (key: SettingKey) => ({
    value: shown[key],
    onChange: (value: string) => actor.send({ type: 'setting.change', key, value }),
  });
  const choice = (key: SettingKey) => ({
    ...setting(key),
    id: `${id}${key}`,
    error: errors.find((error) => error.id === key)?.message ?? '',
  });
  return (
    <Box display="grid" gap="5" maxWidth="form">
      <ErrorSummary
        lines={errors.map(({ id: key, message }) => ({ control: `${id}${key}`, message }))}
        attempt={attempt}
      />
      <FillButton onFill={mayFill ? () => actor.send({ type: 'settings.fill' }) : undefined} />
      <SettingSelect
        label="Provider country"
        hint="Lists providers in this country"
        options={providerCountries}
        nameOf={countryName}
        none="Choose one"
        {...choice('providerCountry')}
      />
      <SettingSelect
        label="File format country"
        hint="Lists bank file templates in this country"
        options={fileFormatCountries}
        nameOf={countryName}
        none="Choose one"
        {...choice('fileFormatCountry')}
      />
      <SettingSelect
        label="Language"
        hint="Texts of providers and bank file templates come in this language"
        options={languages}
        none="none"
        {...choice('acceptLanguage')}
      />
      <SettingSwitch
        label="Use mock provider"
        hint="New subscriptions are authorised on the mock provider’s page"
        {...setting('useMock')}
      />
      <SettingSwitch
        label="Use network"
        hint="The guided path includes user token, account and data set"
        {...setting('useNetwork')}
      />
      {saving ? (
        <Working doing={doing} sends />
      ) : (
        <Text role="status" color="fg.muted" minHeight="6">
          {rests}
        </Text>
      )}
      <Actions
        actor={actor}
        onContinue={() => {
          setAttempt(attempt + 1);
          actor.send({ type: 'form.submit' });
        }}
      />
    </Box>
  );
}
