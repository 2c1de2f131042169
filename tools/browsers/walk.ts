import type { Visitor } from './visitor.ts';

/** Walks the guided path from an empty data folder at `url` to a paid batch, typing nothing. Returns what went wrong in the pages. */
export async function walk(
  visitor: Pick<Visitor, 'open' | 'see' | 'press' | 'pressWithin' | 'read' | 'errors'>,
  url: string,
): Promise<string[]> {
  const errors: string[] = [];
  const press = (name: string | RegExp) => visitor.press('button', name);
  const arrive = (heading: string) => visitor.see('heading', heading);
  const next = () => press(/^(Next: |Continue$)/);
  /** What the page has said is lost with it. */
  const note = async () => void errors.push(...(await visitor.errors()));
  /** Filled with its examples, as the settings were. */
  const filled = () => visitor.see('button', 'Clear');
  const form = async (heading: string, primary: string) => {
    await arrive(heading);
    await filled();
    await press(primary);
    await next();
  };

  await visitor.open(url);
  await visitor.press('link', /^Start/);
  await arrive('Choose country and language');
  await press('Fill with example');
  await next();
  await form('Create Organisation', 'Create organisation');
  await form('Create Company', 'Create company');
  await arrive('Access token obtained'); // asked for by the page itself
  await next();
  await arrive('Get User Token');
  await note();
  await press('Log in');
  await arrive('Log in to the sandbox');
  await note();
  await press('Log in');
  await arrive('User token obtained');
  await next();
  await form('Create Account', 'Create account');
  await form('Create DataSet', 'Create data set');
  await form('Connect a payment provider', 'Create Subscription');
  await visitor.pressWithin(/^Approval page of/, 'button', 'Approve');
  await next();
  await form('Create Debtor', 'Create debtor');
  await form('Create Creditor', 'Create creditor');
  await arrive('Pay electronically');
  await filled();
  await press('Review');
  await press(/^Pay [\d,.]+ GBP$/);
  await next();
  await visitor.read(/the guided path is complete/i);
  await note();
  return errors;
}
