import { Button } from '@chakra-ui/react';
import { asUser } from '../api/user.ts';

/**
 * Links to download the timeline: a HAR archive, which browsers and proxies can open, and a bundle for support cases.
 */
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
