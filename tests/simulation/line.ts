import { companyHeader } from '#contract/constants.ts';
import type { Climate } from './climate.ts';
import type { Recording } from './recording.ts';
import type { Scheduler } from './scheduler.ts';

/** Thrown to a user whose request, or its answer, was lost on the way to the console. */
export class LineError extends Error {}

/** A request of somebody to the console, with its answer. */
export interface Exchange {
  /** Who made it; `workspace` is that of the records that they may read. */
  who: string;
  workspace: string;
  method: string;
  path: string;
  /** The idempotency key; '' if it had none. */
  key: string;
  /** The company that was asked for; '' for the current one. */
  asked: string;
  body: string;
  /** The status and the body of the answer; 0 and '' if none has arrived. */
  status: number;
  text: string;
  /** The company that the answer is about; '' if it names none. */
  companyKey: string;
  /** When the request was sent, and when its answer arrived. */
  sentAt: number;
  at: number;
}

/** A fault of the console, planted to see whether it is found. */
export interface Plant {
  /** Changes what an answer says. */
  answer?: (exchange: Exchange, text: string, earlier: readonly Exchange[]) => string;
}

interface Needs {
  plant: Plant;
  scheduler: Scheduler;
  reach: (path: string, init: RequestInit) => Promise<Response>;
  strikes: (possible: Climate['line']) => keyof Climate['line'] | undefined;
  climate: () => Climate;
  /** Records the exchanges, if anything does. */
  recording: Recording | undefined;
}

/** The connection between users and console, which may lose a request or its answer. */
export function createLine({ scheduler, reach, strikes, climate, plant, recording }: Needs) {
  const choice = scheduler.of('line');
  const exchanges: Exchange[] = [];

  /** Returns how somebody makes requests, each with the `common` headers. */
  const of =
    (who: string, workspace = '', common: Readonly<Record<string, string>> = {}): typeof fetch =>
    async (request, init = {}) => {
      const { pathname, search } = new URL(request instanceof Request ? request.url : request);
      const method = init.method ?? 'GET';
      const headers = { ...Object.fromEntries(new Headers(init.headers)), ...common };
      const name = `${method} ${pathname}`;
      const exchange: Exchange = {
        who,
        workspace,
        method,
        path: pathname,
        status: 0,
        text: '',
        companyKey: '',
        key: headers['idempotency-key'] ?? '',
        asked: headers[companyHeader.toLowerCase()] ?? '',
        body: typeof init.body === 'string' ? init.body : '',
        sentAt: scheduler.now(),
        at: Infinity,
      };
      exchanges.push(exchange);
      const accident = strikes(climate().line);
      const end = recording?.begin('call', { method, url: pathname + search, headers, body: exchange.body });
      end?.({ status: 0, reason: accident ?? '' });
      await scheduler.wait(choice.between(1, 30));
      if (accident === 'requestLost') {
        scheduler.note(`* line: ${name} is lost`);
        throw new LineError('the request was lost');
      }
      scheduler.note(`${name} arrives at the console`);
      const response = await reach(pathname + search, { ...init, headers });
      await scheduler.wait(choice.between(1, 30));
      if (accident === 'answerLost') {
        scheduler.note(`* line: the answer to ${name} is lost`);
        throw new LineError('the answer was lost');
      }
      const { status } = response;
      scheduler.note(`${status} for ${name} reaches the user`);
      const said = new TextDecoder().decode(await response.clone().arrayBuffer());
      const text = plant.answer?.({ ...exchange, status }, said, exchanges) ?? said;
      end?.({ status, reason: '', headers: Object.fromEntries(response.headers), body: text });
      const companyKey = response.headers.get(companyHeader) ?? '';
      Object.assign(exchange, { status, text, companyKey, at: scheduler.now() });
      if (text === said) return response;
      const changed = new Headers(response.headers);
      changed.delete('etag'); // what was changed is no answer to a later question
      return new Response(text, { status, headers: changed });
    };

  return { exchanges: exchanges as readonly Exchange[], of };
}
