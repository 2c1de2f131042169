import type { LogFn, Logger, LoggerOptions } from 'pino';
import type { Clock } from '#server/clock.ts';
import { DatabaseError } from '#server/storage/errors.ts';

/** Interval (ms) in which at most one of several similar lines is printed. */
const interval = 10_000;

type Arguments = Parameters<LogFn>;
type Print = (alike: number) => void;

/** Returns the text of the store's error that an error is or has as its cause; undefined if there is none. */
function ofStore(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  const isOfStore = error instanceof DatabaseError || /^(POSTGRES|SQLITE)_/.test(code);
  return isOfStore ? `${code} ${error.message}` : ofStore(error.cause);
}

/**
 * Returns the kind of a line: its message and the text of the store's error. Undefined if the line has no such error.
 */
function kindOf([values, message]: Arguments): string | undefined {
  const error = ofStore((values as { err?: unknown } | undefined)?.err); // as pino takes them
  return error && `${String(message)}: ${error}`;
}

/**
 * Returns pino's hook that limits lines about the store's errors: in an outage every reader and writer logs one. Of
 * lines with the same message and the same error, prints the first at once, then the latest every ten seconds, with the
 * number of omitted lines as `alike`. Prints all other lines.
 */
export function logThrottle(
  clock: Pick<Clock, 'setTimeout'>,
): NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']> {
  const intervals = new Map<string, { leftOut: number; latest?: Print }>();

  function begin(kind: string): void {
    intervals.set(kind, { leftOut: 0 });
    clock.setTimeout(() => {
      const { leftOut, latest } = intervals.get(kind)!; // removed here alone
      intervals.delete(kind);
      if (!latest) return;
      begin(kind);
      latest(leftOut - 1);
    }, interval);
  }

  return function (this: Logger, args: Arguments, method: LogFn): void {
    const kind = kindOf(args);
    const known = kind === undefined ? undefined : intervals.get(kind);
    if (known) {
      const [values, ...rest] = args;
      known.leftOut += 1;
      known.latest = (alike) => method.apply(this, [{ ...(values as object), alike }, ...rest] as Arguments); // as kindOf
      return;
    }
    if (kind !== undefined) begin(kind);
    method.apply(this, args);
  };
}
