import { Box, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import { fileFormatCountries, languages, providerCountries } from '#contract/constants.ts';
import type { SettingKey } from '#contract/settings.ts';
import { isDone } from '#machines/journeys.ts';
import { shownSettings, type settingsMachine } from '#machines/settings/settings.machine.ts';
import { Bar } from '#ui/Bar.tsx';
import { FillButton } from '#ui/BesideHeading.tsx';
import { Working } from '../kit/Working.tsx';
import { SettingSelect, SettingSwitch } from './SettingControls.tsx';

/** The progress of a change that is being saved. */
const doing = 'Saving';

/** The settings: three lists and two switches; each change is saved immediately (behaviour, section 2: /settings). */
export function SettingsStep({ actor }: { actor: ActorRefFrom<typeof settingsMachine> }) {
  const facts = useSelector(actor, ({ context }) => context.facts);
  const queue = useSelector(actor, ({ context }) => context.queue);
  const progress = useSelector(actor, (snapshot) =>
    snapshot.matches('unsaved') ? 'The last change is not saved' : 'All saved',
  );
  const saving = useSelector(actor, (snapshot) => snapshot.matches('saving'));
  const mayClose = useSelector(actor, (snapshot) => snapshot.can({ type: 'form.cancel' }));
  const shown = shownSettings({ facts, queue });
  const setting = (key: SettingKey) => ({
    value: shown[key],
    onChange: (value: string) => actor.send({ type: 'setting.change', key, value }),
  });
  const mayFill = useSelector(actor, (snapshot) => snapshot.can({ type: 'settings.fill' }));
  const fill = () => actor.send({ type: 'settings.fill' });
  return (
    <Box display="grid" gap="5" maxWidth="form">
      <FillButton onFill={facts.environment === 'sandbox' ? fill : undefined} done={!mayFill && 'All set'} />
      <SettingSelect
        label="Provider country"
        hint="Lists providers in this country"
        options={providerCountries}
        none="Choose one"
        {...setting('providerCountry')}
      />
      <SettingSelect
        label="File format country"
        hint="Lists bank file templates in this country"
        options={fileFormatCountries}
        none="Choose one"
        {...setting('fileFormatCountry')}
      />
      <SettingSelect
        label="Language"
        hint="Texts of providers and bank file templates come in this language"
        options={languages}
        none="none"
        {...setting('acceptLanguage')}
      />
      <SettingSwitch
        label="Use mock provider"
        hint="New subscriptions are authorised on the mock provider's page"
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
          {progress}
        </Text>
      )}
      <Bar
        leave={[
          { label: 'Close', rests: mayClose ? '' : `${doing} …`, onPress: () => actor.send({ type: 'form.cancel' }) },
        ]}
        reason={
          isDone('settings', { ...facts, settings: shown })
            ? undefined
            : 'Choose both countries: the next step needs them'
        }
      />
    </Box>
  );
}
