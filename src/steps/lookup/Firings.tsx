import { Box, Text } from '@chakra-ui/react';
import type { Firing } from './firing.ts';

/** Rules that are told at once. */
const shown = 50;

/** Which rules fire for the values as they are. */
export function Firings({ firings }: { firings: readonly Firing[] }) {
  return (
    <Box role="status">
      <Text>{firings.length === 0 ? 'No rule fires: the form is valid.' : `Rules that fire: ${firings.length}`}</Text>
      <Box as="ul" ps="4" listStyleType="disc">
        {firings.slice(0, shown).map(({ ruleId, label, why, message }) => (
          <li key={ruleId}>
            {label} (rule <code>{ruleId}</code>): {why} It says: {message}
          </li>
        ))}
        {firings.length > shown && <li>and {firings.length - shown} more</li>}
      </Box>
    </Box>
  );
}
