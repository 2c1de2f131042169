// @vitest-environment jsdom
import { describe, expect, it } from 'vitest';
import type { Rule } from '#contract/lookup.ts';
import { subscriptionForm } from '#rules/field.ts';
import { FormFields } from '#ui/FormFields.tsx';
import { JsonView } from '#ui/JsonView.tsx';
import { renderPage } from '#tests/support/page.tsx';

const markup = '<img src=x onerror="alert(1)"><script>alert(1)</script>';

const rule = (jsonPath: string, more: object): Rule => ({
  ruleId: jsonPath,
  validation: {
    apiPath: 'Subscriptions',
    jsonPath,
    optionality: 'Required',
    uiLabel: `${markup} ${jsonPath}`,
    description: markup,
    example: markup,
    errorMessage: markup,
    ...more,
  },
});

describe('markup from the service is shown as text', () => {
  it('in the labels, hints, choices and errors of a provider’s form (threat 3.24)', () => {
    const form = subscriptionForm([
      rule('a', { regex: '(' }),
      rule('b', { enumeration: [{ value: 'v', description: markup }] }),
      rule('c', { fieldType: 'Boolean' }),
    ]);
    const errors = form.fields.map(({ id, errorMessage }) => ({ id, message: errorMessage }));
    const { container } = renderPage(
      <FormFields
        form={form}
        values={{}}
        errors={errors}
        submitLabel="Send"
        onChange={() => {}}
        onSubmit={() => {}}
        onCancel={() => {}}
      />,
    );
    expect(container.querySelector('img, script')).toBeNull();
    expect(container.textContent?.split(markup).length).toBeGreaterThan(9);
  });

  it('in the names and values of JSON, such as translations and webhooks (threat 3.24)', () => {
    const { container } = renderPage(<JsonView value={{ [markup]: [markup, { deep: 'x' }] }} what="answer" />);
    expect(container.querySelector('img, script')).toBeNull();
    expect(container.textContent).toContain('<img src=x');
  });
});
