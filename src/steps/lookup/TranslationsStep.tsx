import { Box, Button, chakra, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import type { ActorRefFrom } from 'xstate';
import type { translationsMachine } from '#machines/lookup/lookup.machine.ts';
import { translatedFields, translationKey } from '#rules/translation.ts';
import { ChoiceSelect } from '#ui/Choice.tsx';
import { Id } from '#ui/CopyButton.tsx';
import { primaryMark } from '#ui/Bar.tsx';
import { FirstView } from '#ui/EmptyState.tsx';
import { StepTitle } from '#ui/StepTitle.tsx';
import { Way } from '#ui/Way.tsx';
import { distinctOptions } from '#rules/distinctOptions.ts';
import { useQuestion } from '../useQuestion.ts';
import { LookupActions } from './LookupActions.tsx';

const entityTypes = [
  { value: 'Provider', label: 'Provider rules' },
  { value: 'FileFormat', label: 'Bank file rules' },
];
const fields = translatedFields.map((value) => ({ value, label: value }));

const way = (
  <Way
    label="A rule of a provider or template has texts, each in the languages of the service."
    places={[{ title: 'Rule' }, { title: 'Text', lines: translatedFields }, { title: 'Form' }]}
    legs={[{}, {}]}
  />
);

/** One text of a rule of a provider or bank file template, in the language of the settings (behaviour, section 2). */
export function TranslationsStep({ actor }: { actor: ActorRefFrom<typeof translationsMachine> }) {
  const {
    entityType = '',
    entityId = '',
    ruleId = '',
    field = '',
  } = useSelector(actor, ({ context }) => context.question);
  const found = useSelector(actor, ({ context }) => context.result);
  const failed = useSelector(actor, (snapshot) => snapshot.hasTag('failed'));
  const ask = useQuestion(actor.send);

  const entities = found?.entities.filter(({ type }) => type === entityType) ?? [];
  const entity = entities.find(({ id }) => id === entityId);
  const rule = entity?.rules.find(({ id }) => id === ruleId);
  const [example] = (entity ? [entity] : entities).flatMap(({ id, rules: [first] }) =>
    first ? { entity: id, rule: first.id } : [],
  );
  return (
    <Box display="grid" gap="4" maxWidth="measure">
      <StepTitle />
      <ChoiceSelect label="Rules of" options={entityTypes} value={entityType} onChange={ask('entityType')} />
      <ChoiceSelect
        empty="Choose one"
        label={entityType === 'Provider' ? 'Provider' : 'Bank file template'}
        options={distinctOptions(entities.map(({ id, name }) => ({ value: id, label: name })))}
        value={entity?.id ?? ''}
        onChange={ask('entityId')}
      />
      <ChoiceSelect
        empty="Choose one"
        label="Rule"
        options={entity?.rules.map(({ id, label }) => ({ value: id, label })) ?? []}
        value={rule?.id ?? ''}
        onChange={ask('ruleId')}
      />
      <ChoiceSelect
        label="Text"
        options={rule ? fields.filter(({ value }) => rule.fields.includes(value)) : fields}
        value={field}
        onChange={ask('field')}
      />
      {found?.text && rule && !failed ? (
        <chakra.section aria-label="Translation" display="grid" gap="1">
          <Text fontSize="lg" lang={found.language || undefined}>
            {found.text}
          </Text>
          <Id value={translationKey({ entityType, entityId, ruleId, field })} what="the key of this translation" />
        </chakra.section>
      ) : (
        <FirstView way={way} says="The text of a rule in the language of the settings.">
          {example ? (
            <Button
              variant="solid"
              {...primaryMark}
              onClick={() => {
                ask('entityId')(example.entity);
                ask('ruleId')(example.rule);
              }}
            >
              Show the first rule
            </Button>
          ) : (
            <Text color="fg.muted">{found ? 'These definitions have no rules.' : 'The rules are not read yet.'}</Text>
          )}
        </FirstView>
      )}
      <LookupActions actor={actor} />
    </Box>
  );
}
