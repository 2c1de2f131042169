import { Box, Button, chakra } from '@chakra-ui/react';
import { useId } from 'react';
import { NavLink } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import type { MenuGroup as GroupName } from '#machines/journey.ts';
import { journeyOf, journeys, reason, type JourneyId } from '#machines/journeys.ts';

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

const entriesOf = (group: GroupName): JourneyId[] =>
  Object.values(journeys)
    .filter((journey) => journeyOf(journey.id).group === group)
    .map(({ id }) => id);

/** One group of the top bar: a button that discloses its links; a blocked one carries its reason. */
export function MenuGroup(props: {
  group: GroupName;
  open: boolean;
  onOpen: (open: boolean) => void;
  facts: Facts | null;
}) {
  const { group, open, onOpen, facts } = props;
  const id = useId();
  return (
    <Box as="li" position={{ lg: 'relative' }}>
      <Button
        variant="ghost"
        width={{ base: 'full', lg: 'auto' }}
        justifyContent="space-between"
        px="2"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => onOpen(!open)}
      >
        {group}
        <chakra.span aria-hidden="true" color="fg.muted" fontSize="xs">
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
        {entriesOf(group).map((journey) => {
          const { path, title } = journeyOf(journey);
          const blocked = facts && reason(journey, facts);
          return (
            <li key={journey}>
              <Entry to={path}>
                {title}
                {blocked && (
                  <chakra.span display="block" color="blocked" fontSize="sm" fontWeight="normal">
                    {blocked}
                  </chakra.span>
                )}
              </Entry>
            </li>
          );
        })}
      </Box>
    </Box>
  );
}
