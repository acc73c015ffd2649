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

const MO = /^(mo(?:_(?:onnx|tf|caffe|mxnet|kaldi|paddle))?|ovc)(?:\.(?:py|js|exe|cmd|ps1))?$/i;
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
    if (program?.toLowerCase() === 'ovc') return { program: 'mo', args: ofOvc(words.slice(index + 1)), environment };
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

/** The arguments of `ovc`, which has names of its own for the pair that it writes and for extensions. */
function ofOvc(args: readonly string[]): string[] {
  const out: string[] = [];
  for (let at = 0; at < args.length; ++at) {
    const [, name, joined] = /^--(\w[\w-]*)(?:=(.*))?$/s.exec(args[at]!) ?? [];
    if (name === 'verbose') continue;
    const own = name === 'output_model' || name === 'output-model' || name === 'extension';
    const value = own ? (joined ?? args[++at]) : undefined;
    if (value === undefined) out.push(args[at] ?? '');
    else if (name === 'extension') out.push(`--extensions=${value}`);
    else out.push(...outputModel(value).map((part) => `--${part.name}=${part.value}`));
  }
  return out.filter((word) => word !== '');
}

/** `out/net.xml` as a folder and a name. */
export function outputModel(path: string): { name: string; value: string }[] {
  const [, folder, file] = /^(.*?)[/\\]?([^/\\]*)$/s.exec(path)!;
  const name = file!.replace(/\.xml$/i, '');
  return [...(folder === '' ? [] : [{ name: 'output_dir', value: folder! }]), ...(name === '' ? [] : [{ name: 'model_name', value: name }])];
}

function isBefore(word: string): boolean {
  return BEFORE.test(word) || BEFORE.test(bare(word).replace(/\.(?:exe|cmd)$/i, ''));
}

/** The name of the file of a path. */
function bare(word: string): string {
  return word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
}
