import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { jsonIn, readable } from './inputErrors.ts';

/** Returns a message whose `arguments`, if it is the call of a tool, are an object where that is what they mean. */
function understood(message: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in message) || message.method !== 'tools/call') return message;
  const { arguments: given } = message.params ?? {};
  if (given === null) return { ...message, params: { ...message.params, arguments: {} } };
  // The server says what is asked for instead of any other text.
  const meant = jsonIn(given);
  return meant === undefined ? message : { ...message, params: { ...message.params, arguments: meant } };
}

/** Returns a message whose error, if it has one, is in sentences. */
const said = (message: JSONRPCMessage): JSONRPCMessage =>
  'error' in message ? { ...message, error: { ...message.error, message: readable(message.error.message) } } : message;

/** What an agent sends over a transport, as it is meant, and what it is answered, in sentences. */
export function plainly(transport: Transport): Transport {
  const plain: Transport = {
    start() {
      transport.onmessage = (message, extra) => plain.onmessage?.(understood(message), extra);
      transport.onclose = () => plain.onclose?.();
      transport.onerror = (error) => plain.onerror?.(error);
      return transport.start();
    },
    send: (message, options) => transport.send(said(message), options),
    close: () => transport.close(),
  };
  return plain;
}
