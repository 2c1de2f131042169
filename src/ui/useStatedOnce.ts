import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** A panel on the page; `retry` repeats its read. */
interface Panel {
  element: Element;
  lead: (leads: boolean) => void;
  retry: { current: () => void };
}

/** The panels on the page by the fact that they state. */
const panels = new Map<string, Panel[]>();

const isBefore = (a: Panel, b: Panel): boolean =>
  (a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;

/** Shows the first panel of a fact, in the order of the page. */
function change(fact: string, those: Panel[]): void {
  panels.set(fact, those);
  const [first] = those.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  for (const panel of those) panel.lead(panel === first);
}

/**
 * Whether a panel is the one that states a fact of the whole page (behaviour, section 10.2), and a function that repeats the
 * reads of all its panels. A panel without such a fact, '', is the only one.
 */
export function useStatedOnce(
  fact: string,
  element: RefObject<Element | null>,
  run: () => void,
): { leads: boolean; retryAll: () => void } {
  const [leads, lead] = useState(true);
  const retry = useRef(run);
  useLayoutEffect(() => {
    retry.current = run;
  });
  useLayoutEffect(() => {
    if (fact === '' || !element.current) return undefined;
    const panel = { element: element.current, lead, retry };
    change(fact, [...(panels.get(fact) ?? []), panel]);
    return () =>
      change(
        fact,
        (panels.get(fact) ?? []).filter((each) => each !== panel),
      );
  }, [fact, element]);
  const retryAll = () => {
    for (const each of panels.get(fact) ?? [{ retry }]) each.retry.current();
  };
  return { leads: leads || fact === '', retryAll };
}
