import { Box, chakra } from '@chakra-ui/react';
import { memo, useDeferredValue } from 'react';
import { useLocation } from 'react-router-dom';
import { visuallyHidden } from '#ui/visuallyHidden.ts';
import { useFacts } from '#app/console/ConsoleProvider.tsx';
import { ErrorBoundary } from '#app/frame/ErrorBoundary.tsx';
import { OfEvidence } from './OfEvidence.tsx';
import { OfRecord } from './OfRecord.tsx';
import { OfStep } from './OfStep.tsx';
import type { InspectorProps } from './Panels.tsx';
import { recordOf } from './records.ts';

const Own = memo(OfStep);

/**
 * The step's requests to the service, not the console's own calls. Before sending, the request that the form produces;
 * afterwards the sent request, its answer and the webhooks that followed. For the chosen row of a list, its record and
 * the calls about it. For the chosen line of a history, its call or webhook.
 */
export function Inspector({ id, snapshot, record: chosen = '', evidence = null, made, onClose }: InspectorProps) {
  const facts = useFacts();
  const { search } = useLocation();
  // The request of a form follows the typing, and does not delay it.
  const followed = useDeferredValue(snapshot);
  const record = recordOf(id, snapshot, chosen);
  return (
    <Box as="section" aria-label="Inspector" minWidth="0" minHeight="full" bg="bg.subtle">
      <chakra.h2 css={visuallyHidden}>Inspector</chakra.h2>
      <ErrorBoundary heading="h3" shows={`${id} ${search}`}>
        {evidence ? (
          <OfEvidence id={id} snapshot={snapshot} evidence={evidence} made={made} onClose={onClose} />
        ) : record || made ? (
          <OfRecord id={id} snapshot={snapshot} record={record} made={made} onClose={onClose} />
        ) : (
          facts && <Own key={id} id={id} snapshot={followed} facts={facts} onClose={onClose} />
        )}
      </ErrorBoundary>
    </Box>
  );
}
