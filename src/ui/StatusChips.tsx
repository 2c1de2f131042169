import { Flex } from '@chakra-ui/react';
import { useMemo } from 'react';
import { member } from '#contract/member.ts';
import { Badge, toneOf, type Tone } from './Badge.tsx';

/**
 * A filter button for each status, with its row count; renders nothing if all rows have the same status and none is
 * chosen.
 */
export function StatusChips(props: {
  /** The status of each row. */
  statuses: readonly string[];
  /** The status filtered by; '' for none. */
  chosen: string;
  onChoose: (status: string) => void;
  /** The tones of words that are not statuses of the service. */
  tones?: Readonly<Record<string, Tone>> | undefined;
  /** What the rows are filtered by, if it is no status: then no chip has a tone. */
  by?: string;
}) {
  const { statuses, chosen, onChoose, tones = {}, by } = props;
  const counts = useMemo(() => {
    const seen = new Map<string, number>();
    for (const status of statuses) seen.set(status, (seen.get(status) ?? 0) + 1);
    return [...seen];
  }, [statuses]);
  if (counts.length < 2 && chosen === '') return null;
  return (
    <Flex role="group" aria-label={`Filter by ${by ?? 'status'}`} gap="2" wrap="wrap">
      {counts.map(([status, count]) => (
        <Badge
          key={status}
          tone={by === undefined ? (member(tones, status) ?? toneOf(status)) : 'idle'}
          pressed={status === chosen}
          onPress={() => onChoose(status === chosen ? '' : status)}
        >
          {status} {count}
        </Badge>
      ))}
    </Flex>
  );
}
