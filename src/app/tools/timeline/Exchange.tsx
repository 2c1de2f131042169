import { useRef } from 'react';
import { asUser } from '#app/client/user.ts';
import { ExportItems } from '#app/journey/inspector/ExportItems.tsx';
import { FileChoice } from '#ui/Field.tsx';
import { Menu, MenuItem } from '#ui/Menu.tsx';
import { filterOf, type Filter } from './timelineFilter.ts';

/** The name of the choice of a file. */
const opensHar = 'Open a HAR file';

/**
 * Opens a session (`onFile`), and links to download the timeline: the calls that are shown, or the company's way, as requests to
 * send again, a HAR archive, which browsers and proxies can open, and a bundle for support cases.
 */
export function Exchange({ look, onFile }: { look: Filter; onFile?: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const filter = Object.entries(filterOf(look)).flatMap(([name, value]): [string, string][] =>
    value ? [[name, value]] : [],
  );
  return (
    <>
      {onFile && <FileChoice ref={input} label={opensHar} accept=".har,.json,application/json" onFile={onFile} />}
      <Menu
        label={onFile ? 'Import or export' : 'Export'}
        items={(back) => (
          <>
            {onFile && (
              <MenuItem
                type="button"
                onClick={() => {
                  back();
                  input.current?.click();
                }}
              >
                {opensHar}
              </MenuItem>
            )}
            <ExportItems what="Shown calls" query={filter} onChoose={back} />
            <ExportItems what="Company’s way" query={[['of', 'company']]} onChoose={back} />
            <MenuItem asChild>
              <a href={asUser('/api/timeline.har')} download="timeline.har" onClick={back}>
                Export HAR
              </a>
            </MenuItem>
            <MenuItem asChild>
              <a href={asUser('/api/timeline.zip')} download="support-bundle.zip" onClick={back}>
                Export support bundle
              </a>
            </MenuItem>
          </>
        )}
      />
    </>
  );
}
