import { Link } from '@chakra-ui/react';
import { useCallback } from 'react';
import { Link as RouterLink, useSearchParams } from 'react-router-dom';
import { ToolHeading } from '#app/frame/ToolHeading.tsx';
import { filterIn, searchOf, type Filter } from './timelineFilter.ts';
import { SessionDrop } from './SessionDrop.tsx';
import { Workbench } from './Workbench.tsx';
import { Stack } from '#ui/surfaces.tsx';
import { useFacts } from '#app/console/ConsoleProvider.tsx';

/** /timeline: the traffic between page, console and service. The address contains the filter and the open entries. */
export function TimelinePage() {
  const isSandbox = useFacts()?.environment === 'sandbox';
  const [search, setSearch] = useSearchParams();
  const onLook = useCallback(
    (change: Partial<Filter>) => setSearch((before) => searchOf({ ...filterIn(before), ...change }), { replace: true }),
    [setSearch],
  );
  return (
    <Stack gap="4" gridTemplateRows="auto auto minmax(0, 1fr)" flex="1">
      <ToolHeading path="/timeline" />
      <SessionDrop key={String(isSandbox)} isSandbox={isSandbox}>
        {(onFile) => (
          <Workbench look={filterIn(search)} onLook={onLook} heading={null} onFile={onFile}>
            <Link asChild fontSize="sm">
              <RouterLink to="/drift">Drift</RouterLink>
            </Link>
          </Workbench>
        )}
      </SessionDrop>
    </Stack>
  );
}
