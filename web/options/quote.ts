/** Words of a command line, as shells want them written. */
import { hasUnsafe } from '@mo/wasm/printable';

/** `posix` is sh, bash and zsh; `cmd` and `powershell` are the shells of Windows. */
export type Shell = 'posix' | 'cmd' | 'powershell';

const PLAIN: Record<Shell, RegExp> = {
  // zsh replaces a word that begins with an equals sign.
  posix: /^[\w./:@+-][\w./:=@+-]*$/,
  cmd: /^[\w./\\:@+-]+$/,
  powershell: /^(?:[\w/\\][\w./\\:-]*|--?\w+)$/,
};

/**
 * The word in such a form that the shell gives it to the program unchanged. Characters that would control the terminal into which the
 * command is pasted, as in the name of a file, are written as escapes; cmd has none for them.
 */
export function quote(word: string, shell: Shell): string {
  if (PLAIN[shell].test(word)) return word;
  return hasUnsafe(word) ? ESCAPES[shell](word) : QUOTES[shell](word);
}

/** A file's name: one that begins with a hyphen would be an option, and a hyphen alone the standard input. */
export function quoteFile(name: string, shell: Shell): string {
  return quote(name.startsWith('-') ? `./${name}` : name, shell);
}

const QUOTES: Record<Shell, (word: string) => string> = {
  posix: (word) => `'${word.replaceAll("'", `'\\''`)}'`,
  // Programs read "" as a quotation mark, and backslashes before a mark by pairs. cmd replaces %NAME% within quotation marks,
  // too, but there is no name that ends with a caret.
  cmd: (word) => `"${word.replace(/(\\*)"/g, '$1$1""').replace(/\\+$/, '$&$&').replaceAll('%', '"^%"')}"`,
  // Typographic quotation marks end a text as well.
  powershell: (word) => `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`,
};

const codeOf = (character: string, digits: number): string => character.codePointAt(0)!.toString(16).padStart(digits, '0');

const ESCAPES: Record<Shell, (word: string) => string> = {
  posix: (word) => pieces(word).map((piece) => (hasUnsafe(piece) ? `$'${[...piece].map(inBash).join('')}'` : quote(piece, 'posix'))).join(''),
  cmd: (word) => QUOTES.cmd([...word].map((character) => (hasUnsafe(character) ? '\ufffd' : character)).join('')),
  powershell: (word) => `"${[...word].map(inPowerShell).join('')}"`,
};

/** Pieces with unsafe characters only, or with none. */
function pieces(word: string): string[] {
  const out: string[] = [];
  let last: boolean | undefined;
  for (const character of word) {
    const unsafe = hasUnsafe(character);
    if (unsafe === last) out[out.length - 1] += character;
    else out.push(character);
    last = unsafe;
  }
  return out;
}

function inBash(character: string): string {
  if (character.codePointAt(0)! > 0xffff) return `\\U${codeOf(character, 8)}`;
  return character > '\x7f' ? `\\u${codeOf(character, 4)}` : `\\x${codeOf(character, 2)}`;
}

function inPowerShell(character: string): string {
  if (!hasUnsafe(character)) return /["$`\u201c-\u201e]/.test(character) ? `\`${character}` : character;
  return character.codePointAt(0)! > 0xffff ? `$([char]::ConvertFromUtf32(0x${codeOf(character, 1)}))` : `$([char]0x${codeOf(character, 1)})`;
}
