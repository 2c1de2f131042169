import { Box, chakra } from '@chakra-ui/react';
import { useEffect, useId, useRef, useState } from 'react';
import { NavLink } from 'react-router-dom';

/** The look of the badge that names the environment. */
export const badge = {
  display: 'flex',
  alignItems: 'center',
  gap: '1.5',
  px: '2',
  py: '3px',
  borderRadius: 'full',
  fontSize: 'xs',
  lineHeight: 'xs',
  fontWeight: 'medium',
  whiteSpace: 'nowrap',
  _before: { content: '""', width: '6px', height: '6px', borderRadius: 'full', bg: 'currentColor' },
} as const;

const Entry = chakra(NavLink, {
  base: {
    display: 'block',
    px: '3',
    py: '1.5',
    color: 'fg',
    borderRadius: 'sm',
    _hover: { bg: 'bg.muted' },
    '&[aria-current=page]': { bg: 'accent.subtle', fontWeight: 'medium' },
  },
});

/** The badge of the sandbox, which discloses its controls. */
export function SandboxBadge() {
  const [open, setOpen] = useState(false);
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node && box.current?.contains(target))) setOpen(false);
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
      ref={box}
      position="relative"
      onKeyDown={({ key }) => {
        if (key !== 'Escape' || !open) return;
        button.current?.focus();
        setOpen(false);
      }}
    >
      <chakra.button
        ref={button}
        css={badge}
        minHeight="6"
        cursor="pointer"
        bg="accent.subtle"
        color="accent"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        Sandbox <span aria-hidden="true">{open ? '▴' : '▾'}</span>
      </chakra.button>
      <Box
        as="ul"
        id={id}
        hidden={!open}
        listStyleType="none"
        p="1"
        mt="1"
        bg="bg"
        borderWidth="1px"
        borderRadius="md"
        position="absolute"
        insetInlineEnd={{ base: 'auto', sm: '0' }}
        zIndex="panel"
        minWidth="12rem"
        boxShadow="0 8px 24px rgb(0 0 0 / 0.12)"
      >
        {open && (
          <li>
            <Entry to="/sandbox" onClick={() => setOpen(false)}>
              Fault lab
            </Entry>
          </li>
        )}
      </Box>
    </Box>
  );
}
