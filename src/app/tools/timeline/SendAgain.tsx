import { Text } from '@chakra-ui/react';
import { shallowEqual, useSelector } from '@xstate/react';
import { useCallback } from 'react';
import type { TimelineEntry } from '#contract/timeline.ts';
import { lackOfCall, notAgain, onlyReads, type AgainKey } from '#rules/replay.ts';
import { ActButton } from '#steps/kit/ActButton.tsx';
import { ConfirmDialog } from '#ui/Dialog.tsx';
import { FailurePanel } from '#ui/FailurePanel.tsx';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { useResource } from '#app/console/useResource.ts';
import { sendingAgain } from '#app/effects/timeline.ts';
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

const keys = Object.keys(chosen) as AgainKey[];

/**
 * Repeats the call that an entry belongs to, through the same API as any call. If it must not be repeated, shows the
 * reason.
 */
export function SendAgain({ entry, onSent }: Props) {
  const isLive = useFacts()?.environment !== 'sandbox';
  const { actor, known, unread, asked, acting, failure } = useResource(sendingAgain(entry), {
    acted: useCallback(({ result }: { result: string }) => onSent(result), [onSent]),
  });
  const call = known?.call;
  const actFor = (key: AgainKey) => call && ({ type: 'act', act: 'repeat', call, key, isLive } as const);
  const permitted = useSelector(
    actor,
    (now) => keys.filter((key) => call && now.can({ type: 'act', act: 'repeat', call, key, isLive })),
    shallowEqual,
  );
  const whyNot = (key: AgainKey) => {
    if (call) return notAgain({ call, key, isLive });
    return known
      ? lackOfCall(entry)
      : unread
        ? `Its call could not be read: ${unread.title}.`
        : 'Its call is being read.';
  };
  const choices = keys.map((key) => {
    const [label, hint] = chosen[key];
    const act = actFor(key);
    return {
      label,
      hint: whyNot(key) || hint,
      onChoose: act && permitted.includes(key) ? () => actor.send(act) : null,
    };
  });
  const read = call && onlyReads(call) ? actFor('same') : undefined;
  return (
    <>
      {read ? (
        <ActButton size="sm" actor={actor} act={read} blocked={whyNot('same')}>
          {acting ? 'Sending …' : 'Send again'}
        </ActButton>
      ) : (
        <Choices label={acting ? 'Sending …' : 'Send again'} choices={choices} />
      )}
      {asked && (
        <ConfirmDialog
          title="Send it as a new request?"
          confirmLabel="Send with a new key"
          onClose={() => actor.send({ type: 'dismiss' })}
          onConfirm={() => actor.send({ type: 'confirm' })}
        >
          <Text>
            Under a new idempotency key the sandbox takes {asked.call.method} {asked.call.url} as a new request and
            executes it again.
          </Text>
        </ConfirmDialog>
      )}
      {failure && <FailurePanel problem={failure} />}
    </>
  );
}
