import { Box } from '@chakra-ui/react';
import { Chip } from '#ui/Badge.tsx';
import { Card } from '#ui/surfaces.tsx';
import { MenuLink } from './MenuGroup.tsx';
import { useDisclosure } from '#ui/useDisclosure.ts';

const links = [
  ['/sandbox', 'Fault lab'],
  ['/programs', 'Connect your app'],
] as const;

/** The badge of the sandbox, which discloses its controls. */
export function EnvironmentBadge() {
  const { open, close, box, button, panel } = useDisclosure();
  return (
    <Box position="relative" {...box}>
      <Chip asChild tone="next">
        <button type="button" {...button}>
          <span aria-hidden="true">●</span> Sandbox <span aria-hidden="true">{open ? '▴' : '▾'}</span>
        </button>
      </Chip>
      <Card as="ul" {...panel} floating listStyleType="none" mt="1" insetInlineEnd={{ base: 'auto', sm: '0' }}>
        {(open ? links : []).map(([to, title]) => (
          <li key={to}>
            <MenuLink to={to} onClick={close}>
              {title}
            </MenuLink>
          </li>
        ))}
      </Card>
    </Box>
  );
}

/** The badge of the live environment. */
export const LiveBadge = () => (
  <Chip asChild tone="live">
    <strong>
      <span aria-hidden="true">●</span> Live: real payments
    </strong>
  </Chip>
);
