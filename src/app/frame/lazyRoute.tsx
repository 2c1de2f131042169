import { useEffect, useState, type ComponentType } from 'react';
import { onServerBack } from '#ui/onServerBack.ts';
import { Skeleton } from '#ui/Skeleton.tsx';
import { importWithRetry } from '../client/importWithRetry.ts';

const Placeholder = () => <Skeleton lines={6} />;

/** A component whose code is loaded when it is first rendered, or earlier by `preload`. */
export type LazyComponent<Props extends object> = ComponentType<Props> & { preload: () => Promise<unknown> };

/**
 * A component in a chunk of its own: a page, or a region that only some users open. Renders `Fallback` until it is
 * loaded; throws 'Loading chunk failed' if that fails, for the error boundary. Does not use `Suspense`: React keeps its
 * placeholder for at least 300 ms. `optional`: the page does without it until the console's server works again.
 */
export function lazyRoute<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Fallback: ComponentType<Props> = Placeholder,
  optional = false,
): LazyComponent<Props> {
  let loaded: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;
  const preload = () =>
    (loading ??= importWithRetry(load).then(
      (component) => (loaded = component),
      (error: Error) => {
        loading = undefined;
        throw error;
      },
    ));
  function Lazy(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded);
    useEffect(() => {
      const fail = (error: unknown) => {
        throw error;
      };
      let stop: (() => void) | undefined;
      // Also handles a chunk that arrived since the first render.
      const get = () =>
        void preload().then(
          (component) => setLoaded(() => component),
          (error: unknown) => (optional ? (stop = onServerBack(get)) : setLoaded(() => fail(error))),
        );
      get();
      return () => stop?.();
    }, []);
    return Loaded ? <Loaded {...props} /> : <Fallback {...props} />;
  }
  return Object.assign(Lazy, { preload });
}
