/** The files that options ask for beside the pair. */
import type { ResultFile } from './api.js';
import { checkScript } from './check-script.js';
import type { CoreFile } from './core.js';

/** The file for TensorBoard and one of parameters are made of the model's own bytes; all others are texts. */
export const isText = (file: CoreFile): file is CoreFile<ResultFile['kind']> => file.kind !== 'events' && file.kind !== 'parameters';

/** Such a file with its text. Of a check the core has the facts; `model` is the model's path as given, `-` for the standard input. */
export function textFile({ kind, name, text }: CoreFile<ResultFile['kind']>, model: string): ResultFile {
  const content = new TextDecoder().decode(text);
  return { kind, name, text: kind === 'check' ? checkScript(content, model) : content };
}

/** Those of a result that have texts. */
export function textFiles(files: readonly CoreFile[], model: string): ResultFile[] {
  return files.filter(isText).map((file) => textFile(file, model));
}
