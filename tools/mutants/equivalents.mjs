/** An expression as if all that it reads were there. */
const withoutQuestions = (text) => text.replaceAll('?.[', '[').replaceAll('?.', '.');

/**
 * Mutants of the machines that change nothing that can be observed: of an original text (`from`) and its replacement
 * (`to`) on a source line (`line`) of a `file`. README.md gives the reasons in the same words.
 */
export const equivalents = [
  {
    mutant: '`event.type` not asked for, another value where it is none of them',
    why: 'asked for the types only: the chart runs it for no other event',
    is: ({ from, to, line }) =>
      (/^event\.type [!=]== '[\w.]+'$/.test(from) && to === String(from.includes('==='))) ||
      (/event\.type [!=]== '/.test(line) && /^(''|\[\])$/.test(from)),
  },
  {
    mutant: 'another list, text or flag in the first `context`',
    why: 'nobody sees it before it is loaded or chosen',
    is: ({ file, from, to, line }) =>
      /(machine|chart|choices|form|answer)\.ts$/.test(file) &&
      /^\s*\w+: (''|\[\]|false),?$/.test(line) &&
      (/^(''|\[\])$/.test(from) || (from === 'false' && to === 'true')),
  },
  {
    mutant: '`?.` without `?`, another text or list behind `??`',
    why: 'what it reads is there whenever the state is entered; the types do not know it',
    is: ({ from, to, line }) =>
      (from.includes('?.') && withoutQuestions(from) === withoutQuestions(to)) ||
      (/Stryker was here/.test(to) && /\?\? (''|\[\])/.test(line) && /^(''|\[\])$/.test(from)),
  },
  {
    mutant: 'no `description` in an object that holds nothing else',
    why: 'words for people; where all words of an event are missing, a test fails',
    is: ({ from, to, line }) => to === '{}' && !line.includes('meta:') && /^\{ description: [^,]*,? \}$/.test(from),
  },
  {
    mutant: 'an empty `default:`',
    why: 'no other event leads there; the types ask for it',
    is: ({ from, to }) => /^default:/.test(from) && to.trim() === 'default:',
  },
  {
    mutant: 'small letters for capitals in `plain`',
    why: 'both texts that are compared are written the same way',
    is: ({ from, to }) => from.replace('toUpperCase', 'toLowerCase') === to,
  },
  {
    mutant: 'another text for a kind',
    why: "only `'file'` and `'bank'` are asked for",
    is: ({ from }) => /^'(electronic|form)'$/.test(from),
  },
  {
    mutant: "another text for `externalId: ''` in payment.ts",
    why: 'the line takes it out again',
    is: ({ line }) => line.trim() === "externalId: '',",
  },
  {
    mutant: "another text for `'/'` behind `??` and `?:`",
    why: 'the way back and the next step are there whenever they are asked for',
    is: ({ from, line }) => from === "'/'" && /^\s*go(Back|Next): emit/.test(line),
  },
  {
    mutant: 'another `id`',
    why: 'it has no page; its id names it in tables',
    is: ({ line }) => /^id: '(console|message|approval)',$/.test(line.trim()),
  },
  {
    mutant: 'another event of the timer in poll.ts',
    why: 'its receiver takes every event for a tick',
    is: ({ from, line }) =>
      /^(\{ type: 'poll\.tick' \}|'poll\.tick')$/.test(from) && line.includes('scheduler.schedule('),
  },
  {
    mutant: '`woken = true` at the start of a poll',
    why: 'the first request sets it before it is asked for',
    is: ({ line }) => line.trim() === 'let woken = false;',
  },
  {
    mutant: 'a request for a message that was sent before',
    why: 'a conversation that begins with an id sends nothing',
    is: ({ from, to }) => from === "messageId === ''" && to === 'true',
  },
];
