import { assign, emit, fromCallback, raise, sendTo, setup } from 'xstate';
import type { TimelineEntry } from '#contract/timeline.ts';
import { describedGuard, pressLabel, type Reported } from './lib/describe.ts';

/** A message of the server: the id of a record with something new to read, or a new entry of the timeline. */
export type ServerMessage = { type: 'news'; id: string } | { type: 'entry'; entry: TimelineEntry };

/** Events of a stream, which the tab that holds it shares with the other tabs of its browser. */
export type StreamEvent =
  | { type: 'stream.opened' }
  | { type: 'stream.heartbeat' }
  | { type: 'stream.message'; message: ServerMessage }
  | { type: 'stream.lost' };

/** What tabs send each other; a tab that has joined asks whether a stream is open. */
export type TabEvent = StreamEvent | { type: 'tab.joined' };

export type ConnectionEvent =
  | TabEvent
  | { type: 'lock.granted' }
  | { type: 'page.hidden' }
  | { type: 'page.shown' }
  | { type: 'subscribed' }
  | { type: 'unsubscribed' }
  | { type: 'subscription.ended' }
  /** A subscriber could not read although the stream is open. */
  | { type: 'reading.failed' }
  /** A subscriber could not read, and a retry does not help. */
  | { type: 'reading.refused' }
  | { type: 'retry' };

/**
 * What subscribers are told besides messages: `opened`: messages are received from now on, read what came before;
 * `interrupted`: messages may be missed; `due`: read now, because no messages are received.
 */
export type ConnectionEmitted = ServerMessage | { type: 'opened' } | { type: 'interrupted' } | { type: 'due' };

interface Context {
  /** Whether the page is visible. */
  visible: boolean;
  subscriptions: number;
  /** Streams lost or refused since the last heartbeat. */
  failures: number;
}

interface Args {
  context: Context;
}

/** What the page, the other tabs, the stream and the subscribers report. */
const reports: readonly (ConnectionEvent['type'] | 'stream.*')[] = [
  'stream.opened' as const,
  'stream.heartbeat' as const,
  'stream.message' as const,
  'stream.lost' as const,
  'stream.*' as const,
  'tab.joined' as const,
  'lock.granted' as const,
  'page.hidden' as const,
  'page.shown' as const,
  'subscribed' as const,
  'unsubscribed' as const,
  'subscription.ended' as const,
  'reading.failed' as const,
  'reading.refused' as const,
];

/** Descriptions of what happens to a stream, in the tab that holds it and in the others. */
const heard = 'A heartbeat arrives';
const told = 'A message arrives';
const lost = 'The stream is lost';
const unread = 'A subscriber cannot read';
const silent = 'Nothing arrives for 40 s';

/**
 * A page's connection to the server's events. All tabs of a browser share one stream: the tab that is granted a lock
 * holds it and shares its events, the others follow, and poll while they hear nothing. Connected only while there are
 * subscribers and the page is visible.
 *
 * Actors: `page` sends whether the page is visible from now on; `tabs` requests the lock and exchanges events with the other tabs;
 * `stream` is the stream.
 */
export const connectionMachine = setup({
  types: {
    context: {} as Context,
    input: {} as Pick<Context, 'visible'>,
    events: {} as ConnectionEvent,
    emitted: {} as ConnectionEmitted,
    tags: {} as 'opening' | 'live',
    meta: {} as Reported,
  },
  actors: {
    page: fromCallback<ConnectionEvent>(() => undefined),
    tabs: fromCallback<TabEvent>(() => undefined),
    stream: fromCallback<ConnectionEvent>(() => undefined),
  },
  guards: {
    isVisible: describedGuard('the page is visible', ({ context }: Args) => context.visible),
    isSubscribed: describedGuard('there are subscribers', ({ context }: Args) => context.subscriptions > 0),
    isLastSubscription: describedGuard('it was the last one', ({ context }: Args) => context.subscriptions === 1),
  },
  // All in ms.
  delays: {
    /** For which a subscription outlives its subscriber, because the next page usually has one too. */
    linger: 5000,
    /** For the lock to be granted, or the tab that holds it to answer. */
    joining: 100,
    pollInterval: 2000,
    /** For which subscribers wait for the stream before they read; a proxy may delay it. */
    patience: 1000,
    /** After which a stream is considered dead; the server sends a heartbeat every 15 s. */
    silence: 40_000,
    /** Before a lost or refused stream is opened again; doubles until a heartbeat is received. */
    backoff: ({ context }) => Math.min(500 * 2 ** context.failures, 30_000),
  },
  actions: {
    noteShown: assign({ visible: true }),
    noteHidden: assign({ visible: false }),
    countSubscription: assign({ subscriptions: ({ context }) => context.subscriptions + 1 }),
    endSubscription: assign({ subscriptions: ({ context }) => context.subscriptions - 1 }),
    endSubscriptionLater: raise({ type: 'subscription.ended' }, { delay: 'linger' }),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    clearFailures: assign({ failures: 0 }),
    emitOpened: emit({ type: 'opened' }),
    emitInterrupted: emit({ type: 'interrupted' }),
    emitDue: emit({ type: 'due' }),
    emitMessage: emit((_, { message }: { message: ServerMessage }) => message),
    share: sendTo('tabs', ({ event }) => event as StreamEvent), // used for these alone
    shareHeartbeat: sendTo('tabs', { type: 'stream.heartbeat' }),
    shareLost: sendTo('tabs', { type: 'stream.lost' }),
  },
}).createMachine({
  id: 'connection',
  meta: { reports },
  context: ({ input: { visible } }) => ({ visible, subscriptions: 0, failures: 0 }),
  invoke: { src: 'page' },
  on: {
    subscribed: { actions: 'countSubscription', description: 'A subscriber comes' },
    unsubscribed: { actions: 'endSubscriptionLater', description: 'A subscriber leaves' },
    'page.hidden': { target: '.idle', actions: 'noteHidden', description: 'The page is hidden' },
    'page.shown': { actions: 'noteShown', description: 'The page becomes visible' },
    'subscription.ended': [
      {
        guard: 'isLastSubscription',
        target: '.idle',
        actions: 'endSubscription',
        description: 'Five seconds have passed since a subscriber left',
      },
      { actions: 'endSubscription' },
    ],
  },
  initial: 'idle',
  states: {
    idle: {
      description: 'Nobody reads, the page is hidden, or reading was refused',
      on: {
        subscribed: {
          guard: 'isVisible',
          target: 'connected',
          actions: 'countSubscription',
          description: 'A subscriber comes',
        },
        'page.shown': {
          guard: 'isSubscribed',
          target: 'connected',
          actions: 'noteShown',
          description: 'The page becomes visible',
        },
        retry: { target: 'connected', description: pressLabel('Try again') },
      },
    },
    connected: {
      description: 'Subscribers receive what is new',
      invoke: { id: 'tabs', src: 'tabs' },
      on: {
        'reading.refused': { target: 'idle', description: 'Reading is refused' },
        retry: { target: 'connected', reenter: true, actions: 'clearFailures' },
      },
      initial: 'following',
      states: {
        following: {
          description: 'Another tab may hold the stream',
          on: {
            'lock.granted': { target: 'streaming', description: 'This tab is granted the lock' },
            'stream.*': { target: '.live', actions: 'emitOpened', description: 'Another tab shares its stream' },
            'stream.lost': { target: '.polling', actions: 'emitInterrupted', description: lost },
          },
          initial: 'joining',
          states: {
            joining: {
              tags: 'opening',
              description: 'Asks the other tabs',
              after: { joining: { target: 'polling', description: '100 ms pass' } },
            },
            polling: {
              description: 'Subscribers read every two seconds',
              entry: 'emitDue',
              after: { pollInterval: { target: 'polling', reenter: true, description: 'Two seconds pass' } },
            },
            live: {
              tags: 'live',
              description: 'The tab with the stream shares its messages',
              after: { silence: { target: 'polling', actions: 'emitInterrupted', description: silent } },
              on: {
                'stream.heartbeat': { target: 'live', reenter: true, description: heard },
                'stream.message': {
                  target: 'live',
                  reenter: true,
                  actions: { type: 'emitMessage', params: ({ event }) => event },
                  description: told,
                },
                'reading.failed': { target: 'polling', description: unread },
              },
            },
          },
        },
        streaming: {
          description: 'This tab holds the stream',
          invoke: { src: 'stream' },
          on: { 'stream.lost': { target: 'backingOff', description: lost } },
          initial: 'connecting',
          states: {
            connecting: {
              description: 'The stream is being opened',
              after: { silence: { target: '#backingOff', description: silent } },
              on: {
                'stream.opened': {
                  target: 'live',
                  actions: ['share', 'emitOpened'],
                  description: 'The stream is open',
                },
                // The stream does not say why it was refused; reading does.
                'stream.lost': { target: '#backingOff', actions: 'emitDue', description: lost },
              },
              initial: 'prompt',
              states: {
                prompt: {
                  tags: 'opening',
                  description: 'Subscribers wait for the stream',
                  after: { patience: { target: 'late', description: 'A second passes' } },
                },
                late: { description: 'Subscribers read without it', entry: 'emitDue' },
              },
            },
            live: {
              tags: 'live',
              description: 'Messages arrive, and are shared with the other tabs',
              after: { silence: { target: '#backingOff', description: silent } },
              on: {
                'stream.heartbeat': {
                  target: 'live',
                  reenter: true,
                  actions: ['share', 'clearFailures'],
                  description: heard,
                },
                'stream.message': {
                  target: 'live',
                  reenter: true,
                  actions: ['share', { type: 'emitMessage', params: ({ event }) => event }],
                  description: told,
                },
                'tab.joined': { actions: 'shareHeartbeat', description: 'Another tab asks' },
                'reading.failed': { target: '#backingOff', description: unread },
              },
            },
          },
        },
        backingOff: {
          id: 'backingOff',
          description: 'The stream was lost or refused, and is opened again after a pause',
          entry: ['countFailure', 'emitInterrupted', 'shareLost'],
          after: { backoff: { target: 'streaming', description: 'The pause is over' } },
        },
      },
    },
  },
});
