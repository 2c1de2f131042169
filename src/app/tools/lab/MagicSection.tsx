import { magicValues } from '#contract/magic.ts';
import { faultTitle } from '#rules/lab.ts';
import { Code } from '#ui/Code.tsx';
import { CopyButton } from '#ui/CopyButton.tsx';
import { DataTable } from '#ui/DataTable.tsx';
import { Section } from './Section.tsx';

type Value = (typeof magicValues)[number];

const columns = [
  { id: 'value', title: 'Value', text: ({ value }: Value) => value, cell: ({ value }: Value) => <Code>{value}</Code> },
  { id: 'where', title: 'Where', text: ({ where }: Value) => where },
  { id: 'fault', title: 'Fault', text: ({ kind }: Value) => faultTitle(kind) },
  { id: 'says', title: 'Effect', text: ({ says }: Value) => says },
] as const;

/** The values that cause a fault for any client, without a rule. */
export function MagicSection() {
  return (
    <Section
      id="lab-magic"
      tabbed
      title="Magic values"
      says="Any client causes these faults without a rule: by a word in a name or in a property of a subscription, or by the amount of a payment, once for each idempotency key. A word in a company’s name changes the definitions that its subscriptions are checked against. Definitions read without the company’s token, as here, do not show the change."
    >
      <DataTable
        caption={['value', 'values']}
        columns={columns}
        rows={magicValues}
        rowKey={({ value }) => value}
        actions={({ value }) => <CopyButton text={value} what={value} />}
        empty={null}
        wraps
      />
    </Section>
  );
}
