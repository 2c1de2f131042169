import { Box, Button, chakra } from '@chakra-ui/react';
import { Card } from '#ui/surfaces.tsx';
import { useDisclosure } from '#ui/useDisclosure.ts';

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

/** A button that discloses a list of choices; Escape, a choice, or a click or focus outside closes it. */
export function Choices({ label, choices }: { label: string; choices: readonly Choice[] }) {
  const { box, button, panel, back } = useDisclosure();
  return (
    <Box position="relative" {...box}>
      <Button size="sm" {...button}>
        {label} <span aria-hidden="true">▾</span>
      </Button>
      <Card {...panel} floating insetInlineEnd="0" width="max-content" maxWidth="20rem">
        {choices.map(({ label: each, hint, onChoose }) => (
          <Item
            key={each}
            aria-disabled={onChoose === null}
            onClick={() => {
              if (!onChoose) return;
              back();
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
      </Card>
    </Box>
  );
}
