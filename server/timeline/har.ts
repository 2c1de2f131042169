import type { TimelineEntry, TimelineMessage } from '#contract/timeline.ts';

const httpVersion = 'HTTP/1.1';

const headersOf = ({ headers }: TimelineMessage) => Object.entries(headers).map(([name, value]) => ({ name, value }));
const typeOf = ({ headers }: TimelineMessage): string => headers['content-type'] ?? 'application/octet-stream';

/** Returns the query parameters of a URL, which may be only a path. */
const queryOf = (url: string) =>
  [...new URL(url, 'http://console').searchParams].map(([name, value]) => ({ name, value }));

function entryOf({ id, kind, interactionId, journey, step, name, ...entry }: TimelineEntry, origin: string) {
  const { request, response, at, ms, method, status, reason } = entry;
  const url = new URL(entry.url, origin).href;
  return {
    startedDateTime: at,
    time: ms,
    request: {
      method,
      url,
      httpVersion,
      cookies: [],
      headers: headersOf(request),
      queryString: queryOf(url),
      ...(request.body && { postData: { mimeType: typeOf(request), text: request.body, params: [] } }),
      headersSize: -1,
      bodySize: request.bytes,
    },
    response: {
      status,
      statusText: reason,
      httpVersion,
      cookies: [],
      headers: headersOf(response),
      content: { size: response.bytes, mimeType: typeOf(response), text: response.body },
      redirectURL: response.headers['location'] ?? '',
      headersSize: -1,
      bodySize: response.bytes,
    },
    cache: {},
    // Only the total time is known.
    timings: { send: 0, wait: ms, receive: 0 },
    comment: [kind, name, journey && `${journey}/${step}`, `interaction ${interactionId}`, `entry ${id}`]
      .filter(Boolean)
      .join(', '),
  };
}

/**
 * Returns the timeline as an HTTP archive, version 1.2. `origin` is the console's own, used for URLs that are only a
 * path.
 */
export const harOf = (entries: readonly TimelineEntry[], origin: string, version: string) => ({
  log: {
    version: '1.2',
    creator: { name: 'Payments Out Console', version },
    entries: entries.map((entry) => entryOf(entry, origin)),
  },
});
