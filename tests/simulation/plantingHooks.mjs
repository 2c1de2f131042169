/** Hooks by which Node loads other texts instead of some files. */

/** The texts by URL. */
let texts = {};

export function initialize(data) {
  texts = data;
}

export function load(url, context, nextLoad) {
  const source = texts[url.split('?')[0]];
  return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true };
}
