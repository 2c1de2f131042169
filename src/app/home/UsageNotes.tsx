import { Box, chakra, Heading } from '@chakra-ui/react';
import { menuGroups } from '#machines/journey.ts';
import { usageNotes } from './noteTexts.ts';

const Notes = chakra('ul', { base: { ps: '4', listStyleType: 'disc', color: 'fg.muted' } });

/** Usage notes by menu group (behaviour, section 1), in as many columns as the page has room for. */
export function UsageNotes() {
  return (
    <Box as="section" aria-labelledby="usage-notes" fontSize="xs" lineHeight="xs">
      <Heading as="h2" id="usage-notes" fontSize="sm" lineHeight="sm" fontWeight="semibold" pb="1">
        Usage notes
      </Heading>
      <Box columnWidth="17rem" columnGap="8">
        {menuGroups.map((group) => (
          <Box key={group} pb="1.5" breakInside="avoid">
            <Heading as="h3" fontSize="xs" lineHeight="xs" fontWeight="medium">
              {group}
            </Heading>
            <Notes>
              {usageNotes[group].map((note) => (
                <li key={note}>{note}</li>
              ))}
            </Notes>
          </Box>
        ))}
      </Box>
    </Box>
  );
}
