import { Heading, Link, Text } from '@chakra-ui/react';
import { useState } from 'react';
import { calls } from '#contract/calls.ts';
import { byArea, type DescribedOperation } from '#rules/description.ts';
import { FilterBox } from '#ui/ListTools.tsx';
import { filterRows } from '#ui/rows.ts';
import { Card, Stack } from '#ui/surfaces.tsx';
import { useResource } from '#app/console/useResource.ts';
import { operationRows } from '#app/effects/description.ts';
import { ListState } from '../lab/ListState.tsx';
import { ToolHeading } from '#app/frame/ToolHeading.tsx';
import { OperationDetail } from './OperationDetail.tsx';

/** An operation is found by its name, what it does, its method and path. */
const textOf = ({ id, summary, method, address }: DescribedOperation): string =>
  `${id} ${summary} ${method} ${address}`.toLowerCase();

/** /reference: the description of the service, by area. */
export function ReferencePage() {
  const list = useResource(operationRows);
  const rows = list.known ?? [];
  const [term, setTerm] = useState('');
  const shown = filterRows(rows, term, textOf);
  return (
    <Stack gap="5">
      <ToolHeading path="/reference">
        Generate a client from{' '}
        <Link href={calls.getDescription.path} target="_blank" rel="noreferrer">
          the OpenAPI document
        </Link>
        .
      </ToolHeading>
      {list.known && <FilterBox label="Filter operations" term={term} onChange={setTerm} />}
      {list.known && shown.length === 0 && <Text color="fg.muted">No results for “{term.trim()}”</Text>}
      {byArea(shown).map(({ area, operations }) => (
        <Stack as="section" key={area} aria-labelledby={`area-${area}`} gap="2">
          <Heading as="h2" id={`area-${area}`} size="md">
            {area}
          </Heading>
          <Card p="0" gap="0">
            {operations.map((operation) => (
              <OperationDetail key={operation.id} operation={operation} />
            ))}
          </Card>
        </Stack>
      ))}
      <ListState list={list} name="operations" />
    </Stack>
  );
}
