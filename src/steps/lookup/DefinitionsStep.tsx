import { Box, Flex } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useMemo, useState } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { LocalInstrument } from '#contract/lookup.ts';
import type { bankFilesMachine, providersMachine } from '#machines/lookup/lookup.machine.ts';
import { isObject, parse, stringify } from '#contract/json.ts';
import { countryName } from '#rules/country.ts';
import { allRules } from '#rules/merge.ts';
import { ChoiceSelect, choicesOf } from '#ui/Choice.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { JsonView } from '#ui/JsonView.tsx';
import { SegmentedControl } from '#ui/SegmentedControl.tsx';
import { useQuestion } from '../useQuestion.ts';
import { type Ruled, CompareRules } from './CompareRules.tsx';
import { LookupActions } from './LookupActions.tsx';
import { Capabilities } from './Capabilities.tsx';
import { type Definition, DefinitionCards, idOf, isProvider } from './DefinitionCards.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { bankFilesPageCountries, bankFilesPageLanguages, languages, providerCountries } from '#contract/constants.ts';

const ruledOf = (definition: Definition, instruments: readonly LocalInstrument[]): Ruled =>
  isProvider(definition)
    ? { id: idOf(definition), name: definition.name, rules: allRules(definition, instruments) }
    : { id: idOf(definition), name: definition.name, rules: definition.specification.rules };

/** The path of a definition in the raw answer, which may hold others that could not be read; undefined if it has none. */
function pathIn(raw: unknown, id: string): string | undefined {
  const answer = parse(stringify(raw) ?? 'null');
  const data = isObject(answer) ? answer['data'] : undefined;
  const at = Array.isArray(data)
    ? data.findIndex((each) => isObject(each) && [each['providerId'], each['fileFormatId']].includes(id))
    : -1;
  return at < 0 ? undefined : `data.${at}`;
}

const none: readonly LocalInstrument[] = [];

/** The views of the page, by the value of `view` in its address. */
const views = { '': 'Definitions', compare: 'Compare' };
const viewsOfAble = { ...views, capabilities: 'Capabilities' };

/** The definitions for a chosen country and language, as raw JSON; shared by two pages (behaviour, section 2). */
function DefinitionsStep(props: {
  actor: ActorRefFrom<typeof bankFilesMachine> | ActorRefFrom<typeof providersMachine>;
  /** Plural noun for the definitions, e.g. "providers", and its singular. */
  what: string;
  one: string;
  countryLabel: string;
  countries: readonly string[];
  languages: readonly string[];
  /** Whether the definitions are of providers, which have capabilities. */
  able?: true;
}) {
  const { actor, what, one, countryLabel, countries, languages, able } = props;
  const question = useSelector(actor, ({ context }) => context.question);
  const facts = useSelector(actor, ({ context }) => context.facts);
  const result = useSelector(actor, ({ context }) => context.result);
  const failed = useSelector(actor, ({ context }) => context.failure !== null);
  const found: readonly Definition[] | undefined = failed ? undefined : result?.found;
  const { country = result?.country ?? '', language = result?.language ?? '', view = '' } = question;
  const [chosen, setChosen] = useState('');
  const lit = useMemo(() => (chosen === '' ? undefined : pathIn(result?.raw, chosen)), [result, chosen]);
  const ask = useQuestion(actor.send);
  const compared = useMemo(() => {
    const { instruments = none, other = null } = result ?? {};
    const ruled = (side: { country: string; language: string; found: readonly Definition[] }) => ({
      ...side,
      found: side.found.map((definition) => ruledOf(definition, instruments)),
    });
    return result && other && { here: ruled(result), other: ruled(other) };
  }, [result]);
  return (
    <Stack gap="5">
      <Flex gap="4" wrap="wrap">
        <ChoiceSelect
          label={countryLabel}
          options={choicesOf(countries, countryName)}
          value={country}
          onChange={ask('country')}
        />
        <ChoiceSelect label="Language" options={choicesOf(languages)} value={language} onChange={ask('language')} />
      </Flex>
      <Flex>
        <SegmentedControl<string>
          label="Show"
          labels={able ? viewsOfAble : views}
          value={view}
          onChange={ask('view')}
        />
      </Flex>
      {view === '' && found && (
        <Box
          as="section"
          aria-label={`Definitions of ${what}`}
          display="grid"
          gridTemplateColumns={{ base: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) minmax(0, 1fr)' }}
          gap="6"
          alignItems="start"
        >
          <DefinitionCards
            definitions={found}
            instruments={result?.instruments ?? none}
            chosen={chosen}
            onChoose={setChosen}
          />
          <JsonView value={result?.raw} what={what} whole="unfolded" lit={lit} />
        </Box>
      )}
      {view !== 'compare' && found?.length === 0 && (
        <EmptyState reason="Choose another country or language.">
          There are no {what} for country {countryName(country)} and language {language || 'none'}.
        </EmptyState>
      )}
      {view === 'compare' && !failed && compared && (
        <CompareRules {...compared} {...{ one, question, countries, languages, ask }} />
      )}
      {view === 'capabilities' && able && found && found.length > 0 && (
        <Capabilities providers={found.filter(isProvider)} facts={facts} />
      )}
      <LookupActions actor={actor} />
    </Stack>
  );
}

/** Bank file templates, with this page's own lists of countries and languages (behaviour, section 9). */
export function BankFilesStep({ actor }: { actor: ActorRefFrom<typeof bankFilesMachine> }) {
  return (
    <DefinitionsStep
      actor={actor}
      what="bank file templates"
      one="bank file template"
      countryLabel="Bank file country"
      countries={bankFilesPageCountries}
      languages={bankFilesPageLanguages}
    />
  );
}

/** Provider definitions of a country and language (behaviour, section 2). */
export function ProvidersStep({ actor }: { actor: ActorRefFrom<typeof providersMachine> }) {
  return (
    <DefinitionsStep
      actor={actor}
      what="providers"
      one="provider"
      able
      countryLabel="Provider country"
      countries={providerCountries}
      languages={languages}
    />
  );
}
