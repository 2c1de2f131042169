import { Box, Flex } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { bankFilesMachine, providersMachine } from '#machines/lookup/lookup.machine.ts';
import { ChoiceSelect } from '../kit/Choice.tsx';
import { EmptyState } from '../kit/Details.tsx';
import { JsonView } from '../kit/JsonView.tsx';
import { useQuestion } from '../useQuestion.ts';
import { LookupActions } from './LookupActions.tsx';

const choices = (values: readonly string[]) => values.map((value) => ({ value, label: value || 'none' }));

/** The definitions for a chosen country and language, as raw JSON; two pages share it (behaviour, section 2). */
export function DefinitionsStep(props: {
  actor: ActorRefFrom<typeof bankFilesMachine> | ActorRefFrom<typeof providersMachine>;
  /** Plural noun for the definitions, e.g. "providers". */
  what: string;
  countryLabel: string;
  countries: readonly string[];
  languages: readonly string[];
}) {
  const { actor, what, countryLabel, countries, languages } = props;
  const question = useSelector(actor, ({ context }) => context.question);
  const result = useSelector(actor, ({ context }) => context.result);
  const failed = useSelector(actor, ({ context }) => context.failure !== null);
  const found = failed ? undefined : result?.found;
  const { country = result?.country ?? '', language = result?.language ?? '' } = question;
  const ask = useQuestion(actor.send);
  return (
    <Box display="grid" gap="5" gridTemplateColumns="minmax(0, 1fr)">
      <Flex gap="4" wrap="wrap">
        <ChoiceSelect label={countryLabel} options={choices(countries)} value={country} onChange={ask('country')} />
        <ChoiceSelect label="Language" options={choices(languages)} value={language} onChange={ask('language')} />
      </Flex>
      {found && found.length > 0 && (
        <section aria-label={`Definitions of ${what}`}>
          <JsonView value={found} what={what} />
        </section>
      )}
      {found?.length === 0 && (
        <EmptyState>
          There are no {what} for country {country} and language {language || 'none'}; another language may have some.
        </EmptyState>
      )}
      <LookupActions actor={actor} />
    </Box>
  );
}
