import { useCallback } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { sameVisit } from '#ui/visit.ts';

/**
 * Returns a function that takes the name of a lookup parameter and returns its setter, which sends the new value to the
 * machine and writes it into the address.
 */
export function useQuestion(send: (event: { type: 'question.change'; name: string; value: string }) => void) {
  const [, setAddress] = useSearchParams();
  const location = useLocation();
  return useCallback(
    (name: string) => (value: string) => {
      send({ type: 'question.change', name, value });
      setAddress(
        (address) => {
          address.set(name, value);
          return address;
        },
        { replace: true, state: sameVisit(location) },
      );
    },
    [send, setAddress, location],
  );
}
