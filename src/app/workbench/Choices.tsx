import { Box, Button, chakra } from '@chakra-ui/react';
import { useEffect, useId, useRef, useState } from 'react';

export interface Choice {
  label: string;
  /** The effect, or why the choice is unavailable now. */
  hint?: string;
  /** Null if the choice is unavailable now. */
  onChoose: (() => void) | null;
}

const Item = chakra('button', {
  base: {
    display: 'block',
    width: 'full',
    textAlign: 'start',
    px: '3',
    py: '1.5',
    fontSize: 'sm',
    borderRadius: 'sm',
    cursor: 'pointer',
    _hover: { bg: 'bg.muted' },
    '&[aria-disabled=true]': { cursor: 'default', color: 'fg.muted' },
  },
});

/** A button that discloses a list of choices; Escape, a choice, or focus outside closes it. */
export function Choices({ label, choices }: { label: string; choices: readonly Choice[] }) {
  const [open, setOpen] = useState(false);
  const id = useId();
  const around = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node && around.current?.contains(target))) setOpen(false);
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [open]);
  return (
    <Box
      ref={around}
      position="relative"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !open) return;
        event.stopPropagation();
        setOpen(false);
        button.current?.focus();
      }}
    >
      <Button ref={button} size="sm" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
        {label} <span aria-hidden="true">▾</span>
      </Button>
      <Box
        id={id}
        hidden={!open}
        position="absolute"
        insetInlineEnd="0"
        zIndex="panel"
        minWidth="12rem"
        width="max-content"
        maxWidth="20rem"
        p="1"
        bg="bg"
        borderWidth="1px"
        borderRadius="md"
        boxShadow="0 8px 24px rgb(0 0 0 / 0.12)"
      >
        {choices.map(({ label: each, hint, onChoose }) => (
          <Item
            key={each}
            aria-disabled={onChoose === null}
            onClick={() => {
              if (!onChoose) return;
              setOpen(false);
              button.current?.focus();
              onChoose();
            }}
          >
            {each}
            {hint && (
              <chakra.span display="block" color="fg.muted" fontSize="xs">
                {hint}
              </chakra.span>
            )}
          </Item>
        ))}
      </Box>
    </Box>
  );
}
