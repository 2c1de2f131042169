import { Button, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useEffect } from 'react';
import type { TimelineEntry } from '#contract/timeline.ts';
import { callOf, lackOfCall, notAgain, onlyReads, type AgainKey } from '#rules/replay.ts';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { useFacts } from '../console/console.tsx';
import { useLastingActor } from '../console/useLastingActor.ts';
import { sendAgain } from '../effects/timeline.ts';
import { useWholeTimeline } from '../api/useTimeline.ts';
import { Choices } from '#ui/Menu.tsx';

interface Props {
  entry: TimelineEntry;
  /** Called with the id of the new call's entry, to show it. */
  onSent: (id: string) => void;
}

const chosen: Readonly<Record<AgainKey, readonly [label: string, hint: string]>> = {
  same: ['With the same key', 'Shows the first response'],
  new: ['With a new key …', 'Sends a new request'],
};

/**
 * Repeats the call that an entry belongs to, through the same API as any call. If it must not be repeated, shows the
 * reason.
 */
export function SendAgain({ entry, onSent }: Props) {
  const { entries, state } = useWholeTimeline({ interaction: entry.interactionId });
  const live = useFacts()?.environment !== 'sandbox';
  const actor = useLastingActor(sendAgain);
  useEffect(() => {
    const sent = actor.on('sent', ({ id }) => onSent(id));
    return () => sent.unsubscribe();
  }, [actor, onSent]);
  const failure = useSelector(actor, ({ context }) => context.failure);
  const asking = useSelector(actor, (snapshot) => snapshot.matches('asking'));
  const sending = useSelector(actor, (snapshot) => snapshot.hasTag('busy'));
  const call = callOf(entry, entries.toReversed());
  const reads = call !== undefined && onlyReads(call);
  // Its call, which is stored: the entry may be kept with a record that outlasts the timeline.
  const repeat = (key: AgainKey) => actor.send({ type: 'call.repeat', entryId: call?.id ?? '', key, reads });

  const whyNot = (key: AgainKey) =>
    call ? notAgain(call, key, live) : state === 'loading' ? 'Its call is being read.' : lackOfCall(entry);
  const choices = (Object.keys(chosen) as AgainKey[]).map((key) => {
    const reason = whyNot(key);
    const [label, hint] = chosen[key];
    return { label, hint: reason || hint, onChoose: reason || sending ? null : () => repeat(key) };
  });
  return (
    <>
      {reads ? (
        <Button
          size="sm"
          aria-disabled={sending || whyNot('same') !== ''}
          title={whyNot('same') || undefined}
          onClick={() => !sending && whyNot('same') === '' && repeat('same')}
        >
          {sending ? 'Sending …' : 'Send again'}
        </Button>
      ) : (
        <Choices label={sending ? 'Sending …' : 'Send again'} choices={choices} />
      )}
      {asking && call && (
        <ConfirmDialog
          title="Send it as a new request?"
          confirmLabel="Send with a new key"
          onClose={() => actor.send({ type: 'dismiss' })}
          onConfirm={() => actor.send({ type: 'confirm' })}
        >
          <Text>
            Under a new idempotency key the sandbox takes {call.method} {call.url} as a new request and executes it
            again.
          </Text>
        </ConfirmDialog>
      )}
      {failure && <FailurePanel problem={failure} />}
    </>
  );
}
