import { notAgain, onlyReads, type Repeat } from '#rules/replay.ts';
import type { ResourceKind } from '../lib/resource.machine.ts';

/** Sends a recorded call again. */
export interface SendAgain extends Repeat {
  act: 'repeat';
}

/** Under a new key the sandbox executes the call again: the user is asked. */
export const sendAgainKind: ResourceKind<null, SendAgain> = {
  permits: (repeat) => notAgain(repeat) === '',
  asks: ({ key }) => key === 'new',
  changesFacts: ({ call }) => !onlyReads(call),
};
