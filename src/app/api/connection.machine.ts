import { assign, emit, fromCallback, raise, sendTo, setup } from 'xstate';
import type { TimelineEntry } from '#contract/timeline.ts';

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

/**
 * A page's connection to the server's events. All tabs of a browser share one stream: the tab that is granted a lock
 * holds it and shares its events, the others follow, and poll while they hear nothing. Connected only while there are
 * subscribers and the page is visible.
 *
 * Actors: `page` sends whether the page is visible; `tabs` requests the lock and exchanges events with the other tabs;
 * `stream` is the stream.
 */
export const connectionMachine = setup({
  types: {
    context: {} as { subscriptions: number; failures: number },
    events: {} as ConnectionEvent,
    emitted: {} as ConnectionEmitted,
    tags: {} as 'opening' | 'live',
  },
  actors: {
    page: fromCallback<ConnectionEvent>(() => undefined),
    tabs: fromCallback<TabEvent>(() => undefined),
    stream: fromCallback<ConnectionEvent>(() => undefined),
  },
  guards: {
    isVisible: () => true,
    isSubscribed: ({ context }) => context.subscriptions > 0,
    isLastSubscription: ({ context }) => context.subscriptions === 1,
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
  context: { subscriptions: 0, failures: 0 },
  invoke: { src: 'page' },
  on: {
    subscribed: { actions: 'countSubscription' },
    unsubscribed: { actions: 'endSubscriptionLater' },
    'subscription.ended': [
      { guard: 'isLastSubscription', target: '.idle', actions: 'endSubscription' },
      { actions: 'endSubscription' },
    ],
  },
  initial: 'idle',
  states: {
    idle: {
      on: {
        subscribed: { guard: 'isVisible', target: 'connected', actions: 'countSubscription' },
        'page.shown': { guard: 'isSubscribed', target: 'connected' },
        retry: 'connected',
      },
    },
    connected: {
      invoke: { id: 'tabs', src: 'tabs' },
      on: {
        'page.hidden': 'idle',
        'reading.refused': 'idle',
        retry: { target: 'connected', reenter: true, actions: 'clearFailures' },
      },
      initial: 'following',
      states: {
        following: {
          on: {
            'lock.granted': 'streaming',
            'stream.*': { target: '.live', actions: 'emitOpened' },
            'stream.lost': { target: '.polling', actions: 'emitInterrupted' },
          },
          initial: 'joining',
          states: {
            joining: { tags: 'opening', after: { joining: 'polling' } },
            polling: { entry: 'emitDue', after: { pollInterval: { target: 'polling', reenter: true } } },
            live: {
              tags: 'live',
              after: { silence: { target: 'polling', actions: 'emitInterrupted' } },
              on: {
                'stream.heartbeat': { target: 'live', reenter: true },
                'stream.message': {
                  target: 'live',
                  reenter: true,
                  actions: { type: 'emitMessage', params: ({ event }) => event },
                },
                'reading.failed': 'polling',
              },
            },
          },
        },
        streaming: {
          invoke: { src: 'stream' },
          on: { 'stream.lost': 'backingOff' },
          initial: 'connecting',
          states: {
            connecting: {
              after: { silence: '#backingOff' },
              on: {
                'stream.opened': { target: 'live', actions: ['share', 'emitOpened'] },
                // The stream does not say why it was refused; reading does.
                'stream.lost': { target: '#backingOff', actions: 'emitDue' },
              },
              initial: 'prompt',
              states: {
                prompt: { tags: 'opening', after: { patience: 'late' } },
                late: { entry: 'emitDue' },
              },
            },
            live: {
              tags: 'live',
              after: { silence: '#backingOff' },
              on: {
                'stream.heartbeat': { target: 'live', reenter: true, actions: ['share', 'clearFailures'] },
                'stream.message': {
                  target: 'live',
                  reenter: true,
                  actions: ['share', { type: 'emitMessage', params: ({ event }) => event }],
                },
                'tab.joined': { actions: 'shareHeartbeat' },
                'reading.failed': '#backingOff',
              },
            },
          },
        },
        backingOff: {
          id: 'backingOff',
          entry: ['countFailure', 'emitInterrupted', 'shareLost'],
          after: { backoff: 'streaming' },
        },
      },
    },
  },
});
