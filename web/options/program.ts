/** Which words of a pasted line are the arguments of `mo`. */
import { LineError } from './split.js';
import { msg } from '@mo/wasm/msg';

export interface Call {
  /** `mo`, `mo_onnx`… */
  program: string;
  args: string[];
  /** The variables that the line sets for the command. */
  environment: Record<string, string>;
}

const MO = /^(mo(?:_(?:onnx|tf|caffe|mxnet|kaldi|paddle))?)(?:\.(?:py|js|exe|cmd|ps1))?$/i;
/** `python -m openvino.tools.mo`, and the package by its name alone. */
const MODULE = /^(?:openvino\.tools\.mo|@mo\/wasm(?:@.*)?)$/;
/** What may come before the program, beside variables: programs that call another, with their options. */
const BEFORE = /^(?:&|sudo|env|time|nohup|exec|call|npx|npm|python[\d.]*|py|node|-[a-z\d]|--(?:yes|package(?:=.*)?)?)$/i;
const VARIABLE = /^(\w+)=(.*)$/s;
/** `$ `, `me@host:~$ `, `(venv) C:\work>`, and the mark of Jupyter. */
const PROMPT = /^\s*(?:\([^()\n]*\)\s*)?(?:(?:PS\s+)?[a-z]:\\[^\n>"]*>\s*|\S*[@~]\S*[$#%]\s+|[$#%>!]\s*(?=\S))/i;
/** A model may be the first word. */
const MODEL = /\.[\w-]+$/;

/** The line without what the terminal writes before it. */
export function withoutPrompt(text: string): string {
  return text.replace(PROMPT, '');
}

/** Throws a LineError when the words call another program. */
export function callOf(words: readonly string[]): Call {
  const [first] = words;
  if (first === undefined) throw new LineError(msg`there is no command in this text`);
  const environment: Record<string, string> = {};
  const call = (program: string, index: number): Call => ({ program, args: words.slice(index), environment });
  if (first.startsWith('-')) return call('mo', 0);
  let module: Call | undefined;
  for (const [index, word] of words.entries()) {
    const program = MO.exec(bare(word))?.[1];
    const variable = VARIABLE.exec(word);
    if (program) return call(program.toLowerCase(), index + 1);
    if (module) break;
    if (MODULE.test(word)) module = call('mo', index + 1);
    else if (variable) environment[variable[1]!] = variable[2]!;
    else if (!isBefore(word)) break;
  }
  if (module) return module;
  if (MODEL.test(first)) return call('mo', 0);
  throw new LineError(msg`this is not a command line of mo: it begins with ${first}`);
}

function isBefore(word: string): boolean {
  return BEFORE.test(word) || BEFORE.test(bare(word).replace(/\.(?:exe|cmd)$/i, ''));
}

/** The name of the file of a path. */
function bare(word: string): string {
  return word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
}
