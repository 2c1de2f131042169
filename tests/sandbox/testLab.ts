import { testSandbox } from './harness.ts';

/** What the tests read of a rule. */
interface Kept {
  ruleId: string;
  fault: object;
  asked: number;
  happened: number;
}

/** A sandbox with an authorised subscription and its fault lab, driven over HTTP. */
export async function testLab(config: Parameters<typeof testSandbox>[0] = {}, application?: string) {
  const opened = await testSandbox(config);
  const sandbox = { ...opened, ...opened.as(application) };
  const who = await sandbox.authorised();
  await sandbox.webhook('subscriptionUpdated');
  sandbox.received.length = 0;
  const { lab } = sandbox;
  const rules = async () => (await lab('GET', '/faults')).body.data as unknown as Kept[]; // the answer to this call
  const set = async (rule: object): Promise<Kept> => {
    const answer = await lab('POST', '/faults', rule);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.data as unknown as Kept; // the answer to this call
  };
  return { ...sandbox, who, lab, rules, set };
}
