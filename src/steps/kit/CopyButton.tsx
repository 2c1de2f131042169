import { Button, Flex } from '@chakra-ui/react';
import { useEffect, useState } from 'react';

/** How long the button confirms what it did, in ms. */
const confirmation = 2000;

/** Copies `text` to the clipboard and says whether that worked. `what` completes "Copy …" for screen readers. */
export function CopyButton({ text, what, label = 'Copy' }: { text: string; what: string; label?: string }) {
  const [said, setSaid] = useState<string>();
  useEffect(() => {
    if (!said) return undefined;
    const timer = setTimeout(() => setSaid(undefined), confirmation);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    // Without https or localhost there is no clipboard.
    Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setSaid('Copied'),
      () => setSaid('Copying is not possible here'),
    );
  return (
    <Button size="sm" variant="ghost" color="fg.muted" onClick={() => void copy()} aria-label={said ?? `Copy ${what}`}>
      <span aria-live="polite">{said ?? label}</span>
    </Button>
  );
}

/** An id in monospace with a copy button (behaviour, section 10.5). */
export function Id({ value, what }: { value: string; what: string }) {
  return (
    <Flex as="span" display="inline-flex" align="center" gap="1" maxWidth="full">
      <code>{value}</code>
      <CopyButton text={value} what={what} />
    </Flex>
  );
}
