import type { TimelineEntry, TimelineMessage } from '#contract/timeline.ts';
import { header } from '#contract/requests/headers.ts';
import { harOf } from '#server/timeline/har.ts';
import type { Scheduler } from './scheduler.ts';

interface Message {
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** How an exchange ended: with an answer, or without one (status 0), and what happened to it. */
interface End extends Partial<Message> {
  status: number;
  reason: string;
}

const messageOf = ({ headers = {}, body = '' }: Partial<Message>): TimelineMessage => ({
  headers: { ...headers },
  body,
  bytes: Buffer.byteLength(body),
});

/** The exchanges of a world as its network saw them, whatever the console has stored of them. */
export class Recording {
  readonly #scheduler: Scheduler;
  readonly #entries: TimelineEntry[] = [];

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Notes an exchange. Returns what notes its end; one without an end has none. */
  begin(
    kind: TimelineEntry['kind'],
    { method, url, ...request }: Message & { method: string; url: string },
  ): (end: End) => void {
    const begun = this.#scheduler.now();
    const entry: TimelineEntry = {
      id: String(this.#entries.length + 1),
      kind,
      at: new Date(begun).toISOString(),
      ms: 0,
      attempt: 1,
      journey: '',
      step: '',
      name: '',
      signature: '',
      baseString: '',
      answers: '',
      method,
      url,
      status: 0,
      reason: 'no answer',
      interactionId: request.headers[header.interaction] ?? '',
      request: messageOf(request),
      response: messageOf({}),
    };
    this.#entries.push(entry);
    return ({ status, reason, ...response }) => {
      const interactionId = entry.interactionId || (response.headers?.[header.interaction] ?? '');
      const ms = this.#scheduler.now() - begun;
      Object.assign(entry, { status, reason, ms, interactionId, response: messageOf(response) });
    };
  }

  /** The world's exchanges as an HTTP archive, which the console opens on its timeline. */
  har = (origin: string): string => JSON.stringify(harOf(this.#entries, origin, 'simulation'), null, 2);
}
