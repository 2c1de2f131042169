import { Button } from '@chakra-ui/react';
import { BesideHeading } from './BesideHeading.tsx';

/** The button beside the step's heading that fills a form with its examples; nothing without `onFill`. */
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
