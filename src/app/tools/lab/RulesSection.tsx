import { Box, Flex, Text } from '@chakra-ui/react';
import type { KeptRule } from '#contract/controlShapes.ts';
import { routeOf, sentenceOf } from '#rules/faultSentence.ts';
import { isOpen } from '#rules/lab.ts';
import { faultForm } from '#rules/labForms.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { Badge } from '#ui/Badge.tsx';
import { useResource } from '#app/console/useResource.ts';
import { lab } from '#app/effects/lab.ts';
import { faultRule } from '#app/effects/labForms.ts';
import { FaultSentence } from './FaultSentence.tsx';
import { LabForm } from './LabForm.tsx';
import { Section } from './Section.tsx';

const columns = [
  {
    id: 'rule',
    title: 'Fault',
    text: (rule: KeptRule) => `${sentenceOf(rule)} ${routeOf(rule.on, rule.of)}`,
    cell: (rule: KeptRule) => (
      <Box whiteSpace="normal">
        {sentenceOf(rule)}
        <Box as="span" translate="no" display="block" fontFamily="mono" fontSize="xs" color="fg.muted">
          {routeOf(rule.on, rule.of)}
        </Box>
      </Box>
    ),
  },
  { id: 'asked', title: 'Matched', text: ({ asked }: KeptRule) => String(asked) },
  { id: 'happened', title: 'Fired', text: ({ happened }: KeptRule) => String(happened) },
  {
    id: 'state',
    title: 'State',
    text: (rule: KeptRule) => (isOpen(rule) ? 'Armed' : 'Finished'),
    cell: (rule: KeptRule) =>
      isOpen(rule) ? <Badge tone="waiting">Armed</Badge> : <Badge tone="idle">Finished</Badge>,
  },
] as const;

/** Sets rules of the fault lab and lists them, each as a sentence. */
export function RulesSection() {
  const { actor, known } = useResource(lab);
  const rules = known?.rules ?? [];
  return (
    <Section id="lab-rules" tabbed title="Faults" says="The oldest matching fault wins.">
      <LabForm
        machine={faultRule}
        kind={faultForm}
        submitLabel="Add fault"
        layout={FaultSentence}
        said={(rule) => <Text color="done">{`Added. ${sentenceOf(rule as KeptRule)}.`}</Text>}
      />
      <Box minWidth="0" display="grid" gap="3" alignContent="start" borderTopWidth="1px" pt="4">
        <DataTable
          caption={['fault', 'faults']}
          columns={columns}
          rows={rules}
          rowKey={({ ruleId }) => ruleId}
          actions={(rule) => (
            <ActButton
              size="sm"
              actor={actor}
              act={{ type: 'act', act: 'fault.remove', ruleId: rule.ruleId }}
              aria-label={`Remove: ${sentenceOf(rule)}`}
            >
              Remove
            </ActButton>
          )}
          empty={{ children: 'No faults: the sandbox works normally.', reason: '“Add fault” sets one.' }}
        />
        <Flex>
          <ActButton
            size="sm"
            actor={actor}
            act={{ type: 'act', act: 'faults.stop' }}
            blocked={rules.length === 0 ? 'No faults yet' : ''}
          >
            Remove all
          </ActButton>
        </Flex>
      </Box>
    </Section>
  );
}
