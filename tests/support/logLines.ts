import { pino } from 'pino';

/** A log of this level, and the lines that it has printed so far. */
export function keptLog(level = 'warn') {
  const printed: string[] = [];
  const log = pino(
    { level, formatters: { level: (name) => ({ level: name }) } },
    { write: (line: string) => void printed.push(line) },
  );
  const lines = (msg: string) =>
    printed.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => line['msg'] === msg); // pino's
  return { log, lines, printed: () => printed.join('') };
}
