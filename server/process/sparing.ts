import type { LogFn, Logger, LoggerOptions } from 'pino';
import type { Clock } from '../clock.ts';

/** Time (ms) in which one line at most is printed of those that are alike. */
const interval = 10_000;

type Arguments = Parameters<LogFn>;
type Print = (alike: number) => void;

/** The text of the store's error that an error is or has for a cause; undefined if there is none. */
function ofStore(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  const isOfStore = error.name === 'StoreFailure' || /^(POSTGRES|SQLITE)_/.test(code);
  return isOfStore ? `${code} ${error.message}` : ofStore(error.cause);
}

/** What makes a line like others: its message and the text of the store's error. Undefined if the line has none. */
function kindOf([values, message]: Arguments): string | undefined {
  const error = ofStore((values as { err?: unknown } | undefined)?.err); // as pino takes them
  return error && `${String(message)}: ${error}`;
}

/**
 * pino's hook that keeps an outage of the store from filling the log, whose every reader and writer reports it. Of lines
 * with the same message and the same error of the store the first is printed at once, then the latest every ten seconds;
 * `alike` is the number of those left out before it. All other lines are printed.
 */
export function sparing(
  clock: Pick<Clock, 'setTimeout'>,
): NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']> {
  const begun = new Map<string, { leftOut: number; latest?: Print }>();

  function begin(kind: string): void {
    begun.set(kind, { leftOut: 0 });
    clock.setTimeout(() => {
      const { leftOut, latest } = begun.get(kind)!; // removed here alone
      begun.delete(kind);
      if (!latest) return;
      begin(kind);
      latest(leftOut - 1);
    }, interval);
  }

  return function (this: Logger, args: Arguments, method: LogFn): void {
    const kind = kindOf(args);
    const known = kind === undefined ? undefined : begun.get(kind);
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
