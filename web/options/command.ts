/** The command that does what the form says. */
import { isSwitch, type Given } from './options.js';
import { quote, quoteFile, type Shell } from './quote.js';

/** The program that is called: the package from the registry, or a `mo` that is installed. */
export type Caller = 'npx' | 'mo';

/** In parts that are not broken across lines. What is at its default on the command line is left out. */
export function commandLine(caller: Caller, files: readonly string[], given: readonly Given[], extensions: readonly string[], shell: Shell): string[] {
  const program = caller === 'npx' ? ['npx', quote('@mo/wasm', shell)] : ['mo'];
  const parts = [...program, ...files.map((file) => quoteFile(file, shell)), ...given.map((one) => option(one, shell))];
  if (extensions.length > 0) parts.push(`--extensions ${quote(extensions.join(','), shell)}`);
  return parts;
}

function option({ row, value }: Given, shell: Shell): string {
  const name = `--${row.name}`;
  if (isSwitch(row)) return value === 'True' ? name : `${name}=False`;
  // A separate word that begins with a hyphen would be an option.
  return value.startsWith('-') ? quote(`${name}=${value}`, shell) : `${name} ${quote(value, shell)}`;
}
