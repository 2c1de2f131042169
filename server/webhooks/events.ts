import type { Webhook } from '#contract/message.ts';
import type { Json } from '#contract/json.ts';
import { Failure } from '#server/failure.ts';
import { fingerprintOf } from '#server/calls/fingerprint.ts';
import { lenientParse } from '#server/upstream/lenientParse.ts';
import { webhookSchema } from '#server/upstream/webhooks.ts';
import { escapeId } from '#server/escapeId.ts';

/** One event of a delivery. `known`: the delivery has an id, by which repeats are recognised. */
export interface Event {
  webhook: Webhook;
  known: boolean;
  fingerprint: string;
}

interface Delivery {
  /** The header webhook-id; '' if absent. */
  id: string;
  receivedAt: string;
  /** The ISO time of the signature; absent without one. */
  sentAt?: string;
}

/** Number of characters of the fingerprint used to tell the events of a delivery apart. */
const eventHashLength = 32;

/** Maximum number of events in one delivery; they are applied one by one while the service waits. */
const maximumEvents = 2000;

/** The type given to an event that cannot be parsed; it is stored for the user to read. */
const unreadable = 'unreadable';

function eventOf(body: unknown, delivery: Delivery, isOneOfSeveral: boolean): Event {
  const reading = lenientParse(webhookSchema, body);
  if ('fault' in reading && !isOneOfSeveral)
    throw new Failure(
      'invalid-request',
      `The webhook cannot be understood: ${reading.fault.path || 'its body'} ${reading.fault.message}.`,
    );
  const fingerprint = fingerprintOf('webhook', body);
  const place = fingerprint.slice(0, eventHashLength);
  const event = 'fault' in reading ? { type: unreadable, data: body as Json } : reading.value; // parsed JSON
  const { type, subscriptionId, interactionId, resource, data, additionalData } = {
    subscriptionId: undefined,
    interactionId: undefined,
    resource: undefined,
    additionalData: undefined,
    ...event,
  };
  const payload = data ?? additionalData;
  // Identified by content, because a redelivery may list the events in another order.
  const id = isOneOfSeveral ? `${delivery.id}/${place}` : delivery.id;
  return {
    known: delivery.id !== '',
    fingerprint,
    webhook: {
      id: escapeId(delivery.id === '' ? place : id),
      receivedAt: delivery.receivedAt,
      ...(delivery.sentAt !== undefined && { sentAt: delivery.sentAt }),
      type,
      ...(subscriptionId !== undefined && { subscriptionId }),
      ...(interactionId !== undefined && { interactionId }),
      ...(resource && { resource: { id: resource.id, type: resource.type } }),
      ...(payload !== undefined && { data: payload }),
    },
  };
}

/**
 * Returns the events of a delivery: one event, or a list of them, bare or as the member `events` (wire, section 6.3).
 * Throws `too-large` for more than 2,000 events, and `invalid-request` for a single event that cannot be parsed; in a
 * list, such an event is returned with the type `unreadable`.
 */
export function eventsOf(body: unknown, delivery: Delivery): Event[] {
  const { events = body } = (body ?? {}) as { events?: unknown }; // not null or undefined
  if (!Array.isArray(events)) return [eventOf(body, delivery, false)];
  if (events.length > maximumEvents)
    throw new Failure(
      'too-large',
      `The delivery holds ${events.length} events: send at most ${maximumEvents} of them at once.`,
    );
  return events.map((event: unknown) => eventOf(event, delivery, true));
}
