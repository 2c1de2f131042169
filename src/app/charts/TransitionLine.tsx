import { Box, Heading, Link, Text } from '@chakra-ui/react';
import { Link as RouterLink } from 'react-router-dom';
import { shortestPath, type Chart, type ChartState, type ChartTransition } from '#machines/lib/chart.ts';
import { chartName, isChart } from './chartNames.ts';
import { kinds } from './stateKinds.ts';

/** The transitions of a path, as a list of their events. */
function Steps({ path, from }: { path: readonly ChartTransition[] | undefined; from: string }) {
  return (
    <>
      <div>
        <Heading as="h3" size="md">
          How do I get there?
        </Heading>
        <Text color="fg.muted" fontSize="sm">
          {path ? `The shortest way from “${from}”` : `There is no way from “${from}”: reload the page.`}
        </Text>
      </div>
      <Box as="ol" ps="5" listStyleType="decimal">
        {path?.map(
          ({ words, cause, from: before, to: after }) =>
            words && <li key={`${before} ${after}`}>{cause === 'none' ? `Next, ${words}` : words}</li>,
        )}
      </Box>
    </>
  );
}

/** A state in words, and the shortest path to it from another state, using the labels of the screen. */
export function StateDetails(props: {
  chart: Chart;
  from: ChartState;
  chosen: ChartState;
  /** Whether the journey runs and is in the state `from`. */
  runs?: boolean;
  /** The state of the machine that `chosen` invokes, while that runs. */
  within?: string;
}) {
  const { chart, from, chosen, runs = false, within = '' } = props;
  const { name, kind, description, alerts = [], invokes } = chosen;
  const path = shortestPath(chart, from.id, chosen.id);
  return (
    <Box as="section" aria-label={`State ${name}`} display="grid" gap="3" alignContent="start">
      <div>
        <Heading as="h2">{name}</Heading>
        <Text color="fg.muted" fontSize="sm">
          {kinds[kind].mark} {kinds[kind].word}
        </Text>
      </div>
      {description && <Text>{description}.</Text>}
      {invokes !== undefined && isChart(invokes) && (
        <Text>
          It invokes{' '}
          <Link asChild>
            <RouterLink to={`/journeys/${invokes}${within && `?at=${within}`}`}>{chartName(invokes)}</RouterLink>
          </Link>
          : see its chart.
        </Text>
      )}
      {alerts.length > 0 && (
        <Box as="ol" paddingInlineStart="5" fontWeight="medium" listStyleType={alerts.length > 1 ? 'decimal' : 'none'}>
          {alerts.map((alert) => (
            <li key={alert}>{alert}</li>
          ))}
        </Box>
      )}
      {path?.length === 0 ? (
        <Text>{runs ? 'You are here.' : 'The way begins here.'}</Text>
      ) : (
        <Steps path={path} from={from.name} />
      )}
    </Box>
  );
}
