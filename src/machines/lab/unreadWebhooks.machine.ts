import { assign, setup } from 'xstate';
import type { Problem } from '#contract/problem.ts';
import type { Answer } from '#contract/shapes.ts';
import { describedGuard, pressLabel } from '../lib/describe.ts';
import { actionTexts, effect, readTexts } from '../lib/effect.ts';
import { failsTo, journeyActions } from '../lib/journeyActions.ts';
import type { Meta, Tag } from '../lib/gate.ts';

export type WebhookPage = Answer<'listWebhooks'>;

type UnreadWebhooksEvent =
  /** The facts were read again: a page's actions may have marked some webhooks as read. */
  { type: 'facts.arrived' } | { type: 'webhooks.mark' };

interface UnreadWebhooksContext {
  /** The latest unread webhooks as last read. */
  page: WebhookPage | null;
  failure: Problem | null;
}

const readAnew = { target: 'reading', description: 'The facts arrive' } as const;

/**
 * Unread webhooks, newest first, one page at a time, until they are marked as read. Effects: `read`, and `mark`, which
 * marks the webhooks with these ids.
 */
export const unreadWebhooksMachine = setup({
  types: {
    context: {} as UnreadWebhooksContext,
    events: {} as UnreadWebhooksEvent,
    tags: {} as Tag,
    meta: {} as Meta,
  },
  actors: {
    read: effect<void, WebhookPage>('reads', readTexts('The webhooks')),
    mark: effect<readonly string[], void>('writes', actionTexts('They are marked')),
  },
  guards: {
    isShown: describedGuard(
      'some are shown',
      ({ context }: { context: UnreadWebhooksContext }) => context.page !== null,
    ),
  },
  actions: {
    assignPage: assign((_, { page }: { page: WebhookPage }) => ({ page, failure: null })),
  },
})
  .extend({ actions: journeyActions })
  .createMachine({
    id: 'unreadWebhooks',
    context: { page: null, failure: null },
    initial: 'reading',
    states: {
      reading: {
        meta: { description: 'The webhooks are being read' },
        on: { 'facts.arrived': { target: 'reading', reenter: true, description: readAnew.description } },
        invoke: {
          id: 'read',
          src: 'read',
          onDone: {
            target: 'shown',
            actions: { type: 'assignPage', params: ({ event }) => ({ page: event.output }) },
          },
          onError: failsTo('failed'),
        },
      },
      shown: {
        meta: { description: 'The unread webhooks are shown' },
        on: {
          'facts.arrived': readAnew,
          'webhooks.mark': { target: 'marking', description: pressLabel('Mark as read') },
        },
      },
      marking: {
        tags: ['busy'],
        meta: { description: 'The shown webhooks are marked as read' },
        invoke: {
          id: 'mark',
          src: 'mark',
          input: ({ context }) => context.page?.data.map(({ id }) => id) ?? [],
          onDone: 'reading',
          onError: failsTo('failed'),
        },
      },
      failed: {
        tags: ['failed'],
        meta: { description: 'The webhooks could not be read or marked' },
        on: { 'facts.arrived': readAnew, 'webhooks.mark': { guard: 'isShown', target: 'marking' } },
      },
    },
  });
