import type { Facts } from '#contract/facts.ts';
import { provideEffects, type Run } from '#machines/lib/effect.ts';
import { resourceMachine, type Act, type ResourceKind } from '#machines/lib/resource.machine.ts';

/** The facts of the page, for a resource that changes with them. */
interface FactsNow {
  facts: () => Facts | null;
  /** Calls a function after each reading of the facts. Returns a function that ends that. */
  onFacts: (run: () => void) => () => void;
}

/** Calls `wake` whenever the resource may have changed. Returns a function that ends that. */
export type News = (wake: () => void, now: FactsNow) => () => void;

/** News of several kinds. */
export const newsOf =
  (...all: readonly News[]): News =>
  (wake, now) => {
    const leave = all.map((each) => each(wake, now));
    return () => leave.forEach((run) => run());
  };

/** A page that becomes visible again: a hidden one receives no news. */
export const whenVisible: News = (wake) => {
  const onVisibility = () => document.visibilityState === 'visible' && wake();
  document.addEventListener('visibilitychange', onVisibility);
  return () => document.removeEventListener('visibilitychange', onVisibility);
};

/** Time that passes (ms). */
export const every =
  (ms: number): News =>
  (wake) => {
    const timer = setInterval(wake, ms);
    return () => clearInterval(timer);
  };

/** New facts. */
export const withFacts: News = (wake, { onFacts }) => onFacts(wake);

interface Supplies<Known, A extends Act, Result, Subject> {
  kind: ResourceKind<NoInfer<Known>, A>;
  /** Takes what the user has chosen, null if there is no choice. */
  read?: (subject: Subject, signal: AbortSignal) => Promise<Known>;
  act?: (act: A, signal: AbortSignal) => Promise<Result>;
  news?: News;
  /** Whether all components that show it share one reading. */
  shared?: boolean;
}

/** A resource with its effects; `useResource` runs it. */
export interface Resource<Known, A extends Act, Result> {
  logic: typeof resourceMachine;
  kind: ResourceKind<Known, A>;
  news: News | undefined;
  shared: boolean;
  /** Only for the types of what its acts answer. */
  answers?: Result;
}

const nothing = () => Promise.resolve(null);

/** A resource of this kind. Its effects reject with problems. */
export function resource<Known = null, A extends Act = never, Result = null, Subject extends object | null = null>({
  kind,
  read,
  act,
  news,
  shared = false,
}: Supplies<Known, A, Result, Subject>): Resource<Known, A, Result> {
  const logic = provideEffects(resourceMachine, {
    read: (read as Run<object | null, unknown> | undefined) ?? nothing, // the chart hands on what `subject.choose` has given
    act: (act as Run<Act | null, unknown> | undefined) ?? nothing, // and the acts of the kind
  });
  return { logic, kind, news, shared };
}
