import { Button, Flex } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { secretIsSet } from '#contract/secrets.ts';
import { CopyButton } from './CopyButton.tsx';

/** How long a secret stays readable, in ms (behaviour, section 10.8: for a short while). */
const shownFor = 20_000;

/** A secret, masked until revealed and again after 20 s; it can be copied only while it is revealed. */
export function Secret({ value, what }: { value: string; what: string }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => setShown(false), shownFor);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <Flex align="start" gap="2" wrap="wrap">
      <code>{shown ? value : secretIsSet}</code>
      <Button size="sm" aria-pressed={shown} aria-label={`Show ${what}`} onClick={() => setShown(!shown)}>
        {shown ? 'Hide' : `Show for ${shownFor / 1000} s`}
      </Button>
      {shown && <CopyButton text={value} what={what} />}
    </Flex>
  );
}
