import { parse, type Json } from '#contract/json.ts';
import { operationAt } from '#contract/serviceCalls.ts';
import type { Body } from '#contract/shapes.ts';
import type { TimelineEntry } from '#contract/timeline.ts';
import { exampleKind, type SendExample } from '#machines/lab/examples.ts';
import type { Part } from '#rules/description.ts';
import { operationIn, placesIn } from '#rules/sentExample.ts';
import { pathnameOf } from '#rules/url.ts';
import { call } from '../client/client.ts';
import { withLabEvent } from '../client/recordEvents.ts';
import { withIdempotencyKey } from '../client/withIdempotencyKey.ts';
import { resource } from './resource.ts';

/** An example of an operation, sent to the sandbox; resolves with its exchange in the timeline, null if that keeps none. */
export const exampleSending = resource({
  kind: exampleKind,
  async act({ operation, values, body }: SendExample): Promise<TimelineEntry | null> {
    const valueOf = ({ place }: Part): string => values[place]?.trim() ?? '';
    const { method } = operation;
    const said = {
      method: method as Body<'sendExample'>['method'], // of a call of the service
      ids: placesIn(operation, ['path']).map(valueOf),
      query: Object.fromEntries(placesIn(operation, ['query']).map((part) => [part.place, valueOf(part)])),
      ...(operation.body && { body: parse(body) as Json }),
    };
    const params = { operation: operationIn(operation)! }; // one that may be sent
    const { interactionId } = await withIdempotencyKey(
      `example:${operation.id}`,
      [said, params],
      async (key) => (await withLabEvent(call('sendExample', { params, body: { ...said, key } }))).data,
    );
    const { data } = await call('getTimeline', { query: { interaction: interactionId, kind: 'service' } });
    return data.find((entry) => operationAt(entry.method, pathnameOf(entry.url)) === params.operation) ?? null;
  },
});
