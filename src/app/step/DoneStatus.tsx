import { chakra } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { withShortIds } from '#rules/shortId.ts';

/** States of the wizard in which the step is done and the bar offers the next one. */
export const offers: readonly string[] = ['complete', 'offering', 'returning'];

/** The step's result in words. */
export const said = (result: string, complete: boolean): string =>
  `Done: ${result}.${complete ? ' The guided path is complete.' : ''}`;

/** Shows the step's result, with full ids in the tooltip; takes the focus when the form that had it is removed. */
export function DoneStatus({ takesFocus, children }: { takesFocus: boolean; children: string }) {
  const status = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (takesFocus) status.current?.focus();
  }, [takesFocus]);
  return (
    <chakra.span ref={status} tabIndex={-1} role="status" overflowWrap="anywhere" title={children}>
      {withShortIds(children)}
    </chakra.span>
  );
}
