import { printable, printableJson } from '#rules/printable.ts';

/** `text`: what a person at a terminal reads is a sentence; `json`: every line is JSON. */
export type LogFormat = 'text' | 'json';

export const logFormats = ['text', 'json'] as const satisfies readonly LogFormat[];

/** Returns the format of this process's lines: LOG_FORMAT, otherwise `text` at a terminal and `json` elsewhere. */
export function logFormat(given = process.env['LOG_FORMAT']): LogFormat {
  const named = logFormats.find((each) => each === given);
  return named ?? (process.stdout.isTTY ? 'text' : 'json');
}

/** Prints what prevents the start, before there is a log. */
export function complain(message: string): void {
  const line = { level: 'fatal', time: new Date().toISOString(), pid: process.pid, msg: message };
  process.stderr.write(`${logFormat() === 'text' ? printable(message) : printableJson(JSON.stringify(line))}\n`);
}
