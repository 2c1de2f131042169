import { Box, Button } from '@chakra-ui/react';
import { useId } from 'react';
import { NavLink, useLocation } from 'react-router-dom';
import type { Facts } from '#contract/facts.ts';
import type { MenuGroup as GroupName } from '#machines/journey.ts';
import { MenuHint, MenuItem } from '#ui/Menu.tsx';
import { journeyAt, journeyOf, journeys, reason, type JourneyId } from '#machines/journeys.ts';

/** The groups fit side by side into the bar. */
export const menuFits = '@media (min-width: 72rem)';

/** Everything in the bar has room in one line. */
const roomy = '@media (min-width: 88rem)';

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
    <Box as="li" css={{ [menuFits]: { position: 'relative' } }}>
      <Button
        variant="ghost"
        minHeight="8"
        fontWeight="normal"
        borderRadius="sm"
        color={here || open ? 'fg' : 'fg.muted'}
        bg={here ? 'bg.muted' : 'transparent'}
        data-lit={here || undefined}
        whiteSpace="nowrap"
        width="full"
        justifyContent="space-between"
        px="1.5"
        _after={{ content: open ? '"▴" / ""' : '"▾" / ""' }}
        css={{
          [menuFits]: { width: 'auto', fontSize: 'sm', _after: { display: 'none' } },
          [roomy]: { paddingInline: '2' },
        }}
        aria-expanded={open}
        {...(open && { 'aria-controls': id })}
        onClick={() => onOpen(!open)}
      >
        {group}
      </Button>
      {/* The links of closed groups would be half of the home page's elements. */}
      {open && (
        <Box
          as="ul"
          id={id}
          listStyleType="none"
          p="1"
          bg="bg"
          borderRadius="md"
          zIndex="panel"
          css={{
            [menuFits]: {
              position: 'absolute',
              minWidth: '16rem',
              maxWidth: 'popover',
              borderWidth: '1px',
              boxShadow: '0 8px 24px rgb(0 0 0 / 0.12)',
            },
          }}
        >
          {entriesOf(group).map((journey) => {
            const { path, title } = journeyOf(journey);
            const blocked = facts && reason(journey, facts);
            return (
              <li key={journey}>
                <MenuItem asChild>
                  <NavLink to={path} onClick={onChoose}>
                    {title}
                    {blocked && <MenuHint color="waiting">{blocked}</MenuHint>}
                  </NavLink>
                </MenuItem>
              </li>
            );
          })}
        </Box>
      )}
    </Box>
  );
}
