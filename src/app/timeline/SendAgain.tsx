import { Button, Text } from '@chakra-ui/react';
import { useState } from 'react';
import type { Problem } from '#contract/problem.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { callOf, notAgain, onlyReads, type AgainKey } from '#rules/replay.ts';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { call as ask } from '../api/client.ts';
import { useFacts, useSend } from '../console/console.tsx';
import { useTimeline } from '../api/useTimeline.ts';
import { Choices } from './Choices.tsx';

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
  const { entries } = useTimeline({ id: entry.interactionId }, 100);
  const live = useFacts()?.environment !== 'sandbox';
  const send = useSend();
  const [asking, setAsking] = useState(false);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const call = callOf(entry, entries.toReversed());

  async function sendWith(key: AgainKey): Promise<void> {
    setProblem(undefined);
    setSending(true);
    try {
      const { data } = await ask('repeatCall', { params: { entryId: entry.id }, body: { key } });
      onSent(data.entry.id);
    } catch (thrown) {
      setProblem(thrown as Problem); // calls reject with problems
    }
    setSending(false);
    if (call && !onlyReads(call)) send({ type: 'facts.stale' });
  }

  const whyNot = (key: AgainKey) => (call ? notAgain(call, key, live) : 'No call of a page belongs to it.');
  const choices = (Object.keys(chosen) as AgainKey[]).map((key) => {
    const reason = whyNot(key);
    const [label, hint] = chosen[key];
    const run = key === 'new' ? () => setAsking(true) : () => void sendWith(key);
    return { label, hint: reason || hint, onChoose: reason || sending ? null : run };
  });
  return (
    <>
      {call && onlyReads(call) ? (
        <Button
          size="sm"
          aria-disabled={sending || whyNot('same') !== ''}
          title={whyNot('same') || undefined}
          onClick={() => !sending && whyNot('same') === '' && void sendWith('same')}
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
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false);
            void sendWith('new');
          }}
        >
          <Text>
            Under a new idempotency key the sandbox takes {call.method} {call.url} as a new request and executes it
            again.
          </Text>
        </ConfirmDialog>
      )}
      {problem && <FailurePanel problem={problem} />}
    </>
  );
}
