import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useId } from 'react';
import type { SnapshotFrom } from 'xstate';
import type { KeptRule } from '#contract/labShapes.ts';
import { routeOf, sentenceOf } from '#rules/faultSentence.ts';
import { isOpen } from '#rules/lab.ts';
import { faultForm } from '#rules/labForms.ts';
import { DataTable } from '#ui/DataTable.tsx';
import { Badge } from '#ui/Badge.tsx';
import { faultRule } from '../effects/labForms.ts';
import { FaultSentence } from './FaultSentence.tsx';
import { LabForm } from './LabForm.tsx';
import { Section } from './Section.tsx';
import type { LabActor } from './useLab.ts';

const columns = [
  {
    id: 'rule',
    title: 'Fault',
    text: (rule: KeptRule) => `${sentenceOf(rule)} ${routeOf(rule.on, rule.of)}`,
    cell: (rule: KeptRule) => (
      <Box whiteSpace="normal">
        {sentenceOf(rule)}
        <Box as="span" display="block" fontFamily="mono" fontSize="xs" color="fg.muted">
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

/** Why nothing can be removed now: the description of the machine's state. */
const pauseOf = (snapshot: SnapshotFrom<LabActor>): string =>
  (Object.values(snapshot.getMeta())[0] as { description: string } | undefined)?.description ?? '';

function Remove({ actor, rule, because }: { actor: LabActor; rule: KeptRule; because: string }) {
  const act = { type: 'fault.remove', ruleId: rule.ruleId } as const;
  const may = useSelector(actor, (snapshot) => snapshot.can(act));
  return (
    <Button
      size="sm"
      aria-label={`Remove: ${sentenceOf(rule)}`}
      aria-disabled={!may}
      aria-describedby={may ? undefined : because}
      onClick={() => actor.send(act)}
    >
      Remove
    </Button>
  );
}

/** Sets rules of the fault lab and lists them, each as a sentence. */
export function RulesSection({ actor }: { actor: LabActor }) {
  const rules = useSelector(actor, ({ context: { lab } }) => lab?.rules) ?? [];
  const mayStop = useSelector(actor, (snapshot) => snapshot.can({ type: 'faults.stop' }));
  const pause = useSelector(actor, pauseOf);
  const [none, because] = [useId(), useId()];
  return (
    <Section
      id="lab-rules"
      title="Faults"
      says="A fault affects every page and program that uses your sandbox. Of several for the same operation, the oldest decides."
    >
      <LabForm
        machine={faultRule}
        kind={faultForm}
        submitLabel="Add fault"
        layout={FaultSentence}
        said={(rule) => <Text color="done">{`Added. ${sentenceOf(rule as KeptRule)}.`}</Text>}
      />
      <Box minWidth="0" display="grid" gap="3" alignContent="start" borderTopWidth="1px" pt="4">
        <Text id={because} srOnly>
          {pause}
        </Text>
        <DataTable
          caption={['fault', 'faults']}
          columns={columns}
          rows={rules}
          rowKey={({ ruleId }) => ruleId}
          actions={(rule) => <Remove actor={actor} rule={rule} because={because} />}
          empty={
            <Text id={none} color="fg.muted">
              No faults yet. The sandbox works normally.
            </Text>
          }
        />
        <Flex>
          <Button
            size="sm"
            aria-disabled={!mayStop}
            aria-describedby={none}
            onClick={() => actor.send({ type: 'faults.stop' })}
          >
            Remove all
          </Button>
        </Flex>
      </Box>
    </Section>
  );
}
