import type { Find, Place } from './masking.ts';
import { describesSecret, holdsNamed, isSecretName, isSentence, namesMember } from './secretNames.ts';

/*
 * Secrets by a name beside them, in JSON, also within JSON, and in objects as programs print them: a member's value, all
 * values of an object or a list under a secret's name, the second of a pair, and the value of a named object. Texts may be
 * cut or hold no JSON at all: each search begins at a name and ends with its value.
 */

/** A name in quotes with what separates it from its value, or a bare one before a quote or bracket. */
const member =
  /(?<!\\)(\\*)(["'])([\w.$ -]{1,80})\1\2\s{0,20}(?::|=>)\s{0,20}|(?<=(?:^|[{,(\n])\s{0,20})([\w.$-]{2,80})\s{0,9}:\s{0,9}(?=\\*["'[{])/g;
/** A name in quotes at the beginning of a list, or within one, with the comma after it. */
const element = /([[(,])\s{0,20}(\\*)(["'])([\w.$ -]{1,80})\2\3\s{0,20},\s{0,20}/g;
const numeral = /-?\d[\d.eE+-]*/y;
const opening = /(\\*)(["'])/y;
const colon = /\s{0,20}(?::|=>)/y;
const listEnd = /\s{0,20}(?:,\s{0,20})?[\])]/y;
/** A name of a header, by which a list of names and values in turn is known. */
const headerName = /-|^(?:authorization|cookie)$/i;

/** Up to three members that stand between a name and its value. */
const between = String.raw`(?:\\*["']?[\w-]{1,40}\\*["']?\s{0,9}:\s{0,9}(?:\\*["'][^"'\\]{0,100}\\*["']|[\w.-]{1,20})\s{0,9},\s{0,9}){0,3}`;
const nameAfter = new RegExp(
  String.raw`\s{0,9},\s{0,9}${between}\\*["']?([\w-]{1,40})\\*["']?\s{0,9}(?::|=>)\s{0,9}\\*["']([\w.$ -]{1,80})\\*["']`,
  'y',
);
/** Maximum length of a list or object that is the second of a pair. */
const longestSecond = 150;
/** Maximum number of characters between a name and the value that it names. */
const furthest = 600;

/** A string from behind its opening quote to before its closing one, and where what follows it begins. */
interface Quoted {
  from: number;
  to: number;
  after: number;
}

/**
 * Reads the string that begins at a place, if one does. In JSON within JSON as many backslashes precede its quotes as
 * those of its opening one; a string in single quotes ends with its line.
 */
export function stringAt(text: string, at: number): Quoted | undefined {
  opening.lastIndex = at;
  const [opened, slashes = '', quote = ''] = opening.exec(text) ?? [];
  if (opened === undefined) return undefined;
  const [from, depth] = [at + opened.length, slashes.length];
  const line = quote === "'" ? text.indexOf('\n', from) : -1;
  const limit = line === -1 ? text.length : line;
  for (let end = text.indexOf(quote, from); end !== -1 && end < limit; end = text.indexOf(quote, end + 1)) {
    let before = 0;
    while (end - before > from && text[end - 1 - before] === '\\') before += 1;
    if (before % (2 * depth + 2) === depth) return { from, to: end - depth, after: end + 1 };
  }
  return { from, to: limit, after: limit };
}

/** Where a value ends, and the places of the texts and numbers in it. */
interface Value {
  places: Place[];
  after: number;
}

/** The number at a place; within a text it stays as it is. */
function numberAt(text: string, at: number, isWithin: boolean): Value {
  numeral.lastIndex = at;
  if (!numeral.test(text)) return { places: [], after: at };
  return { places: [[at, numeral.lastIndex, isWithin ? undefined : 'quoted']], after: numeral.lastIndex };
}

/** The places of all texts and numbers within the brackets at a place, without names and what only describes them. */
function bracketsAt(text: string, start: number, isWithin: boolean, end: number): Value {
  const places: Place[] = [];
  let [at, depth, described] = [start, 0, false];
  do {
    const sign = text[at] ?? '';
    const string = sign === '"' || sign === "'" || sign === '\\' ? stringAt(text, at) : undefined;
    if (string) {
      colon.lastIndex = string.after;
      const isName = colon.test(text);
      if (isName) described = describesSecret(text.slice(string.from, string.to));
      else if (!described && string.from < string.to) places.push([string.from, string.to]);
      if (!isName) described = false;
      at = isName ? colon.lastIndex : string.after;
      continue;
    }
    const number = /[\d-]/.test(sign) ? numberAt(text, at, isWithin) : undefined;
    if (number && number.after > at) {
      if (!described) places.push(...number.places);
      described = false;
      at = number.after;
      continue;
    }
    if (sign === '[' || sign === '{') [depth, described] = [depth + 1, false];
    if (sign === ']' || sign === '}') depth -= 1;
    at += 1;
  } while (depth > 0 && at < end);
  return { places, after: at };
}

/** The places of the texts and numbers of the value at a place. */
function valueAt(text: string, at: number, isWithin: boolean, end = text.length): Value {
  if (text[at] === '[' || text[at] === '{') return bracketsAt(text, at, isWithin, end);
  const string = stringAt(text, at);
  if (!string) return numberAt(text, at, isWithin);
  return { places: string.from < string.to ? [[string.from, string.to]] : [], after: string.after };
}

/** Whether the object of a value says after it that it is that of a secret. */
function isNamedAfter(text: string, { after }: Quoted): boolean {
  nameAfter.lastIndex = after;
  const [, name = '', named = ''] = nameAfter.exec(text) ?? [];
  return namesMember(name) && isSecretName(named);
}

/** The values of members with a secret's name, and of objects that name one, as `{"name": "password", "value": …}`. */
const membersIn: Find = (text) => {
  const places: Place[] = [];
  /** Where the last member that names a secret ends. */
  let named = -furthest;
  member.lastIndex = 0;
  for (let found = member.exec(text); found; found = member.exec(text)) {
    const [whole, slashes = '', , quoted, bare] = found;
    const name = quoted ?? bare ?? '';
    const at = found.index + whole.length;
    const isWithin = slashes !== '';
    const take = () => {
      const value = valueAt(text, at, isWithin);
      places.push(...value.places);
      member.lastIndex = Math.max(value.after, member.lastIndex);
    };
    if (isSecretName(name)) take();
    else if (namesMember(name)) {
      const string = stringAt(text, at);
      if (string && string.to - string.from <= 80 && isSecretName(text.slice(string.from, string.to)))
        named = string.after;
    } else if (holdsNamed(name)) {
      const string = stringAt(text, at);
      const isAfter = found.index - named < furthest && !/[{}]/.test(text.slice(named, found.index));
      const isNamed = isAfter || (string && isNamedAfter(text, string));
      if (isNamed && !(string && isSentence(text.slice(string.from, string.to)))) take();
    }
  }
  return places;
};

/** The second of a pair whose first is a secret's name, and what follows a header's name in a list of names and values. */
const pairsIn: Find = (text) => {
  const places: Place[] = [];
  element.lastIndex = 0;
  for (let found = element.exec(text); found; found = element.exec(text)) {
    const [whole, before, slashes = '', , name = ''] = found;
    const at = found.index + whole.length;
    // The comma may precede the next name.
    element.lastIndex = at - 1;
    while (text[element.lastIndex] !== ',') element.lastIndex -= 1;
    if (!isSecretName(name)) continue;
    const value = valueAt(text, at, slashes !== '', Math.min(at + longestSecond, text.length));
    const [place] = value.places;
    // A list of names.
    if (place && isSecretName(text.slice(place[0], Math.min(place[1], place[0] + 80)))) continue;
    colon.lastIndex = value.after;
    listEnd.lastIndex = value.after;
    if (colon.test(text) || !((before !== ',' && listEnd.test(text)) || headerName.test(name))) continue;
    places.push(...value.places);
    element.lastIndex = value.after;
  }
  return places;
};

/** A label with its value in a form, a query, an element or YAML; what stands between two of one object. */
const labelled =
  /(?<=^|[?&\s\u0000])([\w-]{1,60})(?:=|:[ \t]{1,9})(?:"([^"\r\n<>]{0,2000})"|'([^'\r\n<>]{0,2000})'|((?<==)[^&#"'\s\\<>]+|(?<=[ \t])[^&#"'\r\n\\<>]+))/g;
const betweenLabels = /^[\s,/&-]*$/;

/** Values whose object names a secret: `<input name="token" value="…">`, `name=token&value=…`, `- name: TOKEN` with `value: …`. */
const labelledIn: Find = (text) => {
  const places: Place[] = [];
  let [labels, values, isNamed, end] = [new Set<string>(), [] as Place[], false, 0];
  const take = () => {
    if (isNamed) places.push(...values);
    [labels, values, isNamed] = [new Set(), [], false];
  };
  for (const { 0: whole, 1: label = '', 2: double, 3: single, 4: plain, index } of text.matchAll(labelled)) {
    const value = double ?? single ?? plain ?? '';
    const after = index + whole.length;
    if (labels.has(label) || !betweenLabels.test(text.slice(end, Math.min(index, end + 100)))) take();
    labels.add(label);
    isNamed ||= namesMember(label) && isSecretName(value.trim().replaceAll('+', ' '));
    if (holdsNamed(label) && value !== '' && !isSentence(value)) {
      const to = plain === undefined ? after - 1 : after;
      values.push([to - value.length, to]);
    }
    end = after;
  }
  take();
  return places;
};

/** Finds what has a secret's name beside it. */
export const namedIn: Find = (text) => [...membersIn(text), ...pairsIn(text), ...labelledIn(text)];
