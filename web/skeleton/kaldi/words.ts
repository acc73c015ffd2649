/** What stands between the arrays of a file: config lines of nnet3 and tokens, with other names. Texts and binary files have the same. */
import type { Anonymous } from '../../report/anonymous.js';

/** What recipes call the ends of every network. */
const KEPT: ReadonlySet<string> = new Set(['input', 'ivector', 'output']);
const FUNCTIONS: ReadonlySet<string> = new Set('Append Sum Failover IfDefined Offset Scale Const ReplaceIndex Switch Round'.split(' '));
/** Keys whose values are names; of `input`, a term with names. */
const NAMES: ReadonlySet<string> = new Set(['name', 'component', 'input-node']);
const TERM = 'input';
/** Values of other keys: numbers, and words of one kind. */
const VALUE = /^(?:[-+\d.eE]{1,32}|linear|quadratic)$/;
const NUMBER = /^[-+.]?\d/;
const CONFIG = /(<Nnet3>\s)([^]*?)(?=<NumComponents>|$)/i;
const COMPONENT = /(<ComponentName>\s+)(\S+)/g;

/** Where a text has config lines: from which place on, and before which. Nothing in them is a number in binary. */
export function configIn(text: string): { readonly begin: number; readonly end: number } | undefined {
  const found = CONFIG.exec(text);
  return found ? { begin: found.index + found[1]!.length, end: found.index + found[0].length } : undefined;
}

/** The text with the names of nodes and components replaced. */
export function withoutNames(text: string, names: Anonymous): string {
  return text.replace(CONFIG, (_, head: string, lines: string) => head + lines.split('\n').map((line) => lineOf(line, names)).join('\n'))
    .replace(COMPONENT, (_, head: string, name: string) => head + nameOf(name, names));
}

const nameOf = (name: string, names: Anonymous) => (KEPT.has(name) ? name : names.name(name, 'n'));

/** A line: a word, and pairs of a key and a value, which ends where the next key begins. */
function lineOf(line: string, names: Anonymous): string {
  const [kind = '', ...pairs] = line.replace(/#.*/, '').trim().split(/\s+(?=[\w-]+\s*=)/);
  if (kind === '') return '';
  return [/^[a-z-]{1,32}$/.test(kind) ? kind : names.name(kind, 'n'), ...pairs.map((pair) => {
    const [, key, value] = /^([\w-]+)\s*=\s*([^]*)$/.exec(pair)!;
    if (NAMES.has(key!)) return `${key}=${nameOf(value!, names)}`;
    if (key === TERM) return `${key}=${termOf(value!, names)}`;
    return `${/^[a-z-]{1,32}$/.test(key!) ? key : 'key'}=${VALUE.test(value!) ? value : 'text'}`;
  })].join(' ');
}

/** A term: functions, numbers and the `t` or `x` of ReplaceIndex stay. */
function termOf(term: string, names: Anonymous): string {
  return term.replace(/[^\s(),]+/g, (word, at: number) => {
    const after = term.slice(at + word.length, at + word.length + 32);
    if (NUMBER.test(word) || (FUNCTIONS.has(word) && /^\s*\(/.test(after))) return word;
    return /^[tx]$/.test(word) && /^\s*,\s*-?\d+\s*\)/.test(after) && /,\s*$/.test(term.slice(0, at)) ? word : nameOf(word, names);
  });
}
