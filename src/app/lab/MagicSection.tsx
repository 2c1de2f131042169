import { Text } from '@chakra-ui/react';
import { faultTargets } from '#contract/lab.ts';
import { magicValues } from '#contract/magic.ts';
import { CopyButton } from '#steps/kit/CopyButton.tsx';
import { DataTable } from '#steps/kit/DataTable.tsx';
import { Section } from './Section.tsx';

type Value = (typeof magicValues)[number];

const columns = [
  { id: 'value', title: 'Value', text: ({ value }: Value) => value, cell: ({ value }: Value) => <code>{value}</code> },
  { id: 'where', title: 'Where', text: ({ where }: Value) => where },
  { id: 'says', title: 'What it causes', text: ({ says }: Value) => says },
  { id: 'on', title: 'Happens to', text: ({ on }: Value) => faultTargets[on] },
] as const;

/** The values that cause a fault for any client, without a rule. */
export function MagicSection() {
  return (
    <Section
      id="lab-magic"
      title="Magic values"
      says="Without a rule, these cause the same from any client: a word in a name or in a property of a subscription, or the amount of a payment, which meets its fault once for each idempotency key. A company’s word changes the definitions by which its subscriptions are checked; without its token, as here, they are read as if they had changed since."
    >
      <DataTable
        caption={['magic value', 'magic values']}
        columns={columns}
        rows={magicValues}
        rowKey={({ value }) => value}
        actions={({ value }) => <CopyButton text={value} what={value} />}
        empty={<Text>None</Text>}
        wraps
      />
    </Section>
  );
}
