/** Words of command lines as shells write and read them, and which of them are for `mo`. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { callOf, withoutPrompt } from '../../web/options/program.js';
import { quote, quoteFile, type Shell } from '../../web/options/quote.js';
import { guessShell, LineError, split } from '../../web/options/split.js';
import { temporaryFolder } from './support.js';

const SHELLS: Shell[] = ['posix', 'cmd', 'powershell'];
const wordsOf = (text: string, shell: Shell) => split(text, shell).words;

/** What models, nodes and folders are called, and what is written about them. */
const WORDS = [
  'model.onnx', '[1,3,224,224]', '[1,3,224,224],[1,?]', 'a b', '', "it's", "''", '"', 'say "hi"', '""', 'a\\', 'C:\\Program Files\\net\\', '\\\\server\\share\\',
  '\\"', 'a\\\\"b', '$HOME', '`date`', '$(rm -rf /)', '%PATH%', '100%', '50%"', '%%', '^', 'a^b', '!x!', 'in->1.5', 'sr->16000', '0:node', 'a|b&c', '(x)', '{f32}', 'x{f32}',
  '#1', '~', '*.onnx', 'ä ö', '\u2019', '日本', '-', '--x', '-1', 'a;b', '<script>', "\\'", '@mo/wasm', 'LowLatency2[use_const_initializer=False]', ',', '=', '1..8', '\\n',
];

describe.each(SHELLS)('%s', (shell) => {
  it.each(WORDS.map((word) => [word]))('gives back %j', (word) => {
    expect(wordsOf(`mo ${quote(word, shell)} end`, shell)).toEqual(['mo', word, 'end']);
  });

  it('gives back all of them in one line', () => {
    expect(wordsOf(WORDS.map((word) => quote(word, shell)).join(' '), shell)).toEqual(WORDS);
  });

  it('needs no quotation marks for plain words', () => {
    for (const word of ['model.onnx', 'mo', 'ir/out', '--input_shape']) expect(quote(word, shell)).toBe(word);
  });
});

describe('what is quoted', () => {
  it.each<[shell: Shell, word: string, quoted: string]>([
    ['posix', "it's", `'it'\\''s'`],
    ['posix', '[1,3]', `'[1,3]'`],
    ['cmd', '[1,3]', '"[1,3]"'],
    ['cmd', 'in->1', '"in->1"'],
    ['cmd', 'say "hi" & go', '"say ""hi"" & go"'],
    ['cmd', 'a b\\', '"a b\\\\"'],
    ['cmd', '100%', '"100"^%""'],
    ['powershell', '$x', `'$x'`],
    ['powershell', "it's", `'it''s'`],
    ['powershell', '@mo/wasm', `'@mo/wasm'`],
    ['powershell', '--a.b', `'--a.b'`],
  ])('for %s: %j', (shell, word, quoted) => expect(quote(word, shell)).toBe(quoted));

  it('comes through a real shell unchanged', () => {
    const line = ['-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', '--', ...WORDS].map((word) => quote(word, 'posix')).join(' ');
    for (const shell of ['sh', 'bash'])
      expect(JSON.parse(spawnSync(shell, ['-c', `'${process.execPath}' ${line}`], { encoding: 'utf8' }).stdout)).toEqual(WORDS);
  });

  it.each<[shell: Shell, word: string, quoted: string]>([
    ['posix', '=ls', `'=ls'`],
    ['posix', 'a\x1b[2Jb', `a$'\\x1b''[2Jb'`],
    ['posix', 'a\nrm -rf ~\n', `a$'\\x0a''rm -rf ~'$'\\x0a'`],
    ['posix', "\u202eit's\u{e0041}", `$'\\u202e''it'\\''s'$'\\U000e0041'`],
    ['cmd', 'a\ncalc.exe&\u202e', '"a\ufffdcalc.exe&\ufffd"'],
    ['powershell', 'a\x03"$(calc)`\u201d', '"a$([char]0x3)`"`$(calc)```\u201d"'],
    ['powershell', '\u{e0041}', '"$([char]::ConvertFromUtf32(0xe0041))"'],
  ])('has no control characters for %s: %j', (shell, word, quoted) => expect(quote(word, shell)).toBe(quoted));

  it('runs nothing in a real shell', () => {
    // All characters of ASCII but the end of a text, each before something that would run, and what turns the direction of a text.
    const all = [...Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1)), '\x85', '\u2028', '\u202e', '\u2066', '\ufeff', '\u{e0041}'];
    const folder = temporaryFolder();
    const words = [...all.map((character) => `a${character}$(touch ${folder}/x)${character}`), all.join('`touch x`'), `!touch x!!`, '=touch', 'a\n\ntouch x\n'];
    const line = ['-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', '--', ...words].map((word) => quote(word, 'posix')).join(' ');
    expect(line).not.toMatch(/[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u206f\ufeff]/);
    // As in a terminal, in which the shell replaces what has been typed before.
    const script = `set -o history -o histexpand\ntouch y\n'${process.execPath}' ${line}\n`;
    const { stdout } = spawnSync('bash', ['--norc'], { encoding: 'utf8', input: script, cwd: folder, env: { ...process.env, LC_ALL: 'C.UTF-8' } });
    expect(JSON.parse(stdout)).toEqual(words);
    expect(readdirSync(folder)).toEqual(['y']);
  });

  it('of files that look like options is a path', () => {
    expect(quoteFile('-x.onnx', 'posix')).toBe('./-x.onnx');
    expect(quoteFile('-', 'cmd')).toBe('./-');
    expect(quoteFile('a b.onnx', 'cmd')).toBe('"a b.onnx"');
  });
});

describe('a pasted text', () => {
  it.each<[shell: Shell, text: string, words: string[]]>([
    ['posix', 'mo a.onnx  -b\t1 ', ['mo', 'a.onnx', '-b', '1']],
    ['posix', 'mo a.onnx \\\n  --batch 1 \\\r\n  -n x', ['mo', 'a.onnx', '--batch', '1', '-n', 'x']],
    ['posix', 'mo a.onnx \\  \n -b 1', ['mo', 'a.onnx', '-b', '1']],
    ['posix', 'mo a.onnx\n  --batch 1', ['mo', 'a.onnx', '--batch', '1']],
    ['posix', 'mo "a b.onnx" --input=\'x y\'', ['mo', 'a b.onnx', '--input=x y']],
    ['posix', 'mo a\\ b.onnx "c\\"d" "e\\f" "g\\\\h"', ['mo', 'a b.onnx', 'c"d', 'e\\f', 'g\\h']],
    ['posix', `mo 'a'"b"c ''`, ['mo', 'abc', '']],
    ['posix', 'mo "a\\\nb"', ['mo', 'ab']],
    ['posix', `mo -n $'tab\\tx' $'it\\'s' a$'\\x41\\u00e4\\U0001F600\\101\\q'b $x`, ['mo', '-n', 'tab\tx', "it's", 'aA\u00e4\u{1F600}A\\qb', '$x']],
    ['posix', 'mo x --input sr->16000', ['mo', 'x', '--input', 'sr->16000']],
    ['posix', 'mo a#b # comment', ['mo', 'a#b']],
    ['cmd', 'mo C:\\m\\a.onnx --input "x y"', ['mo', 'C:\\m\\a.onnx', '--input', 'x y']],
    ['cmd', 'mo a.onnx ^\n --batch 1 ^\r\n -n x', ['mo', 'a.onnx', '--batch', '1', '-n', 'x']],
    ['cmd', 'mo a^&b "c^d" e^^f', ['mo', 'a&b', 'c^d', 'e^f']],
    ['cmd', 'mo "C:\\a b\\\\" "x""y" \\"z\\" "p\\"q" it\'s', ['mo', 'C:\\a b\\', 'x"y', '"z"', 'p"q', "it's"]],
    ['cmd', 'mo a;b', ['mo', 'a;b']],
    ['powershell', "mo 'C:\\a b\\' \"$x `\"y`\"\" 'it''s'", ['mo', 'C:\\a b\\', '$x "y"', "it's"]],
    ['powershell', 'mo a.onnx `\n --batch 1', ['mo', 'a.onnx', '--batch', '1']],
    ['powershell', '& "C:\\a b\\mo.exe" a.onnx', ['C:\\a b\\mo.exe', 'a.onnx']],
    ['cmd', 'mo C:\\m\\a.onnx \\\r\n --batch 1 \\\n -n x', ['mo', 'C:\\m\\a.onnx', '--batch', '1', '-n', 'x']],
    ['posix', 'mo a.onnx\\', ['mo', 'a.onnx']],
  ])('of %s is split: %j', (shell, text, words) => expect(split(text, shell)).toMatchObject({ words }));

  it.each<[text: string, words: string[], rest: string]>([
    ['mo a.onnx && echo done', ['mo', 'a.onnx'], '&& echo done'],
    ['mo a.onnx | tee log', ['mo', 'a.onnx'], '| tee log'],
    ['mo a.onnx 2>&1', ['mo', 'a.onnx'], '>&1'],
    ['mo a.onnx > log', ['mo', 'a.onnx'], '> log'],
    ['mo - < a.onnx', ['mo', '-'], '< a.onnx'],
    ['mo a.onnx; ls', ['mo', 'a.onnx'], '; ls'],
    ['mo a.onnx\nmo b.onnx', ['mo', 'a.onnx'], 'mo b.onnx'],
  ])('ends with its first command: %j', (text, words, rest) => expect(split(text, 'posix')).toEqual({ words, rest }));

  it.each([['posix', "mo 'a"], ['posix', 'mo "a'], ['posix', 'mo "a\\"'], ['posix', "mo $'a\\'"], ['cmd', 'mo "a'], ['powershell', "mo 'a''"]] as const)(
    'of %s with an open quotation mark is none: %s', (shell, text) => expect(() => split(text, shell)).toThrow(LineError));

  it.each<[text: string, shell: Shell]>([
    ['mo model.onnx', 'posix'],
    ['mo a.onnx \\\n -b 1', 'posix'],
    ["mo '[1,3]' a\\ b", 'posix'],
    ["mo 'a\\b' x", 'posix'],
    ['mo C:\\m\\a.onnx', 'cmd'],
    ['mo models\\a.onnx --input "x"', 'cmd'],
    ['C:\\work> mo a.onnx', 'cmd'],
    ['mo a.onnx ^\n -b 1', 'cmd'],
    ['mo "100"^%""', 'cmd'],
    ['mo a.onnx `\n -b 1', 'powershell'],
    ['PS C:\\work> mo a.onnx', 'powershell'],
    ['& "C:\\a b\\mo.exe" a.onnx', 'powershell'],
    ["mo models\\a.onnx --input 'x y'", 'powershell'],
    ["mo 'it''s'", 'powershell'],
    ["mo 'it'\\''s'", 'posix'],
    ["mo --input '' --output=''", 'posix'],
  ])('is taken for what it was written for: %j', (text, shell) => expect(guessShell(text)).toBe(shell));
});

describe('the program', () => {
  it.each<[text: string, program: string]>([
    ['mo a.onnx', 'mo'],
    ['$ mo a.onnx', 'mo'],
    ['$mo a.onnx', 'mo'],
    ['!mo a.onnx', 'mo'],
    ['me@host:~/models$ mo a.onnx', 'mo'],
    ['root@box:/work# mo_onnx a.onnx', 'mo_onnx'],
    ['(venv) me@host:~$ mo a.onnx', 'mo'],
    ['C:\\Program Files>mo a.onnx', 'mo'],
    ['(venv) PS C:\\work> mo a.onnx', 'mo'],
    ['./build/native/mo a.onnx', 'mo'],
    ['C:/tools/mo.exe a.onnx', 'mo'],
    ['mo_tf.py a.onnx', 'mo_tf'],
    ['python mo.py a.onnx', 'mo'],
    ['python3.8 /opt/intel/openvino/deployment_tools/model_optimizer/mo_onnx.py a.onnx', 'mo_onnx'],
    ['python -m openvino.tools.mo a.onnx', 'mo'],
    ['C:/Python38/python.exe mo.py a.onnx', 'mo'],
    ['CUDA_VISIBLE_DEVICES= sudo -E mo a.onnx', 'mo'],
    ['npx -p @mo/wasm mo a.onnx', 'mo'],
    ['npx --yes --package=@mo/wasm@1 -- mo_onnx a.onnx', 'mo_onnx'],
    ['npx @mo/wasm a.onnx', 'mo'],
    ['a.onnx', 'mo'],
  ])('of %j is %s', (text, program) => {
    const { words } = split(withoutPrompt(text), 'posix');
    expect(callOf(words)).toMatchObject({ program, args: ['a.onnx'] });
  });

  it('may be left out', () => {
    expect(callOf(['-n', 'mo', 'a.onnx'])).toEqual({ program: 'mo', args: ['-n', 'mo', 'a.onnx'], environment: {} });
    expect(callOf(['a.onnx', '-n', 'mo'])).toEqual({ program: 'mo', args: ['a.onnx', '-n', 'mo'], environment: {} });
  });

  it('knows the variables that are set for the command', () => {
    expect(callOf(['env', 'MO_DISABLED_TRANSFORMS=Fusing,a=b', 'X=', 'python', '-m', 'mo', 'a.onnx', 'Y=1']))
      .toEqual({ program: 'mo', args: ['a.onnx', 'Y=1'], environment: { MO_DISABLED_TRANSFORMS: 'Fusing,a=b', X: '' } });
  });

  it.each([[['ls', '-l']], [['python', 'train.py']], [[]]])('is another one, or none: %j', (words) =>
    expect(() => callOf(words)).toThrow(LineError));
});
