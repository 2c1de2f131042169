import { Box, chakra, Heading } from '@chakra-ui/react';
import { menuGroups } from '#machines/journey.ts';
import { usageNotes } from './usageNotes.ts';

const Notes = chakra('details', {
  base: { fontSize: 'sm', '&[open]': { flexBasis: '100%', '& > summary::after': { content: '"▾"' } } },
});

const Summary = chakra('summary', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    minHeight: '6',
    color: 'accent',
    cursor: 'pointer',
    listStyle: 'none',
    '&::-webkit-details-marker': { display: 'none' },
    '&::after': { content: '"▸"', ps: '1', fontSize: 'xs', transition: 'transform 120ms' },
    _hover: { textDecoration: 'underline' },
  },
});

/** Usage notes, one collapsible section for each menu group (behaviour, section 1). */
export function UsageNotes() {
  return (
    <Box as="section" aria-labelledby="usage-notes" display="flex" flexWrap="wrap" columnGap="4" rowGap="1">
      <Heading
        as="h2"
        id="usage-notes"
        fontSize="sm"
        fontWeight="normal"
        color="fg.muted"
        alignSelf="start"
        lineHeight="1.5rem"
      >
        Usage notes
      </Heading>
      {menuGroups.map((group) => (
        <Notes key={group}>
          <Summary>
            <Heading as="h3" fontSize="sm" fontWeight="normal">
              {group}
            </Heading>
          </Summary>
          <Box as="ul" ps="4" listStyleType="disc" display="grid" gap="1" py="1" maxWidth="measure">
            {usageNotes[group].map((note) => (
              <li key={note}>{note}</li>
            ))}
          </Box>
        </Notes>
      ))}
    </Box>
  );
}
