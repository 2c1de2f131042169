/** What a room may have. */
interface Room {
  lines: number;
  files: number;
  /** Why the row was raised, and what was deleted for it elsewhere. */
  raised?: string;
}

/**
 * The most lines and files of each room. Rooms only fall: what is added names what it deletes, and who raises a row says why in
 * it. A row follows when its room has fallen by more than a tenth.
 */
export const rooms: Readonly<Record<string, Room>> = {
  server: { lines: 1050, files: 16 },
  'server/api': {
    lines: 2560,
    files: 26,
    raised:
      'The test that is made of a recorded write; two joins of kept entries became one. Examples of operations, sent to the sandbox, whose ids are counted (18 lines).',
  },
  'server/auth': { lines: 1350, files: 13 },
  'server/calls': { lines: 650, files: 8, raised: 'The fingerprint of a large body, taken in parts (40 lines).' },
  'server/companies': { lines: 1750, files: 21 },
  'server/config': { lines: 850, files: 8 },
  'server/description': { lines: 300, files: 5 },
  'server/drift': { lines: 900, files: 11 },
  'server/embedded': { lines: 200, files: 4 },
  'server/http': {
    lines: 2500,
    files: 35,
    raised: 'The reading of a call by its declaration (79 lines) came from server/api, whose row fell by as much.',
  },
  'server/messages': { lines: 850, files: 10 },
  'server/ops': { lines: 2250, files: 25 },
  'server/payments': {
    lines: 821,
    files: 8,
    raised:
      'A return that a reading has told stays; one that a webhook tells, also if the reading is refused (15 lines).',
  },
  'server/programs': {
    lines: 3746,
    files: 29,
    raised:
      'The line that printed a secret; the run that is wrong; earlier verdicts. Two checks of what came back, and what a program could know of it (110 lines). The checks of retries in a file of their own. The call that a run waited for, and invoices that are equal (19 lines). Why three checks show nothing of a program that fails anyway (9 lines).',
  },
  'server/sandbox': {
    lines: 9640,
    files: 107,
    raised: 'What becomes of one payment after it was paid (130 lines); the return of a whole batch and its step went.',
  },
  'server/situations': { lines: 550, files: 7 },
  'server/storage': { lines: 4900, files: 36 },
  'server/timeline': {
    lines: 1800,
    files: 17,
    raised:
      'The nine files of collections of calls (710 lines) came from src/rules, whose row fell by 800. A test of a recorded write, and the calls that it needs (320 lines).',
  },
  'server/upstream': {
    lines: 4450,
    files: 38,
    raised:
      'The members of a payment that is held or came back (9 lines); nothing else says them. A request by the credentials that its operation asks for, in a file of its own; three examples of bodies.',
  },
  'server/verify': {
    lines: 4735,
    files: 43,
    raised:
      'The clock of Node, Python and Perl that is set on (100 lines) and three scenarios of kills with eight faults; the file of local days went, and one way of killing in place of two. Three scenarios after a payment was paid, less what those of kills repeated (50 lines). How long the machine stood still, and the scenario that runs again (130 lines). What did not arise in each scenario (43 lines). A clock past any weekend (3 lines). A kill after a webhook (14 lines). Why no return is judged at another service (3 lines).',
  },
  'server/webhooks': { lines: 700, files: 6 },
  'server/writes': { lines: 800, files: 8 },
  'src/app': {
    lines: 19290,
    files: 232,
    raised:
      'The plots of the home page and of the timeline; the list of the last calls went from the finished home page. “Connect your program”, and code in each language that reads its secrets; the link to the credentials on the sandbox’s page went. A test of a recorded write; what was downloaded. Webhooks by type and result, several and compared. What belongs to an opened entry, in tabs; the copying of a call as code went into one; the filter of an opened session. Webhooks that are late, and what came back, in history and list. Examples of operations that are sent; the folded example of a body went. Places of records that are read.',
  },
  'src/command': { lines: 1950, files: 18 },
  'src/contract': {
    lines: 5729,
    files: 58,
    raised:
      'The filter of the timeline by time and failure, and the purposes of calls in their rows. Names of secrets after other names. How a payment comes back (60 lines): a payment alone, where it was a whole batch. The shape of an example that is sent; whose a user token is.',
  },
  'src/machines': { lines: 10150, files: 76 },
  'src/rules': {
    lines: 4974,
    files: 69,
    raised:
      'What the plots show of entries: traffic, waterfall, durations. Which failed reads are repeated came from src/ui. Which writes a test repeats. What is said of a payment that came back (80 lines); three tables of words for outcomes became one. Examples of the description’s bodies. Which webhooks are late, and what an entry of the timeline tells (95 lines). What an example needs to be sent (79 lines); names of countries.',
  },
  'src/runner': { lines: 1650, files: 11 },
  'src/steps': {
    lines: 6104,
    files: 70,
    raised:
      'Providers and templates as cards (220 lines), which also choose a provider. What a user token is for, until when; first pages, whose introductions went. Why a payment came back. Countries by name.',
  },
  'src/ui': {
    lines: 5511,
    files: 68,
    raised:
      'The room of plots: histories to scale, amounts by outcome, calls, latencies, webhooks, waterfall, the life of a token. The drawings of first pages; the name and status of a result went from its card. What is masked in records, and files that are saved. The badge of a status. The height of trees in low windows.',
  },
  'tests/accidents': { lines: 2150, files: 19 },
  'tests/app': {
    lines: 8635,
    files: 60,
    raised:
      '“Connect your program”: reveals, copies, a live service. The strip of traffic and the amounts of batches. The repeats of failed reads came from tests/ui. Any address of the timeline. Webhooks that are chosen, and keys. An opened entry and its key; a session that is filtered; verdicts over time. The history after the end. Examples of operations.',
  },
  'tests/architecture': { lines: 1432, files: 19, raised: 'Reasons of the rows that the plots have raised.' },
  'tests/browser': {
    lines: 4740,
    files: 33,
    raised: 'A payment that comes back; the layout shift of home (110 lines). The shift of both widths and of a batch.',
  },
  'tests/command': { lines: 1400, files: 9 },
  'tests/contract': {
    lines: 1050,
    files: 10,
    raised:
      'The table of what is masked has each notation of src/contract/secretTables.ts and each escape of a JWT, and what stands between a name and its value (49 rows).',
  },
  'tests/deploy': { lines: 1200, files: 10 },
  'tests/machines': { lines: 8595, files: 77 },
  'tests/paths': { lines: 2150, files: 18 },
  'tests/rules': {
    lines: 2717,
    files: 38,
    raised: 'What the plots show of entries. Late webhooks; returns in each form. Names of countries.',
  },
  'tests/sandbox': {
    lines: 7480,
    files: 38,
    raised:
      'Payments that are held or come back: how each is told, the printed example, charges, earlier rules. Callers that have gone.',
  },
  'tests/scripts': {
    lines: 1045,
    files: 11,
    raised:
      'Commands that npm starts are ended with it (endings.long), also in the moment of their start; the same of `simulate` alone left. Each fault compiles by the types of the package, for which 40 lines left tests/sandbox.',
  },
  'tests/server': {
    lines: 400,
    files: 6,
    raised: 'The test of the file of a report came from tests/scripts, whose row fell by as much.',
  },
  'tests/server/api': {
    lines: 2296,
    files: 13,
    raised: 'Which secret a program’s environment gives to whom. Examples, sent once. Pages of proxies.',
  },
  'tests/server/auth': { lines: 1250, files: 7 },
  'tests/server/calls': { lines: 763, files: 4, raised: 'How long a key lives. Refusals of a copy.' },
  'tests/server/companies': { lines: 1694, files: 7 },
  'tests/server/config': { lines: 950, files: 3 },
  'tests/server/description': { lines: 450, files: 3 },
  'tests/server/drift': { lines: 1000, files: 3 },
  'tests/server/embedded': { lines: 100, files: 2 },
  'tests/server/endToEnd': { lines: 2140, files: 15 },
  'tests/server/http': { lines: 2686, files: 17 },
  'tests/server/messages': { lines: 819, files: 6 },
  'tests/server/ops': { lines: 2775, files: 12 },
  'tests/server/payments': {
    lines: 3456,
    files: 22,
    raised: 'Mutants that nothing found: reasons, notes, invoices, files. A key’s age after a kill.',
  },
  'tests/server/programs': {
    lines: 3396,
    files: 16,
    raised: 'The checks of what came back. Runs that wait for a body, and equal invoices.',
  },
  'tests/server/storage': {
    lines: 2754,
    files: 19,
    raised: 'Selects that are compiled once have a test of their own.',
  },
  'tests/server/timeline': {
    lines: 1900,
    files: 9,
    raised: 'The filter by time and failure, and brief entries. Tests made of recorded writes, which run.',
  },
  'tests/server/upstream': { lines: 2503, files: 11, raised: 'Refused readings of a proxy (wire 4.9).' },
  'tests/server/verify': { lines: 2344, files: 13, raised: 'What came back or did not arise; standstills; clocks.' },
  'tests/server/webhooks': {
    lines: 715,
    files: 4,
    raised: 'Late webhooks, also of batches that left the list; returns of batches that cannot be read (100 lines).',
  },
  'tests/server/writes': {
    lines: 1250,
    files: 7,
    raised: 'The spellings of an invoice came from tests/server/payments; the longest turn beside a large batch.',
  },
  'tests/simulation': {
    lines: 6655,
    files: 66,
    raised:
      'Returns, holds and late webhooks; worlds on banking days; worlds on all cores (30 lines); rests; parties’ owners.',
  },
  'tests/specification': { lines: 1650, files: 14 },
  'tests/steps': { lines: 3350, files: 24, raised: 'The cards of definitions, and payments without a status.' },
  'tests/support': { lines: 8033, files: 110, raised: 'The login among the facts.' },
  'tests/tools': { lines: 250, files: 3 },
  'tests/ui': { lines: 1750, files: 11, raised: 'The geometry of the plots.' },
};
