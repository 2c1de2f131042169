import { Box, Grid, Heading } from '@chakra-ui/react';
import { menuGroups } from '#machines/journey.ts';
import { usageNotes } from './usageNotes.ts';

/** What one should know of each menu group (behaviour, section 1). */
export function UsageNotes() {
  return (
    <Box as="section" aria-labelledby="usage-notes">
      <Heading as="h2" id="usage-notes" size="xl" pb="3">
        Usage notes
      </Heading>
      <Grid gap="6" templateColumns={{ md: '1fr 1fr', xl: '1fr 1fr 1fr' }}>
        {menuGroups.map((group) => (
          <div key={group}>
            <Heading as="h3">{group}</Heading>
            <Box as="ul" ps="4" listStyleType="disc" display="grid" gap="1" pt="1">
              {usageNotes[group].map((note) => (
                <li key={note}>{note}</li>
              ))}
            </Box>
          </div>
        ))}
      </Grid>
    </Box>
  );
}
