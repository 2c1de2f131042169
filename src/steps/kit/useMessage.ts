import { shallowEqual, useSelector } from '@xstate/react';
import type { Subscribable } from 'xstate';
import { messageIn } from '#machines/lib/messaging.ts';
import type { Invoking } from '#machines/lib/state.ts';

interface Conversing {
  getSnapshot: () => { context: Invoking };
  subscribe: Subscribable<{ context: Invoking }>['subscribe'];
}

/** What is shown of the message about which a journey converses; renders again only when that changes. */
export const useMessage = (actor: Conversing): ReturnType<typeof messageIn> =>
  useSelector(
    actor,
    ({ context }) => {
      const { messageId, outcome, overdue, looks, already } = messageIn(context);
      return { messageId, outcome, overdue, looks, already };
    },
    shallowEqual,
  );
