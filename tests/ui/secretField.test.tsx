// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { ChakraProvider } from '@chakra-ui/react';
import { afterEach, describe, expect, it } from 'vitest';
import { system } from '#app/theme/system.ts';
import { fieldsOf, ownForms, type FormName } from '#contract/forms.ts';
import { ownForm } from '#rules/forms.ts';
import { FormField } from '#ui/FormField.tsx';

const names = Object.keys(ownForms) as FormName[]; // the keys of the object
const all = names.flatMap((name) => ownForm(name).fields.map((field) => ({ name, field })));
const secrets = all.filter(({ field }) => field.secret);

afterEach(cleanup);

describe('a field for a secret', () => {
  it.each(secrets)('is no password of the field before it: $field.id of $name', ({ field }) => {
    render(
      <ChakraProvider value={system}>
        <FormField id="a" field={field} value="" error={undefined} onChange={() => undefined} />
      </ChakraProvider>,
    );
    const input = screen.getByLabelText(field.label);
    expect(input.getAttribute('autocomplete')).toBe('new-password');
    expect(input.getAttribute('name')).toBe(field.id);
    expect(input.getAttribute('type')).toBe('password');
  });

  it('is one that is declared to be secret, and no other', () => {
    expect(secrets.map(({ field }) => field.id)).toEqual(['signingKey']);
    expect(names.flatMap((name) => fieldsOf(name)).filter(([id]) => /key|secret|password/i.test(id))).toHaveLength(1);
  });
});
