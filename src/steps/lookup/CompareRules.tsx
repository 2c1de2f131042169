import { Box, Flex, Heading, Text } from '@chakra-ui/react';
import { useMemo } from 'react';
import type { Rule } from '#contract/lookup.ts';
import type { Question } from '#machines/lookup/lookup.machine.ts';
import { countryName } from '#rules/country.ts';
import { compareRules, type RuleDifference } from '#rules/compare.ts';
import { Code } from '#ui/Code.tsx';
import { ChoiceSelect, choicesOf } from '#ui/Choice.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import type { Column } from '#ui/rows.ts';
import { Badge } from '#ui/Badge.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { distinctOptions } from '#rules/distinctOptions.ts';

/** A provider or file format with its rules. */
export interface Ruled {
  id: string;
  name: string;
  rules: readonly Rule[];
}

interface Side {
  country: string;
  language: string;
  found: readonly Ruled[];
}

const tones = { added: 'done', dropped: 'failed', changed: 'idle' } as const;

const Value = ({ children }: { children: string }) =>
  children === '' ? (
    <Text as="span" color="fg.muted">
      none
    </Text>
  ) : (
    <Code whiteSpace="pre-wrap" overflowWrap="anywhere">
      {children}
    </Code>
  );

const columns: readonly Column<RuleDifference>[] = [
  {
    id: 'kind',
    title: 'Difference',
    text: ({ kind }) => kind,
    cell: ({ kind }) => <Badge tone={tones[kind]}>{kind}</Badge>,
  },
  {
    id: 'rule',
    title: 'Rule',
    text: ({ label, place, ruleId }) => `${label} ${place} ${ruleId}`,
    cell: ({ label, place, ruleId }) => (
      <div>
        {label}
        <Text color="fg.muted" fontSize="xs" overflowWrap="anywhere">
          {place} · {ruleId}
        </Text>
      </div>
    ),
  },
  {
    id: 'changes',
    title: 'Attributes, before → after',
    text: ({ changes }) => changes.map(({ attribute, before, after }) => `${attribute} ${before} ${after}`).join(' '),
    cell: ({ changes }) => (
      <Box display="grid" gap="1" minWidth="0">
        {changes.map(({ attribute, before, after }) => (
          <div key={attribute}>
            <Text as="span" color="fg.muted">
              {attribute}:{' '}
            </Text>
            <Value>{before}</Value> → <Value>{after}</Value>
          </div>
        ))}
      </Box>
    ),
  },
];

/** A definition with country and language. */
const inFull = ({ name }: Ruled, { country, language }: Side): string =>
  [name, countryName(country), language || 'no language'].filter(Boolean).join(' · ');
const named = (found: readonly Ruled[]) => distinctOptions(found.map(({ id, name }) => ({ value: id, label: name })));

/** Compares the rules of two providers or formats, or of one in two countries or languages: added, dropped, changed. */
export function CompareRules(props: {
  /** Singular noun, e.g. "provider". */
  one: string;
  here: Side;
  other: Side;
  question: Question;
  countries: readonly string[];
  languages: readonly string[];
  ask: (name: string) => (value: string) => void;
}) {
  const { one, here, other, question, countries, languages, ask } = props;
  const left = here.found.find(({ id }) => id === question['one']) ?? here.found[0];
  const chosen = other.found.find(({ id }) => id === question['other']);
  const right = chosen ?? other.found.find(({ id }) => id === left?.id) ?? other.found[0];
  const differences = useMemo(
    () => (left && right ? compareRules(left.rules, right.rules, left.id === right.id) : []),
    [left, right],
  );
  const count = (kind: RuleDifference['kind']) => differences.filter((each) => each.kind === kind).length;
  return (
    <Stack as="section" aria-labelledby="compare" gap="4">
      <Heading as="h2" id="compare">
        Compare the rules
      </Heading>
      <Flex gap="4" wrap="wrap">
        <ChoiceSelect
          label={`Rules of ${one}`}
          options={named(here.found)}
          value={left?.id ?? ''}
          onChange={ask('one')}
        />
        <ChoiceSelect
          label="With country"
          options={choicesOf(countries, countryName)}
          value={other.country}
          onChange={ask('otherCountry')}
        />
        <ChoiceSelect
          label="With language"
          options={choicesOf(languages)}
          value={other.language}
          onChange={ask('otherLanguage')}
        />
        <ChoiceSelect
          label={`With ${one}`}
          options={named(other.found)}
          value={right?.id ?? ''}
          onChange={ask('other')}
        />
      </Flex>
      {left && right ? (
        <>
          <Text role="status">
            From {inFull(left, here)} to {inFull(right, other)}: {count('added')} added, {count('dropped')} dropped,{' '}
            {count('changed')} changed
          </Text>
          <DataTable
            caption={['difference', 'differences']}
            columns={columns}
            rows={differences}
            rowKey={({ kind, place, ruleId }) => `${kind} ${place} ${ruleId}`}
            address="rules-"
            statusOf={({ kind }) => kind}
            tones={tones}
            wraps
            empty={{ children: 'The rules are the same.', reason: 'Choose others to see differences.' }}
          />
        </>
      ) : (
        <EmptyState reason="Choose another country or language.">
          There is nothing to compare for this country and language.
        </EmptyState>
      )}
    </Stack>
  );
}
