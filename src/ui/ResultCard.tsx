import { Box, Flex, Text } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { Badge, toneOf, type Tone } from './Badge.tsx';
import { Details } from './Details.tsx';
import { Card } from './surfaces.tsx';

/** A part of the card, below a line; absent without content. */
function Part({ children }: { children: ReactNode }) {
  return (
    <Box
      px={{ base: '4', sm: '6' }}
      py="4"
      borderTopWidth="1px"
      _first={{ borderTopWidth: '0' }}
      _empty={{ display: 'none' }}
    >
      {children}
    </Box>
  );
}

/**
 * What a step has made, as one card: its name or amount beside its status, what happened to it, and the values that
 * matter. Without a `title`, the page's heading has it.
 */
export function ResultCard(props: {
  title?: string;
  /** One line below the title; '' for none. */
  under?: string;
  /** The record's status in words; '' for none. */
  status?: string;
  tone?: Tone;
  history?: ReactNode;
  /** By label; those that are '' are left out. */
  values?: Readonly<Record<string, ReactNode>>;
}) {
  const { title = '', under = '', status = '', tone = toneOf(status), history, values } = props;
  return (
    <Card as="section" aria-label="Result" p="0" maxWidth="form">
      {title !== '' && (
        <Part>
          <Flex columnGap="4" rowGap="1" align="center" justify="space-between" wrap={{ base: 'wrap', sm: 'nowrap' }}>
            <Text
              fontSize="2xl"
              lineHeight="2xl"
              fontWeight="semibold"
              letterSpacing="tight"
              fontVariantNumeric="tabular-nums"
              overflowWrap="anywhere"
              minWidth="0"
            >
              {title}
            </Text>
            {status !== '' && <Badge tone={tone}>{status}</Badge>}
          </Flex>
          {under !== '' && (
            <Text color="fg.muted" pt="1" overflowWrap="anywhere">
              {under}
            </Text>
          )}
        </Part>
      )}
      {history !== undefined && <Part>{history}</Part>}
      {values && (
        <Part>
          <Box fontSize="sm">
            <Details items={values} />
          </Box>
        </Part>
      )}
    </Card>
  );
}
