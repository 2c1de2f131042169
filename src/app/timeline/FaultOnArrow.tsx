import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { faultKinds } from '#contract/lab.ts';
import type { Problem } from '#contract/problem.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { happeningWords, placeWords, usualFault, verbWords } from '#rules/faultSentence.ts';
import { callOf, notAgain, onlyReads } from '#rules/replay.ts';
import { ChoiceSelect } from '#ui/Choice.tsx';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { call as ask } from '../api/client.ts';
import { withLabEvent } from '../api/labEvents.ts';
import { useFacts, useSend } from '../console/console.tsx';
import { placeOf } from './arrows.ts';

interface Props {
  /** The entry of the chosen arrow, and the entries of its interaction, oldest first. */
  entry: TimelineEntry;
  own: readonly TimelineEntry[];
  /** Called with the id of the new call's entry. */
  onSent: (id: string) => void;
}

/** Chooses what goes wrong at an arrow, sets that fault once, and sends the interaction's call again. */
export function FaultOnArrow({ entry, own, onSent }: Props) {
  const isLive = useFacts()?.environment !== 'sandbox';
  const send = useSend();
  const place = placeOf(entry);
  const [kind, setKind] = useState('');
  const [asking, setAsking] = useState(false);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const call = callOf(own.find((each) => each.kind === 'call') ?? entry, own);
  if (isLive || !place) return null;
  const { on, of } = place;
  const key = call && onlyReads(call) ? 'same' : 'new';
  const reason = call ? notAgain(call, key, isLive) : 'No call of a page belongs to it.';
  const kinds = Object.keys(faultKinds[on]);
  const chosen = kinds.includes(kind) ? kind : (kinds[0] ?? '');
  const mayRun = reason === '' && !sending;

  async function run(): Promise<void> {
    if (!call) return;
    setProblem(undefined);
    setSending(true);
    try {
      await withLabEvent(ask('setFault', { body: usualFault(on, of, chosen) }));
      const { data } = await ask('repeatCall', { params: { entryId: call.id }, body: { key } });
      onSent(data.entry.id);
    } catch (thrown) {
      setProblem(thrown as Problem); // calls reject with problems
    }
    setSending(false);
    send({ type: 'facts.stale' });
  }

  return (
    <Box display="grid" gap="2">
      <Flex gap="2" wrap="wrap" align="end">
        <Text pb="2">
          When {placeWords(on, of)} {happeningWords(on)},
        </Text>
        <Box width="16rem">
          <ChoiceSelect
            label="Fault"
            options={kinds.map((value) => ({ value, label: verbWords(on, value) }))}
            value={chosen}
            onChange={setKind}
          />
        </Box>
        <Text pb="2">the next time.</Text>
        <Button
          variant="solid"
          aria-disabled={!mayRun}
          onClick={() => mayRun && (key === 'new' ? setAsking(true) : void run())}
        >
          {sending ? 'Running' : 'Run it again'}
        </Button>
      </Flex>
      {reason && (
        <Text fontSize="sm" color="fg.muted">
          It cannot be run again: {reason}
        </Text>
      )}
      {asking && call && (
        <ConfirmDialog
          title="Run it again with this fault?"
          confirmLabel="Run it again"
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            void run();
          }}
        >
          <Text>
            The sandbox takes {call.method} {call.url} under a new idempotency key, as a new request.
          </Text>
        </ConfirmDialog>
      )}
      {problem && <FailurePanel problem={problem} />}
    </Box>
  );
}
