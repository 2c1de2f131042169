import { Box, Button, chakra, Flex } from '@chakra-ui/react';
import { useEffect, useState, type ReactNode } from 'react';

/** How long the button confirms what it did, in ms. */
const confirmation = 2000;

/** Copies `text` to the clipboard and says whether that worked. `what` completes "Copy …" for screen readers. */
export function CopyButton({ text, what, label = 'Copy' }: { text: string; what: string; label?: ReactNode }) {
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

/** Two sheets, for a button that has no room for a word. */
export const CopyMark = () => (
  <svg
    width="14"
    height="14"
    viewBox="0 0 14 14"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.3"
    aria-hidden="true"
  >
    <rect x="4.5" y="4.5" width="8" height="8" rx="1.5" />
    <path d="M9.5 2.5a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1" />
  </svg>
);

/** Longer ids are shown by their first eight and last four characters. */
const longest = 16;

const unseen = {
  position: 'absolute',
  width: '1px',
  height: '1px',
  overflow: 'hidden',
  clipPath: 'inset(50%)',
  whiteSpace: 'nowrap',
} as const;

/** In view, from where the short id begins. */
const whole = {
  insetInlineStart: '-1.5',
  zIndex: '1',
  width: 'auto',
  height: 'auto',
  clipPath: 'none',
  bg: 'bg',
  px: '1.5',
  borderRadius: 'sm',
  outline: '1px solid',
  outlineColor: 'border.control',
} as const;

/** In place of the short id while it has the focus or the pointer. */
const over = { ...whole, top: '0' } as const;
/** Above it, so that what stands beside the short id stays in sight. */
const above = { ...whole, bottom: 'full', pointerEvents: 'none' } as const;

/**
 * An id by its first eight and last four characters; whole for who has the focus on it, hears it, or copies it.
 * `labelled`: a control stands beside it, whose focus shows the whole id above.
 */
export function ShortId({ value, labelled = false }: { value: string; labelled?: boolean }) {
  if (value.length <= longest) return <code>{value}</code>;
  return (
    <Box as="span" position="relative" display="inline-block" whiteSpace="nowrap" className="group" title={value}>
      <code aria-hidden="true">{`${value.slice(0, 8)}…${value.slice(-4)}`}</code>
      <chakra.code
        css={unseen}
        {...(labelled ? { _groupFocusWithin: above } : { _groupHover: over, _groupFocusWithin: over })}
      >
        {value}
      </chakra.code>
    </Box>
  );
}

/** An id with a copy button, which shows the whole of it while it has the focus (behaviour, section 10.5). */
export function Id({ value, what }: { value: string; what: string }) {
  return (
    <Flex as="span" className="group" display="inline-flex" align="center" gap="0.5" maxWidth="full">
      <ShortId value={value} labelled />
      <CopyButton text={value} what={what} label={<CopyMark />} />
    </Flex>
  );
}
