import { counted } from '#rules/counted.ts';
import { printableLine } from '#rules/printable.ts';
import { UserError } from './users.ts';
import type { ListedUser, Users } from './users.ts';

/** What a command has done: its exit code, what it prints, and a file to write. */
export interface Done {
  code: number;
  printed: string;
  file?: { path: string; text: string };
}

export const usage = `Usage: npm run users -- list                       workspaces with their users, sessions and tokens
       npm run users -- show USER                  what is stored of a user
       npm run users -- tokens [USER]              tokens of programs, of one user or all
       npm run users -- revoke TOKEN-ID            revokes the token of a program
       npm run users -- sign-out USER              ends the sessions of a user
       npm run users -- export USER FILE           writes what is stored of a user, without secrets
       npm run users -- remove USER --yes          ends the sessions, revokes the tokens, deletes the data
USER is a workspace, or the user's id at the provider (sub); a name is known from the next sign-in on. Servers may run; paid invoices and keys of writes stay.
`;

/** Lines of a table whose columns are aligned; names come from users, and print nothing but themselves. */
function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printableLine));
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length))); // the heading
  return cells
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

const shownUser = ({ workspace, user, sessions, tokens }: ListedUser): string[] => [
  workspace,
  user?.name ?? '-',
  user?.subject ?? '-',
  user?.signedInAt ?? '-',
  String(sessions),
  String(tokens),
];
const headings = ['WORKSPACE', 'NAME', 'ID AT PROVIDER', 'SIGNED IN', 'SESSIONS', 'TOKENS'];

const done = (printed: string): Done => ({ code: 0, printed });

type Command = (users: Users, args: readonly string[]) => Promise<Done>;

/** Each command with the numbers of arguments that it takes. */
const commands: Readonly<Record<string, { takes: readonly number[]; run: Command }>> = {
  list: {
    takes: [0],
    run: async (users) => done(table([headings, ...(await users.list()).map(shownUser)])),
  },
  show: {
    takes: [1],
    async run(users, [user = '']) {
      const { rows, undecided, ...listed } = await users.show(user);
      const counts = Object.entries(rows).map(([name, count]) => [name, String(count)]);
      return done(
        table([headings, shownUser(listed)]) + table([['STORED', 'ROWS'], ...counts]) + ofUndecided(undecided),
      );
    },
  },
  tokens: {
    takes: [0, 1],
    async run(users, [user]) {
      const all = (await users.tokens(user)).map(({ workspace, token }) => [
        token.tokenId,
        token.name,
        workspace,
        token.madeAt,
        token.expiresAt,
        token.usedAt || 'never',
      ]);
      return done(table([['TOKEN-ID', 'NAME', 'WORKSPACE', 'MADE', 'EXPIRES', 'USED'], ...all]));
    },
  },
  revoke: {
    takes: [1],
    async run(users, [tokenId = '']) {
      await users.revoke(tokenId);
      return done('The token is revoked.\n');
    },
  },
  'sign-out': {
    takes: [1],
    run: async (users, [user = '']) =>
      done(
        `${counted(await users.signOut(user), 'session')} ended. The user's programs are paused within two minutes, until the user signs in.\n`,
      ),
  },
  export: {
    takes: [2],
    async run(users, [user = '', path = '']) {
      const text = await users.export(user);
      return { code: 0, printed: `${path}: ${Math.ceil(Buffer.byteLength(text) / 1000)} kB\n`, file: { path, text } };
    },
  },
  remove: {
    takes: [1, 2],
    async run(users, [user = '', consent]) {
      if (consent === '--yes') return done(`${await users.remove(user)} Paid invoices and keys of writes stay.\n`);
      const { rows, undecided, workspace } = await users.show(user);
      const count = rows.records + rows.settings + rows.timeline + rows.quarantine;
      return {
        code: 1,
        printed: `${workspace} has ${counted(count, 'row')} that would be deleted. ${ofUndecided(undecided)}Nothing is removed: give --yes.\n`,
      };
    },
  },
};

/** Invoices of such payments can be paid by nobody before the outcome is known. */
const ofUndecided = (count: number): string =>
  count === 0
    ? ''
    : `The outcome of ${counted(count, 'payment')} is unknown: once the user is removed, only the service's records tell it, and the invoices stay reserved.\n`;

/** Runs a command by its arguments; never rejects but with errors of the store. */
export async function runUserCommand(users: Users, [name = '', ...args]: readonly string[]): Promise<Done> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  const isOption = (arg: string, index: number) =>
    name === 'remove' && index === 1 ? arg !== '--yes' : arg.startsWith('-');
  if (!command?.takes.includes(args.length) || args.some(isOption)) return { code: 2, printed: usage };
  try {
    return await command.run(users, args);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { code: 1, printed: `${error.message}\n` };
  }
}
