import type { TimelineEntry, TimelineMessage } from '#contract/timeline.ts';

const httpVersion = 'HTTP/1.1';

const headersOf = ({ headers }: TimelineMessage) => Object.entries(headers).map(([name, value]) => ({ name, value }));
const typeOf = ({ headers }: TimelineMessage): string => headers['content-type'] ?? 'application/octet-stream';

/** What is not obvious of a recorded body: that it is Base64, or only a beginning. */
const noteOn = ({ encoding, truncated, bytes }: TimelineMessage) => {
  const notes = [
    encoding === undefined ? '' : 'The text is Base64 of the bytes.',
    truncated ? `Only the beginning of ${bytes} bytes was recorded.` : '',
  ].filter(Boolean);
  return notes.length > 0 && { comment: notes.join(' ') };
};

/** The members of an HTTP archive for the body of a request; its format has no encoding there. */
const postDataOf = (request: TimelineMessage) => ({
  mimeType: typeOf(request),
  text: request.body,
  params: [],
  ...(request.encoding && { _encoding: request.encoding }),
  ...noteOn(request),
});

function contentOf(response: TimelineMessage) {
  const { bytes, contentBytes = bytes, encoding, body } = response;
  return {
    size: contentBytes,
    ...(contentBytes !== bytes && { compression: contentBytes - bytes }),
    mimeType: typeOf(response),
    text: body,
    ...(encoding && { encoding }),
    ...noteOn(response),
  };
}

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
      ...(request.body && { postData: postDataOf(request) }),
      headersSize: -1,
      bodySize: request.bytes,
    },
    response: {
      status,
      statusText: reason,
      httpVersion,
      cookies: [],
      headers: headersOf(response),
      content: contentOf(response),
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
