import { Box, Button, chakra, Heading, Text } from '@chakra-ui/react';
import { useSelector } from '@xstate/react';
import { useRef, useState } from 'react';
import { locale } from '#contract/constants.ts';
import type { FileFormat } from '#contract/lookup.ts';
import { counted, nounFor } from '#rules/counted.ts';
import type { FileChange, FileFault, FilePreview, ShownCell, ShownLine } from '#rules/paymentFile/preview.ts';
import { Code } from '#ui/Code.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { Pager } from '#ui/ListTools.tsx';
import type { Column } from '#ui/rows.ts';
import type { PaymentActor } from './paymentActor.ts';
import { Stack } from '#ui/surfaces.tsx';

const pageSize = 50;
/** Maximum number of violations listed above the lines; the lines mark all of them. */
const mostFaults = 20;

/** A ruler for the columns of a line; every tenth column has its number. */
const ruler = (width: number): string =>
  Array.from({ length: Math.ceil(width / 10) }, (_, tens) => String((tens + 1) * 10).padStart(10, '·'))
    .join('')
    .slice(0, width);

const looks = {
  fails: { bg: 'failed.subtle', color: 'failed', textDecoration: 'underline wavy', fontWeight: 'semibold' },
  even: { bg: 'bg.muted' },
  odd: {},
} as const;

const lookOf = ({ fault }: ShownCell, index: number) =>
  fault ? looks.fails : index % 2 === 0 ? looks.even : looks.odd;

/** The error of a value, preceded by its label unless the message already begins with it. */
const saidOf = (label: string, message: string): string =>
  message.startsWith(`${label}:`) ? message : `${label}: ${message}`;

/** A line of the file, each cell at its columns. */
function LineText({ line: { cells, text } }: { line: ShownLine }) {
  if (cells.length === 0) return <>{text}</>;
  return cells.map((cell, index) => {
    const before = cells[index - 1];
    const gap = cell.start - (before ? before.start + before.text.length : 0);
    return (
      <span key={cell.ruleId}>
        {' '.repeat(gap)}
        <chakra.span
          title={`${cell.columns} ${cell.fault ? saidOf(cell.label, cell.fault) : cell.label}`}
          {...lookOf(cell, index)}
        >
          {cell.text}
        </chakra.span>
      </span>
    );
  });
}

const cellColumns: readonly Column<ShownCell>[] = [
  {
    id: 'columns',
    title: 'Columns',
    text: ({ columns }) => columns,
    order: ({ columns }) => Number.parseInt(columns, 10),
  },
  {
    id: 'field',
    title: 'Field',
    text: ({ label, source, fault }) => `${label} ${source} ${fault}`,
    cell: ({ label, source, fault }) => (
      <div>
        {label}
        {source !== label && (
          <Text color="fg.muted" fontSize="xs" overflowWrap="anywhere">
            {source}
          </Text>
        )}
        {fault && (
          <Text color="failed" fontSize="xs">
            {fault}
          </Text>
        )}
      </div>
    ),
  },
  {
    id: 'text',
    title: 'Text',
    text: ({ text }) => text,
    cell: ({ text, fault, given }) => (
      <div>
        <Code whiteSpace="pre-wrap" overflowWrap="anywhere" {...(fault && looks.fails)}>
          {text}
        </Code>
        {given && (
          <Text color="fg.muted" fontSize="xs" overflowWrap="anywhere">
            instead of {given}
          </Text>
        )}
      </div>
    ),
  },
  { id: 'ruleId', title: 'Rule', text: ({ ruleId }) => ruleId, cell: ({ ruleId }) => <Code>{ruleId}</Code> },
];

const changeColumns: readonly Column<FileChange>[] = [
  { id: 'field', title: 'Field', text: ({ label }) => label },
  { id: 'given', title: 'Value', text: ({ given }) => given },
  {
    id: 'written',
    title: 'In the file',
    text: ({ written }) => written,
    cell: ({ written, cutAfter }) => (
      <div>
        <Code>{written}</Code>
        <Text color="fg.muted" fontSize="xs">
          {cutAfter === undefined
            ? 'The file holds letters of ASCII only'
            : `Cut: the file holds ${counted(cutAfter, 'character')}`}
        </Text>
      </div>
    ),
  },
];

/** The violated rules, each with a link to its line. */
function Faults({ faults, onOpen }: { faults: readonly FileFault[]; onOpen: (line: number) => void }) {
  return (
    <Box as="ul" ps="4" listStyleType="disc" display="grid" gap="1">
      {faults.slice(0, mostFaults).map(({ line, columns, ruleId, label, payment, message }, index) => (
        <li key={`${ruleId} ${line} ${index}`}>
          {line > 0 ? (
            <Button
              variant="plain"
              color="failed"
              textDecoration="underline"
              px="0"
              height="auto"
              whiteSpace="normal"
              textAlign="start"
              onClick={() => onOpen(line)}
            >
              Line {line}, columns {columns}
            </Button>
          ) : (
            <span>{payment === undefined ? 'The batch' : `Payment ${payment}`}</span>
          )}
          {`, ${saidOf(label, message)} `}
          <Text as="span" color="fg.muted" fontSize="xs">
            (rule <Code>{ruleId}</Code>)
          </Text>
        </li>
      ))}
      {faults.length > mostFaults && <li>and {faults.length - mostFaults} more, marked in the lines</li>}
    </Box>
  );
}

/** Values that the file holds in another form: each pair once, however many lines hold it. */
function Changes({ changes }: { changes: readonly FileChange[] }) {
  const rows = [...new Map(changes.map((each) => [`${each.label} ${each.given} ${each.written}`, each])).values()];
  if (rows.length === 0) return null;
  return (
    <Stack gap="2">
      <Heading as="h3" size="sm">
        Changed in the file
      </Heading>
      <DataTable
        caption={['changed value', 'changed values']}
        columns={changeColumns}
        rows={rows}
        rowKey={({ label, given, written }) => `${label} ${given} ${written}`}
        wraps
        empty={null}
      />
    </Stack>
  );
}

/** What a file without faults can be said to be: only what was laid out was checked against its columns. */
const soundness = ({ name, specification: { rules } }: FileFormat, lines: number, unread: number): string => {
  if (lines === 0) {
    const checked = rules.length === 0 ? 'It has no rules to check the values by.' : 'All values follow its rules.';
    return `The rules of ${name} do not define the positions of values in the file, so its lines are unknown here. ${checked}`;
  }
  return unread === 0 ? 'Every cell fits its rule' : 'Every cell that is laid out here fits its rule; others are not';
};

/** The lines of the bank file, laid out by the rules of its format; cells that violate a rule are marked. */
function Lines({ format, preview: { lines, faults, changes, unread } }: { format: FileFormat; preview: FilePreview }) {
  const [page, setPage] = useState(1);
  const [number, setNumber] = useState(() => faults[0]?.line || 1);
  const details = useRef<HTMLHeadingElement>(null);
  const open = (line: number) => {
    setNumber(line);
    setPage(Math.ceil(line / pageSize));
    details.current?.focus();
  };
  const width = lines.reduce((most, { text }) => Math.max(most, text.length), 0);
  const chosen = lines[number - 1];
  const isLaidOut = lines.length > 0;
  return (
    <Stack as="section" aria-labelledby="file-lines" gap="3">
      <Heading as="h2" id="file-lines">
        Lines of the file
      </Heading>
      <Text color="fg.muted" fontSize="sm" hidden={!isLaidOut}>
        {lines.length.toLocaleString(locale)} {nounFor(lines.length, ['line', 'lines'])} of up to {width} columns, as
        the rules of {format.name} lay them out. The service sets the times when it creates the file.
      </Text>
      <Text role="status" fontWeight="medium" color={faults.length > 0 ? 'failed' : 'fg'}>
        {faults.length === 0
          ? soundness(format, lines.length, unread.length)
          : `${counted(faults.length, 'value breaks its rule', 'values break their rules')}: the service would reject this batch`}
      </Text>
      {unread.length > 0 && (
        <Text color="failed">
          Not laid out here, because the form of these rules is unknown: {unread.map(({ ruleId }) => ruleId).join(', ')}
        </Text>
      )}
      {faults.length > 0 && <Faults faults={faults} onOpen={open} />}
      <Changes changes={changes} />
      {lines.length > pageSize && (
        <Pager caption="lines" page={page} pageSize={pageSize} of={lines.length} onPage={setPage} />
      )}
      {isLaidOut && (
        <>
          <Box
            role="region"
            aria-label="Lines"
            tabIndex={0}
            overflow="auto"
            maxHeight="24rem"
            borderWidth="1px"
            borderRadius="sm"
            translate="no"
            fontFamily="mono"
            fontSize="sm"
            p="2"
          >
            <Box aria-hidden color="fg.muted" whiteSpace="pre" ps="14">
              {ruler(width)}
            </Box>
            {lines.slice((page - 1) * pageSize, page * pageSize).map((line) => (
              <Box key={line.number} display="flex" width="max-content" data-line={line.number}>
                <Button
                  variant="plain"
                  size="sm"
                  width="14"
                  minWidth="14"
                  height="6"
                  px="2"
                  justifyContent="end"
                  fontFamily="mono"
                  color={line.cells.some(({ fault }) => fault) ? 'failed' : 'fg.muted'}
                  aria-label={`Line ${line.number}${line.cells.some(({ fault }) => fault) ? ', breaks a rule' : ''}`}
                  aria-pressed={line.number === number}
                  fontWeight={line.number === number ? 'semibold' : 'normal'}
                  onClick={() => setNumber(line.number)}
                >
                  {line.number}
                </Button>
                <Box whiteSpace="pre" lineHeight="1.5rem" data-text>
                  <LineText line={line} />
                </Box>
              </Box>
            ))}
          </Box>
          <Heading as="h3" size="sm" ref={details} tabIndex={-1}>
            Line {number}: {chosen?.type}
          </Heading>
          {chosen && (
            <DataTable
              caption={['cell', 'cells']}
              columns={cellColumns}
              rows={chosen.cells}
              rowKey={({ ruleId }) => ruleId}
              wraps
              empty={{ children: 'No cells.', reason: 'The line fills the file’s last block.' }}
            />
          )}
        </>
      )}
    </Stack>
  );
}

/** The lines of the reviewed batch. */
export function FileLines({ actor }: { actor: PaymentActor }) {
  const format = useSelector(actor, ({ context }) => context.format);
  const preview = useSelector(actor, ({ context }) => context.preview);
  return format && preview && <Lines format={format} preview={preview} />;
}
