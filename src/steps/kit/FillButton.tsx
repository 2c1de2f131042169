import { Button } from '@chakra-ui/react';
import { BesideHeading } from './BesideHeading.tsx';

/** Fills a form with its examples, beside the step's heading; nothing where there are none to be had. */
export function FillButton({ onFill, busy = false }: { onFill: (() => void) | undefined; busy?: boolean }) {
  if (!onFill) return null;
  return (
    <BesideHeading>
      <Button size="sm" aria-disabled={busy} onClick={busy ? undefined : onFill}>
        Fill with example
      </Button>
    </BesideHeading>
  );
}
