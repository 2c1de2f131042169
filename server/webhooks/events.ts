import type { Webhook } from '#contract/entities.ts';
import type { Json } from '#contract/json.ts';
import { Failure } from '#server/failure.ts';
import { fingerprintOf } from '#server/once.ts';
import { readTolerantly } from '#server/upstream/tolerant.ts';
import { wire } from '#server/upstream/wire.ts';
import { visibleId } from '#server/visible.ts';

/** One event of a delivery; `known` if its delivery is named, so that it can be told from a repeat. */
export interface Event {
  webhook: Webhook;
  known: boolean;
  fingerprint: string;
}

interface Delivery {
  /** The header webhook-id, '' if there is none. */
  id: string;
  receivedAt: string;
}

/** Characters of an event's fingerprint that tell it from the others of its delivery. */
const enough = 32;

/** Events of one delivery; each is acted upon in turn, while the service waits for the answer. */
const mostEvents = 2000;

/** What an event is called that says nothing of itself: it is kept for somebody to read. */
const unreadable = 'unreadable';

function eventOf(body: unknown, delivery: Delivery, isOneOfSeveral: boolean): Event {
  const reading = readTolerantly(wire.webhook, body);
  if ('fault' in reading && !isOneOfSeveral)
    throw new Failure(
      'invalid-request',
      `The webhook cannot be understood: ${reading.fault.path} ${reading.fault.message}.`,
    );
  const fingerprint = fingerprintOf('webhook', body);
  const place = fingerprint.slice(0, enough);
  const event = 'fault' in reading ? { type: unreadable, data: body as Json } : reading.value; // parsed JSON
  const { type, subscriptionId, interactionId, resource, data, additionalData } = {
    subscriptionId: undefined,
    interactionId: undefined,
    resource: undefined,
    additionalData: undefined,
    ...event,
  };
  const told = data ?? additionalData;
  // The events of a delivery may stand in another order the next time.
  const id = isOneOfSeveral ? `${delivery.id}/${place}` : delivery.id;
  return {
    known: delivery.id !== '',
    fingerprint,
    webhook: {
      id: visibleId(delivery.id === '' ? place : id),
      receivedAt: delivery.receivedAt,
      type,
      ...(subscriptionId !== undefined && { subscriptionId }),
      ...(interactionId !== undefined && { interactionId }),
      ...(resource && { resource: { id: resource.id, type: resource.type } }),
      ...(told !== undefined && { data: told }),
    },
  };
}

/**
 * The events of a delivery: one, or a list of them, bare or as the member `events` (wire, section 6.3). Throws
 * `invalid-request` for one that says nothing of itself, which among others is one to be read, and `too-large` for more
 * than 2,000.
 */
export function eventsOf(body: unknown, delivery: Delivery): Event[] {
  const { events = body } = (body ?? {}) as { events?: unknown }; // any value but null and undefined has members to ask for
  if (!Array.isArray(events)) return [eventOf(body, delivery, false)];
  if (events.length > mostEvents)
    throw new Failure(
      'too-large',
      `The delivery holds ${events.length} events: send at most ${mostEvents} of them at once.`,
    );
  return events.map((event: unknown) => eventOf(event, delivery, true));
}
