import { useEffect, useState, type ComponentType } from 'react';
import { chunk } from './chunk.ts';

/** Returns a component that is loaded on demand, and a function that begins to load it. */
function loaded<Props extends object>(load: () => Promise<ComponentType<Props>>, Awaited: ComponentType) {
  let there: ComponentType<Props> | undefined;
  let loading: Promise<ComponentType<Props>> | undefined;
  const begin = () => (loading ??= chunk(load).then((component) => (there = component)));
  function Part(props: Props) {
    const [Loaded, setLoaded] = useState(() => there);
    useEffect(() => {
      const fail = (error: unknown) => {
        throw error;
      };
      // Also handles a chunk that arrived since the first render.
      begin().then(
        (component) => setLoaded(() => component),
        (error: unknown) => setLoaded(() => fail(error)),
      );
    }, []);
    return Loaded ? <Loaded {...props} /> : <Awaited />;
  }
  return { Part, begin };
}

/**
 * A component in a chunk of its own, loaded on its first render. Renders `Awaited` until then; throws 'Loading chunk
 * failed' if the chunk cannot be loaded. Does not use `Suspense`: React keeps its placeholder for at least 300 ms and
 * delays all retries until then.
 */
export const part = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Awaited: ComponentType = () => null,
): ComponentType<Props> => loaded(load, Awaited).Part;

/** Like `part`, but begins to load immediately, for a component that a screen renders later. */
export function ahead<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Awaited?: ComponentType,
): ComponentType<Props> {
  const { Part, begin } = loaded(load, Awaited ?? (() => null));
  begin().catch(() => undefined); // the component throws the error when it renders
  return Part;
}
