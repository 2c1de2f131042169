import { describe, expect, it } from 'vitest';
import { batchAnswers } from '#server/companies/records.ts';
import { runUserCommand } from '#server/ops/userCommands.ts';
import { createUsers } from '#server/ops/users.ts';
import { answering, fakeUpstream } from '#tests/support/fakeUpstream.ts';
import { sharedUse } from '#tests/support/consoleWithUsers.ts';
import { common, integratorAt } from '#tests/support/integrator.ts';
import { engines, here, testStorage } from '#tests/support/storage.ts';

/** A console with two users, each with a program, and an operator. */
async function withUsers() {
  const upstream = await fakeUpstream({ '/v3/': answering({}) });
  const shared = await sharedUse({ upstreamUrl: () => Promise.resolve(upstream.url) });
  const [ada, bob] = [await shared.signedIn('ada'), await shared.signedIn('bob')];
  const programs = { ada: await integratorAt(shared.url, ada), bob: await integratorAt(shared.url, bob) };
  const users = createUsers({ storage: shared.storage, issuer: shared.config.access!.issuer });
  const run = (...args: string[]) => runUserCommand(users, args);
  const workspaceOf = async (subject: string) =>
    (await users.list()).find(({ user }) => user?.subject === subject)!.workspace; // both have signed in
  return { ...shared, ada, bob, programs, users, run, workspaceOf };
}

describe('npm run users', () => {
  it('lists workspaces by user, with name, id at the provider, last sign-in, sessions and tokens', async () => {
    const { run, users } = await withUsers();
    const { code, printed } = await run('list');
    expect(code).toBe(0);
    expect(printed.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^WORKSPACE +NAME +ID AT PROVIDER +SIGNED IN +SESSIONS +TOKENS$/),
      expect.stringMatching(/^user-[0-9a-f]{32} +(ada|bob) <& Co> +(ada|bob) +\d{4}-\d\d-\d\dT[\d:.]+Z +1 +1$/),
      expect.stringMatching(/^user-[0-9a-f]{32} +(ada|bob) <& Co> +(ada|bob) +\d{4}-\d\d-\d\dT[\d:.]+Z +1 +1$/),
    ]);
    expect((await users.list()).map(({ user }) => user?.name).sort()).toEqual(['ada <& Co>', 'bob <& Co>']);
  });

  it('revokes the token of a program by its id, which the list of tokens has without the token (threat 6.43)', async () => {
    const { run, programs } = await withUsers();
    const { printed } = await run('tokens', 'ada');
    expect(printed).toContain(programs.ada.made.tokenId);
    expect(printed).not.toContain(programs.bob.made.tokenId);
    expect((await run('tokens')).printed).toContain(programs.bob.made.tokenId);
    expect(printed).not.toContain(programs.ada.token);
    expect(await run('revoke', programs.ada.made.tokenId)).toEqual({ code: 0, printed: 'The token is revoked.\n' });
    expect((await programs.ada.called('GET', '/v3/providers', common)).status).toBe(401);
    expect((await programs.bob.called('GET', '/v3/providers', common)).status).toBe(200);
    expect(await run('revoke', programs.ada.made.tokenId)).toMatchObject({
      code: 1,
      printed: expect.stringContaining('is no token: give an id of the list of tokens') as string,
    });
  });

  it('ends the sessions of one user, whose programs are paused', async () => {
    const { run, ada, bob, programs } = await withUsers();
    expect((await run('sign-out', 'ada')).printed).toContain('1 session ended');
    expect(await ada.refused('getSettings')).toMatchObject({ code: 'signed-out' });
    expect((await programs.ada.called('GET', '/v3/providers', common)).status).toBe(401);
    await bob.done('getSettings');
  });

  it('exports what is stored of a user, without secrets and other users’ data (threat 2.1)', async () => {
    const { run, ada, workspaceOf, storage, programs } = await withUsers();
    await ada.done('setSetting', { body: { key: 'providerCountry', value: 'GB' } });
    const workspace = await workspaceOf('ada');
    const signingKey = 'c2lnbmluZy1rZXktb2YtYWRh';
    await storage.settings.of(workspace).set('first', { companySigningKey: signingKey });
    const at = { workspace, companyKey: 'first' };
    const row = await storage.writes.claim({
      ...at,
      key: '1',
      call: 'createOrganisation',
      fingerprint: 'f',
      serviceKey: 's',
      serviceTime: undefined,
      body: { key: signingKey },
    });
    await storage.writes.end(row!, { answer: { organisationId: 'org', key: signingKey } });
    const { file, code } = await run('export', 'ada', 'ada.json');
    expect([code, file?.path]).toEqual([0, 'ada.json']);
    const exported = JSON.parse(file!.text) as { settings: Record<string, string>[]; rows: { table: string }[] };
    expect(exported).toMatchObject({ workspace, user: { subject: 'ada' }, sessions: [{ isLeft: false }] });
    expect(exported.settings).toContainEqual(expect.objectContaining({ providerCountry: 'GB' }));
    expect(exported.rows.map(({ table }) => table)).toEqual(expect.arrayContaining(['records', 'writes']));
    for (const secret of [signingKey, programs.ada.token, await workspaceOf('bob')])
      expect(file!.text).not.toContain(secret);
  });

  it('removes a user while the console runs: sessions, tokens and data, without other users’ (threat 6.43)', async () => {
    const { run, ada, bob, programs, workspaceOf, storage, signedIn } = await withUsers();
    await ada.done('setSetting', { body: { key: 'providerCountry', value: 'GB' } });
    await bob.done('setSetting', { body: { key: 'providerCountry', value: 'US' } });
    const workspace = await workspaceOf('ada');
    expect(await run('remove', 'ada')).toMatchObject({
      code: 1,
      printed: expect.stringContaining('give --yes') as string,
    });
    await ada.done('getSettings');
    expect(await run('remove', 'ada', '--yes')).toMatchObject({ code: 0 });
    expect(await storage.workspaces.count(workspace)).toMatchObject({
      records: 0,
      settings: 0,
      timeline: 0,
      quarantine: 0,
    });
    expect(await ada.refused('getSettings')).toMatchObject({ code: 'signed-out' });
    expect((await programs.ada.called('GET', '/v3/providers', common)).status).toBe(401);
    expect((await programs.bob.called('GET', '/v3/providers', common)).status).toBe(200);
    expect((await bob.done('getSettings')).providerCountry).toBe('US');
    const again = await signedIn('ada');
    expect((await again.done('getSettings')).providerCountry).not.toBe('GB');
    expect((await again.done('getPrograms')).data.tokens).toEqual([]);
  });

  it.each([
    [[], 2, 'Usage:'],
    [['lst'], 2, 'Usage:'],
    [['constructor'], 2, 'Usage:'],
    [['show'], 2, 'Usage:'],
    [['remove', '--yes'], 2, 'Usage:'],
    [['remove', 'ada', '--force'], 2, 'Usage:'],
    [['remove', 'ada', 'bob'], 2, 'Usage:'],
    [['show', 'eve'], 1, '"eve" is no user: give a workspace of the list, or the user\'s id at the provider (sub).'],
    [['show', 'ada <& Co>'], 1, 'is no user'],
    [['export', 'ada'], 2, 'Usage:'],
  ])('refuses %j with exit code %i and what would be right', async (args, code, words) => {
    const { run, ada } = await withUsers();
    const done = await run(...args);
    expect(done.code).toBe(code);
    expect(done.printed).toContain(words);
    await ada.done('getSettings');
  });
});

describe.each(engines)('A removed workspace on %s', (_, newDatabase) => {
  it('leaves paid invoices and keys of writes behind, without their answers (threat 6.44)', async () => {
    const storage = await testStorage(await newDatabase());
    const { writes, invoiceLines, workspaces } = storage;
    const { workspace } = here;
    const claim = (key: string) => ({
      ...here,
      key,
      call: 'createBatch',
      fingerprint: `print of ${key}`,
      serviceKey: `service ${key}`,
      serviceTime: undefined,
      body: { to: 'GB29NWBK60161331926819' },
    });
    const facts = (reference: string) => ({
      reference,
      note: '',
      sum: `sum of ${reference}`,
      payee_ids: 'payee',
      ibans: '',
      numbers: '',
      name: 'name',
    });
    const paid = await writes.claim(claim('paid'));
    await invoiceLines.add(paid!.position, [facts('invoice 1')]);
    await writes.end(paid!, {
      answer: { batchId: 'batch', account: 'GB29NWBK60161331926819' },
      created: { kind: 'batch', id: 'batch' },
    });
    const lost = await writes.claim(claim('lost'));
    await invoiceLines.add(lost!.position, [facts('invoice 2')]);
    await writes.loseTrack(lost!, 'GB29NWBK60161331926819 was not reached.');
    await storage.records(batchAnswers, here).put('x', { kept: 'no' } as never);
    expect(await workspaces.undecided(workspace)).toEqual(['lost']);

    await workspaces.remove(workspace);
    expect(await invoiceLines.like([facts('invoice 1'), facts('invoice 2')])).toMatchObject([
      { key: 'paid', state: 'done', batchId: 'batch', workspace, isFreed: false },
      { key: 'lost', state: 'unknown', batchId: '', workspace, isFreed: false },
    ]);
    // One that names no reference may be for the one whose outcome is unknown.
    expect(await invoiceLines.like([{ ...facts(''), sum: 'sum of invoice 2' }])).toMatchObject([{ key: 'lost' }]);
    for (const { key, fingerprint, state } of [
      { ...paid!, state: 'done' },
      { ...lost!, state: 'unknown' },
    ]) {
      expect(await writes.claim(claim(key))).toBeUndefined();
      const row = (await writes.find(here, key))!; // as just claimed in vain
      expect(row).toMatchObject({ fingerprint, state });
      expect([await writes.bodyOf(row), await writes.doneOf(row), await writes.wordsOf(row)]).toEqual([
        undefined,
        undefined,
        '',
      ]);
    }
    expect(await writes.creatorOf('batch', 'batch')).toMatchObject({ key: 'paid' });
    expect(await workspaces.count(workspace)).toMatchObject({ records: 0, writes: 2 });
    expect(await storage.workspaces.list()).toContain(workspace);
  });
});
