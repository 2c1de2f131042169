import { Box, Button, chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Chip } from './Badge.tsx';
import { Card } from './surfaces.tsx';
import { useDisclosure } from './useDisclosure.ts';

/** An entry of a menu: a button, or with `asChild` a link. */
export const MenuItem = chakra('button', {
  base: {
    display: 'block',
    width: 'full',
    textAlign: 'start',
    px: '3',
    py: '1.5',
    color: 'fg',
    borderRadius: 'sm',
    cursor: 'pointer',
    _hover: { bg: 'bg.muted' },
    '&[aria-current=page]': { bg: 'accent.subtle', fontWeight: 'medium' },
    '&[aria-disabled=true]': { cursor: 'default', color: 'fg.muted' },
  },
});

/** What an entry does, or why it cannot be chosen now. */
export const MenuHint = chakra('span', {
  base: { display: 'block', fontSize: 'sm', fontWeight: 'normal', color: 'fg.muted' },
});

/**
 * A button that discloses a menu; Escape, or a click or focus outside, closes it. `items` renders the entries; its
 * argument closes the menu and returns the focus to the button.
 */
export function Menu(props: {
  label: string;
  variant?: 'outline' | 'ghost';
  items: (back: () => void) => ReactNode;
  /** The entries are links, which are listed. */
  list?: true;
  /** The button is a badge, with a dot before its label. */
  tone?: 'next' | 'waiting' | 'live';
  /** The button's accessible name, which contains its label. */
  says?: string;
}) {
  const { label, variant = 'outline', items, list, tone, says } = props;
  const { open, box, button, panel, back } = useDisclosure();
  return (
    // In a narrow window the panel is as wide as the bar, wherever its button is.
    <Box position={{ base: tone ? 'static' : 'relative', sm: 'relative' }} {...box}>
      {tone ? (
        <Chip asChild tone={tone} minHeight="6" alignItems="center" cursor="pointer">
          <button type="button" aria-label={says} {...button}>
            <span aria-hidden="true">●</span> {label} <span aria-hidden="true">▾</span>
          </button>
        </Chip>
      ) : (
        <Button size="sm" variant={variant} aria-label={says} {...button}>
          <Box as="span" truncate maxWidth={{ base: '8rem', xl: '9rem' }}>
            {label}
          </Box>{' '}
          <span aria-hidden="true">▾</span>
        </Button>
      )}
      <Card
        {...(list && { as: 'ul', listStyleType: 'none' })}
        {...panel}
        floating
        mt="1"
        insetInline={{ base: tone ? '6' : 'auto', sm: 'auto 0' }}
        width={{ base: tone ? 'auto' : 'max-content', sm: 'max-content' }}
        maxWidth="20rem"
      >
        {open && items(back)}
      </Card>
    </Box>
  );
}

export interface Choice {
  label: string;
  /** The effect, or why the choice is unavailable now. */
  hint?: string;
  /** Null if the choice is unavailable now. */
  onChoose: (() => void) | null;
}

/** A menu of actions; a choice closes it. */
export const Choices = ({ label, choices }: { label: string; choices: readonly Choice[] }) => (
  <Menu
    label={label}
    items={(back) =>
      choices.map(({ label: each, hint, onChoose }) => (
        <MenuItem
          key={each}
          type="button"
          aria-disabled={onChoose === null}
          onClick={() => {
            if (!onChoose) return;
            back();
            onChoose();
          }}
        >
          {each}
          {hint && <MenuHint>{hint}</MenuHint>}
        </MenuItem>
      ))
    }
  />
);
