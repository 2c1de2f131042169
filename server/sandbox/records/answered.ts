import { channel } from 'node:diagnostics_channel';
import type { Middleware } from 'koa';
import { faultHeader } from '#contract/constants.ts';
import { stringify } from '#contract/json.ts';
import { isApi, notesOf } from './call.ts';

/** A call of the API with its answer, which no fault has changed. */
export interface Answered {
  method: string;
  path: string;
  status: number;
  request: string;
  type: string;
  body: string;
}

/** Publishes each call with its answer, so that tests compare both with the description. */
export const answeredCalls = channel('sandbox.answered-call');

const textOf = (body: unknown): string =>
  typeof body === 'string' ? body : body === null || body === undefined ? '' : stringify(body);

/** Publishes the answers of an application, except while `isChanged` says that its definitions are changed on purpose. */
export const publishAnswers =
  (isChanged: () => boolean): Middleware =>
  async (ctx, next) => {
    await next();
    const { method, path, status, response, request } = ctx;
    if (!answeredCalls.hasSubscribers || isChanged() || !isApi(path) || method === 'HEAD' || method === 'OPTIONS')
      return;
    if (ctx.respond === false || notesOf(ctx).fault || ctx.res.hasHeader(faultHeader)) return;
    const answered: Answered = {
      method,
      path,
      status,
      request: request.text ?? '',
      type: response.type,
      body: textOf(ctx.body),
    };
    answeredCalls.publish(answered);
  };
