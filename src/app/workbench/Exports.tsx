import { Button } from '@chakra-ui/react';
import { asUser } from '../timeline/source.ts';

/** What takes the timeline away: an archive that browsers and proxies read, and what a support case needs. */
export function Exports() {
  return (
    <>
      <Button asChild size="sm">
        <a href={asUser('/api/timeline.har')} download="timeline.har">
          Export HAR
        </a>
      </Button>
      <Button asChild size="sm">
        <a href={asUser('/api/timeline.zip')} download="support-bundle.zip">
          Support bundle
        </a>
      </Button>
    </>
  );
}
