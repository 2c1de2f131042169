import { Box, Button, Flex, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect, useState } from 'react';
import { labNews } from '#contract/constants.ts';
import { faultKinds } from '#contract/faults.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { happeningWords, placeWords, usualFault } from '#rules/faultSentence.ts';
import { faultTitle } from '#rules/lab.ts';
import { callOf, notAgain, onlyReads } from '#rules/replay.ts';
import { useContextValues } from '#steps/kit/useContextValues.ts';
import { ChoiceSelect } from '#ui/Choice.tsx';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { subscribeToRecord } from '#app/client/recordEvents.ts';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { useRunning } from '#app/console/useResource.ts';
import { faultOnArrow } from '#app/effects/timeline.ts';
import { placeOf } from './arrows.ts';

interface Props {
  /** The entry of the chosen arrow, and the entries of its interaction, oldest first. */
  entry: TimelineEntry;
  own: readonly TimelineEntry[];
  /** Called with the id of the new call's entry. */
  onSent: (id: string) => void;
}

/** A number by which the lab's rule of one run is found again. */
const newSeed = (): number => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) >>> 1;

/** States from which a call can be run again. */
const restful = ['ready', 'refused', 'unreached'] as const;

/** Chooses what goes wrong at an arrow, sets that fault once, and sends the interaction's call again. */
export function FaultOnArrow({ entry, own, onSent }: Props) {
  const isLive = useFacts()?.environment !== 'sandbox';
  const actor = useRunning(faultOnArrow);
  useEffect(() => {
    const sending = actor.on('sent', ({ id }) => onSent(id));
    return () => sending.unsubscribe();
  }, [actor, onSent]);
  useEffect(() => subscribeToRecord(labNews, () => actor.send({ type: 'lab.changed' })), [actor]);
  const state = useSelector(actor, ({ value }) => value);
  const { failure, unremoved } = useContextValues(actor, 'failure', 'unremoved');
  const mayRun = useSelector(actor, (snapshot) => restful.some((each) => snapshot.matches(each)));
  const place = placeOf(entry);
  const [kind, setKind] = useState('');
  const call = callOf(own.find((each) => each.kind === 'call') ?? entry, own);
  if (isLive || !place) return null;
  const { on, of } = place;
  const key = call && onlyReads(call) ? 'same' : 'new';
  const reason = call ? notAgain({ call, key, isLive }) : 'Only calls made by this console can be resent.';
  const kinds = Object.keys(faultKinds[on]);
  const chosen = kinds.includes(kind) ? kind : (kinds[0] ?? '');
  const onRun = () => {
    if (!call) return;
    const rule = { ...usualFault(on, of, chosen), seed: newSeed() };
    actor.send({ type: 'fault.run', rule, repeat: { call, key, isLive } });
  };
  return (
    <Box display="grid" gap="2">
      <Flex gap="2" wrap="wrap" align="end">
        <Text pb="2">
          When {placeWords(on, of)} {happeningWords(on)}:
        </Text>
        <Box width="16rem">
          <ChoiceSelect
            label="Fault"
            options={kinds.map((value) => ({ value, label: faultTitle(value) }))}
            value={chosen}
            onChange={setKind}
          />
        </Box>
        <Text pb="2">the next time.</Text>
        <Button variant="solid" aria-disabled={!mayRun || reason !== ''} title={reason || undefined} onClick={onRun}>
          {state === 'running' ? 'Running …' : 'Run it again'}
        </Button>
      </Flex>
      {reason && (
        <Text fontSize="sm" color="fg.muted">
          It cannot be run again: {reason}
        </Text>
      )}
      {state === 'asking' && call && (
        <ConfirmDialog
          title="Run it again with this fault?"
          confirmLabel="Run it again"
          onClose={() => actor.send({ type: 'dismiss' })}
          onConfirm={() => actor.send({ type: 'confirm' })}
        >
          <Text>
            The sandbox takes {call.method} {call.url} under a new idempotency key, as a new request.
          </Text>
        </ConfirmDialog>
      )}
      <Text role="status" fontSize="sm">
        {state === 'unreached' && 'The call was sent again, but did not reach the fault. The fault was removed.'}
        {state === 'refused' && 'The call was not sent again. Its fault is not set.'}
      </Text>
      {failure && state !== 'running' && <FailurePanel problem={failure} />}
      {unremoved && (
        <FailurePanel problem={unremoved}>
          <Text flexBasis="full">The fault may still be set: it would happen to another call.</Text>
          <Button onClick={() => actor.send({ type: 'retry' })}>Remove the fault</Button>
        </FailurePanel>
      )}
    </Box>
  );
}
