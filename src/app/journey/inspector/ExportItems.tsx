import { collectionPaths } from '#contract/exports.ts';
import { MenuItem } from '#ui/Menu.tsx';
import { asUser } from '#app/client/user.ts';

const formats = [
  ['Postman', collectionPaths.postman],
  ['Bruno', collectionPaths.bruno],
  ['.http file', collectionPaths.httpFile],
] as const;

/** Links that download calls of the service, to send them again in another tool; `what` begins their labels. */
export const ExportItems = (props: {
  what: string;
  query: readonly (readonly [string, string])[];
  onChoose: () => void;
}) => (
  <>
    {formats.map(([format, path]) => (
      <MenuItem key={path} asChild>
        <a href={asUser(path, props.query)} download onClick={props.onChoose}>
          {props.what}: {format}
        </a>
      </MenuItem>
    ))}
  </>
);
