import { Box, Button, chakra, Flex } from '@chakra-ui/react';
import { type ReactNode, useEffect, useState } from 'react';
import { Code } from './Code.tsx';
import { visuallyHidden } from './visuallyHidden.ts';

/** What a row of a list is called: its name or amount. */
export const Lead = chakra('span', { base: { fontWeight: 'semibold', overflowWrap: 'anywhere' } });
/** What tells rows apart whose name is the same: an id, a time. */
export const Quiet = chakra('div', { base: { color: 'fg.muted', fontSize: 'xs', lineHeight: 'xs' } });

/** How long (ms) the result is shown. */
const confirmation = 2000;

/** Returns a function that copies a text to the clipboard, and for two seconds afterwards whether that succeeded, in words. */
function useCopy(): { said: string; copy: (text: string) => void } {
  const [said, setSaid] = useState('');
  useEffect(() => {
    if (!said) return undefined;
    const timer = setTimeout(() => setSaid(''), confirmation);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (text: string) =>
    // Browsers provide the clipboard only on https and localhost.
    void Promise.resolve(navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'))).then(
      () => setSaid('Copied'),
      () => setSaid('Copying is not possible here'),
    );
  return { said, copy };
}

/**
 * Copies `text` to the clipboard and shows whether that succeeded. `what` completes the accessible name, which contains the
 * visible one: "Copy …", or "Copy JSON: …".
 */
export function CopyButton({ text, what, label = 'Copy' }: { text: string; what: string; label?: ReactNode }) {
  const { said, copy } = useCopy();
  return (
    <Button
      size="sm"
      variant="ghost"
      color="fg.muted"
      onClick={() => copy(text)}
      aria-label={said || (typeof label === 'string' && label !== 'Copy' ? `${label}: ${what}` : `Copy ${what}`)}
      // A sentence instead of an icon must fit beside the copied text.
      {...(said && { whiteSpace: 'normal', flexShrink: '1', minWidth: '0', textAlign: 'start' })}
    >
      <span aria-live="polite">{said || label}</span>
    </Button>
  );
}

/** The copy icon (two sheets), for buttons too small for a word. */
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

/** Longest id, in characters, that is shown in full. */
const longest = 16;

/** Styles that reveal the full id, aligned with the start of the short one. */
const whole = {
  insetInlineStart: '-1.5',
  zIndex: '1',
  width: 'max-content',
  // An id longer than a UUID wraps. On a narrow page every id wraps at half the page's width, because it may begin
  // anywhere in a line.
  maxWidth: 'min(50vw, 20rem)',
  whiteSpace: 'normal',
  overflowWrap: 'anywhere',
  height: 'auto',
  clipPath: 'none',
  bg: 'bg',
  px: '1.5',
  borderRadius: 'sm',
  outline: '1px solid',
  outlineColor: 'border.control',
} as const;

/** Covers the short id. */
const over = { ...whole, top: '0' } as const;
/** Placed above the short id, so that its copy button stays visible. */
const above = { ...whole, bottom: 'full', pointerEvents: 'none' } as const;

/**
 * An id shortened to its first eight and last four characters. Screen readers read, selections copy, and focus or hover
 * reveals the full id. `labelled`: a control in the same group reveals it, above the short id, while it has the focus.
 */
export function ShortId({ value, labelled = false }: { value: string; labelled?: boolean }) {
  if (value.length <= longest) return <Code>{value}</Code>;
  return (
    <Box as="span" position="relative" display="inline-block" whiteSpace="nowrap" className="group" title={value}>
      <Code aria-hidden="true">{`${value.slice(0, 8)}…${value.slice(-4)}`}</Code>
      <Code
        css={visuallyHidden}
        {...(labelled ? { _groupFocusWithin: above } : { _groupHover: over, _groupFocusWithin: over })}
      >
        {value}
      </Code>
    </Box>
  );
}

/**
 * An id with a copy button, which reveals the full id while it has the focus (behaviour, section 10.5). `whole`: there is
 * room for the full id.
 */
export function Id({ value, what, whole: isWhole = false }: { value: string; what: string; whole?: boolean }) {
  return (
    <Flex as="span" className="group" display="inline-flex" align="center" gap="0.5" maxWidth="full">
      {isWhole ? <Code overflowWrap="anywhere">{value}</Code> : <ShortId value={value} labelled />}
      <CopyButton text={value} what={what} label={<CopyMark />} />
    </Flex>
  );
}
