import { Transform } from 'node:stream';
import { isObject } from '#contract/json.ts';
import { typeError } from '#contract/shapeError.ts';
import { jsonIn } from './inputErrors.ts';

/** The codes of JSON-RPC 2.0, section 5.1. */
const codes = { noJson: -32_700, noRequest: -32_600, params: -32_602 } as const;

/** What is passed on of a line, or why it is refused; `id` of the request, null if it has none that can be named. */
type Read = { message?: object } | { id: string | number | null; code: number; why: string };

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id);

/** Reads a line as one message; `params: null` is none, and a JSON text of an object is taken for it. */
function readLine(line: string): Read {
  const message = jsonIn(line);
  if (message === undefined)
    return { id: null, code: codes.noJson, why: 'Give one message of JSON-RPC in each line: this line is not JSON' };
  if (!isObject(message))
    return { id: null, code: codes.noRequest, why: `Give ${typeError('object', message)}, as a message` };
  const { jsonrpc, method, id, params } = message;
  const refuse = (why: string, code: number = codes.noRequest): Read => ({ id: isId(id) ? id : null, code, why });
  if (jsonrpc !== '2.0') return refuse('Give "2.0" at jsonrpc');
  // An answer to a request of the server.
  if (method === undefined && ('result' in message || 'error' in message)) return { message };
  if (typeof method !== 'string') return refuse(`Give ${typeError('string', method)}, at method`);
  if (id !== undefined && !isId(id)) return refuse('Give a text or a whole number at id');
  if (params === undefined || isObject(params)) return { message };
  const meant = params === null ? {} : jsonIn(params);
  if (isObject(meant)) return { message: { ...message, params: meant } };
  // What asks for no answer gets none.
  return id === undefined ? {} : refuse(`Give ${typeError('object', params)}, at params`, codes.params);
}

/**
 * Returns a stream that passes on the lines which are messages of JSON-RPC, and answers the others by `answer`: the server
 * of the SDK leaves them without one.
 */
export function messagesOf(answer: (line: string) => void): Transform {
  let rest = '';
  const decoder = new TextDecoder();
  function read(line: string): string {
    if (line.trim() === '') return '';
    const found = readLine(line);
    if ('why' in found)
      answer(`${JSON.stringify({ jsonrpc: '2.0', id: found.id, error: { code: found.code, message: found.why } })}\n`);
    return 'message' in found ? `${JSON.stringify(found.message)}\n` : '';
  }
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      done(null, lines.map(read).join(''));
    },
    flush(done) {
      done(null, read(rest));
    },
  });
}
