import { Button, Flex, Link, Text } from '@chakra-ui/react';
import { useId } from 'react';
import { Link as RouterLink, useParams, useSearchParams } from 'react-router-dom';
import { beginning } from '#machines/lib/chart.ts';
import { NotFound } from '../frame/NotFound.tsx';
import { PageHeading } from '../frame/PageHeading.tsx';
import { chartName, chartSummary, isChart, pathOf, type ChartId } from './chartNames.ts';
import { ChartView } from './ChartView.tsx';
import { Stack } from '#ui/surfaces.tsx';

/**
 * The chart of one journey, or of a machine that journeys invoke, which does not run here. The address holds both states: `at` is where a path begins, `to` the
 * target.
 */
function ChartOf({ id }: { id: ChartId }) {
  const [query, setQuery] = useSearchParams();
  const [at, to] = [query.get('at') ?? '', query.get('to') ?? ''];
  const path = pathOf(id);
  const reason = useId();
  const go = (states: Record<string, string>) => setQuery({ ...(at && { at }), ...states }, { replace: true });
  return (
    <Stack gap="4">
      <div>
        <Text color="fg.muted" fontSize="sm">
          <Link asChild>
            <RouterLink to="/journeys">Map of the journeys</RouterLink>
          </Link>
        </Text>
        <PageHeading>{`Chart of ${chartName(id)}`}</PageHeading>
        <Text color="fg.muted" maxWidth="measure">
          {chartSummary(id)}
          {path !== undefined && (
            <>
              {' '}
              On{' '}
              <Link asChild>
                <RouterLink to={path}>its page</RouterLink>
              </Link>{' '}
              the same chart follows what you do.
            </>
          )}
        </Text>
      </div>
      <ChartView
        id={id}
        from={(chart) => (chart.states.some((state) => state.id === at) ? at : beginning(chart))}
        chosen={to}
        onChoose={(state) => go({ to: state })}
      >
        {() => (
          <Flex gap="2" wrap="wrap" align="center">
            <Button
              aria-disabled={to === ''}
              aria-describedby={to === '' ? reason : undefined}
              onClick={() => to && go({ at: to })}
            >
              Start from here
            </Button>
            {to === '' && (
              <Text id={reason} color="fg.muted" fontSize="sm">
                Choose the state to start from.
              </Text>
            )}
            {at && <Button onClick={() => setQuery({}, { replace: true })}>Start from the beginning</Button>}
          </Flex>
        )}
      </ChartView>
    </Stack>
  );
}

/** /journeys/:id */
export function ChartPage() {
  const { id = '' } = useParams();
  return isChart(id) ? <ChartOf key={id} id={id} /> : <NotFound />;
}
