import { assign, setup } from 'xstate';
import type { TimelineEntry } from '#contract/timeline.ts';
import { describedGuard, pressLabel } from '../lib/describe.ts';
import { effect, failureOf, type EffectTexts } from '../lib/effect.ts';
import type { Meta, Tag } from '../lib/gate.ts';

/** A recorded session that was opened from a file. */
export interface Session {
  name: string;
  /** Newest first. */
  entries: readonly TimelineEntry[];
  /** What of the file is not shown, one sentence each. */
  left: readonly string[];
}

type SessionEvent = { type: 'file.open'; file: File } | { type: 'session.close' };

interface SessionContext {
  isSandbox: boolean;
  file: File | null;
  session: Session | null;
  /** Why the last file was not opened; '' if it was. */
  wrong: string;
}

interface Args {
  context: SessionContext;
}

const notLive = 'This console uses a live service: open the file in a console that uses a sandbox.';

const words: EffectTexts = { answers: 'The session is read', fails: 'The file holds no session' };

const opened = 'Choose or drop a HAR file';
const opens = [
  { guard: 'isSandbox', target: 'reading', actions: 'assignFile', description: opened },
  { target: 'refused', actions: 'refuseLive', description: opened },
] as const;

/**
 * A recorded session from a HAR file, shown in place of the timeline of a sandbox and only to be read. Effect: `read`,
 * which takes the file and rejects with an error whose message says what is wrong with it.
 */
export const sessionMachine = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    input: {} as { isSandbox: boolean },
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: { read: effect<File | null, Session>('reads', words) },
  guards: { isSandbox: describedGuard('the service is a sandbox', ({ context }: Args) => context.isSandbox) },
  actions: {
    assignFile: assign(({ event }) => (event.type === 'file.open' ? { file: event.file, wrong: '' } : {})),
    assignSession: assign((_, { session }: { session: Session }) => ({ session, file: null })),
    assignWrong: assign((_, { error }: { error: unknown }) => ({
      file: null,
      wrong: failureOf(error).detail ?? failureOf(error).title,
    })),
    refuseLive: assign({ wrong: notLive }),
    clear: assign({ session: null, wrong: '' }),
  },
}).createMachine({
  id: 'session',
  context: ({ input }) => ({ ...input, file: null, session: null, wrong: '' }),
  initial: 'closed',
  states: {
    closed: { meta: { description: 'The timeline is shown' }, entry: 'clear', on: { 'file.open': opens } },
    reading: {
      tags: ['busy'],
      meta: { description: 'The file is read' },
      invoke: {
        id: 'read',
        src: 'read',
        input: ({ context }) => context.file,
        onDone: {
          target: 'shown',
          actions: { type: 'assignSession', params: ({ event }) => ({ session: event.output }) },
        },
        onError: { target: 'refused', actions: { type: 'assignWrong', params: ({ event }) => event } },
      },
    },
    shown: {
      meta: { description: 'The session of the file is shown, only to be read' },
      on: {
        'file.open': { target: 'reading', actions: 'assignFile', description: opened },
        'session.close': { target: 'closed', description: pressLabel('Close the session') },
      },
    },
    refused: {
      meta: { description: 'The file was not opened' },
      on: {
        'file.open': opens,
        'session.close': { target: 'closed', description: pressLabel('Back to the timeline') },
      },
    },
  },
});
