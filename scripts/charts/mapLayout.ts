import { stateFont, type DrawnMap } from '#app/drawings/drawn.ts';
import { journeyOf, journeyOrder, nameOf, providing, type JourneyId } from '#machines/journeys.ts';
import { boxOf, elk, lineOf } from './layout.ts';
import { textWidth } from './text.ts';

interface Link {
  from: JourneyId;
  to: JourneyId;
  gate: boolean;
}

/** What has to come before a journey, and what sensibly does. */
function linksTo(to: JourneyId): Link[] {
  const { requires, after } = journeyOf(to);
  const gates = new Set(requires.flatMap((need) => providing(need) ?? []));
  const soft = (after as readonly JourneyId[]).filter((id) => !gates.has(id)); // ids of other journeys
  return [...[...gates].map((from) => ({ from, to, gate: true })), ...soft.map((from) => ({ from, to, gate: false }))];
}

/** The links without those that a chain of others implies: the map shows the way, not every reason for it. */
function links(): Link[] {
  const all = journeyOrder.flatMap(linksTo);
  const before = (id: JourneyId): JourneyId[] =>
    all.flatMap(({ from, to }) => (to === id ? [from, ...before(from)] : []));
  return all.filter(({ from, to }) => !all.some((other) => other.to === to && before(other.from).includes(from)));
}

/** Finds a place for every journey; the same registry always gets the same. */
export async function mapLaidOut(): Promise<DrawnMap> {
  const edges = links();
  const graph = await elk.layout({
    id: 'map',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'RIGHT',
      'elk.edgeRouting': 'ORTHOGONAL',
      'elk.aspectRatio': '1.8',
      'elk.padding': '[top=12,left=12,bottom=12,right=12]',
      'elk.spacing.nodeNode': '20',
      'elk.spacing.componentComponent': '24',
      'elk.layered.spacing.nodeNodeBetweenLayers': '36',
      'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
      'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
      'elk.layered.wrapping.strategy': 'MULTI_EDGE',
    },
    children: journeyOrder.map((id) => ({ id, width: textWidth(nameOf(id), stateFont) + 32, height: 44 })),
    edges: edges.map(({ from, to }) => ({ id: `${from} ${to}`, sources: [from], targets: [to] })),
  });
  const journeys = (graph.children ?? []).map((node) => ({ id: node.id, box: boxOf(node) })); // as given
  const { width, height } = boxOf(graph);
  return {
    width,
    height,
    journeys,
    edges: (graph.edges ?? []).map((edge, index) => ({ ...(edges[index] as Link), line: lineOf(edge) })), // one for each
  };
}
