import { Box, Button, chakra } from '@chakra-ui/react';
import { useId } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import type { MenuGroup as GroupName } from '#machines/journey.ts';
import { journeyAt, journeyOf, journeys, reason, type JourneyId } from '#machines/journeys.ts';

/** A link in a panel that a button of the top bar discloses. */
export const MenuLink = chakra(NavLink, {
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

const entriesOf = (group: GroupName): JourneyId[] =>
  Object.values(journeys)
    .filter((journey) => journeyOf(journey.id).group === group)
    .map(({ id }) => id);

/** One group of the top bar: a button that discloses its links. A blocked link shows its reason. */
export function MenuGroup(props: {
  group: GroupName;
  open: boolean;
  onOpen: (open: boolean) => void;
  /** Called when the user follows a link. */
  onChoose: () => void;
  facts: Facts | null;
}) {
  const { group, open, onOpen, onChoose, facts } = props;
  const id = useId();
  const { pathname } = useLocation();
  const at = journeyAt(pathname);
  const here = at !== undefined && journeyOf(at).group === group;
  return (
    <Box as="li" position={{ lg: 'relative' }}>
      <Button
        variant="ghost"
        minHeight="8"
        fontWeight="normal"
        borderRadius="sm"
        color={here || open ? 'fg' : 'fg.muted'}
        bg={here ? 'bg.muted' : 'transparent'}
        whiteSpace="nowrap"
        width={{ base: 'full', lg: 'auto' }}
        justifyContent="space-between"
        px={{ base: '2', xl: '2.5' }}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => onOpen(!open)}
      >
        {group}
        <chakra.span aria-hidden="true" hideFrom="lg">
          {open ? '▴' : '▾'}
        </chakra.span>
      </Button>
      <Box
        as="ul"
        id={id}
        hidden={!open}
        listStyleType="none"
        p="1"
        bg="bg"
        borderWidth={{ lg: '1px' }}
        borderRadius="md"
        position={{ lg: 'absolute' }}
        zIndex="panel"
        minWidth={{ lg: '16rem' }}
        maxWidth={{ lg: 'popover' }}
        boxShadow={{ lg: '0 8px 24px rgb(0 0 0 / 0.12)' }}
      >
        {/* The links of closed groups would be half of the home page's elements. */}
        {(open ? entriesOf(group) : []).map((journey) => {
          const { path, title } = journeyOf(journey);
          const blocked = facts && reason(journey, facts);
          return (
            <li key={journey}>
              <MenuLink to={path} onClick={onChoose}>
                {title}
                {blocked && (
                  <chakra.span display="block" color="blocked" fontSize="sm" fontWeight="normal">
                    {blocked}
                  </chakra.span>
                )}
              </MenuLink>
            </li>
          );
        })}
      </Box>
    </Box>
  );
}
