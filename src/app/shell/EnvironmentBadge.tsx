import { Box, chakra } from '@chakra-ui/react';
import { MenuLink } from './MenuGroup.tsx';
import { useDisclosure } from './useDisclosure.ts';

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
  _before: { content: '""', border: '0.1875rem solid', borderRadius: 'full' },
} as const;

const links = [
  ['/sandbox', 'Fault lab'],
  ['/programs', 'Your own program'],
] as const;

/** The badge of the sandbox, which discloses its controls. */
export function EnvironmentBadge() {
  const { open, close, box, button, panel } = useDisclosure();
  return (
    <Box position="relative" {...box}>
      <chakra.button {...button} css={badge} minHeight="6" cursor="pointer" bg="accent.subtle" color="accent">
        Sandbox <span aria-hidden="true">{open ? '▴' : '▾'}</span>
      </chakra.button>
      <Box
        as="ul"
        {...panel}
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
        {(open ? links : []).map(([to, title]) => (
          <li key={to}>
            <MenuLink to={to} onClick={close}>
              {title}
            </MenuLink>
          </li>
        ))}
      </Box>
    </Box>
  );
}
