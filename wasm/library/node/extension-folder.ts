import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { ExtensionRoot } from '../../extension/load/loader.js';
import { isModule } from '../../extension/load/modules.js';
import { areGiven, modulesOf } from '../shared/given.js';
import { message, MoError } from '../shared/messages.js';
import { msg, withDetail, type Template } from '../shared/msg.js';
import { reason } from './reason.js';

/** Extensions in Node: a folder, several, or the texts of modules by path (`{ 'front/onnx/mish.js': '…' }`). */
export type Extensions = string | URL | readonly (string | URL)[] | Readonly<Record<string, string>>;

const NAMELESS = 'extension';

/** @throws {MoError} when a folder cannot be read, or its extensions are not in JavaScript. */
export function readExtensions(extensions: Extensions | undefined): ExtensionRoot[] {
  if (typeof extensions === 'string' || extensions instanceof URL) return [readFolder(extensions)];
  if (!areGiven(extensions)) return [];
  if (Array.isArray(extensions)) return (extensions as readonly (string | URL)[]).map(readFolder);
  const files = modulesOf(extensions);
  return files.length > 0 ? [{ name: NAMELESS, files }] : [];
}

function readFolder(folder: string | URL): ExtensionRoot {
  const root = resolve(folder instanceof URL ? fileURLToPath(folder) : folder);
  if (/\.(so|dll|dylib)$/.test(root)) throw notJavaScript(folder, msg`is a library`);
  if (root.endsWith('.py')) throw notJavaScript(folder, msg`is a Python file`);
  const files = filesIn(root, folder);
  if (files.some(([path]) => path.endsWith('.py')) && !files.some(([path]) => isModule(path))) throw notJavaScript(folder, msg`has Python files and no modules`);
  return { name: basename(root), files };
}

/** The modules with their texts. What looks like one, too, and is not read, has an empty text: the loader names it. */
function filesIn(root: string, folder: string | URL): [path: string, text: string][] {
  try {
    if (!statSync(root).isDirectory()) throw new Error('Not a directory');
    const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => wanted(root, path)).sort();
    return paths.map((path) => [path.split(sep).join('/'), isModule(path) ? readFileSync(join(root, path), 'utf8') : '']);
  } catch (error) {
    throw refusal('MO4011', withDetail('the extensions cannot be read', msg`"${String(folder)}": ${reason(error)}`), 'check the path');
  }
}

/** Scripts of JavaScript, TypeScript and Python, except those of installed packages. */
function wanted(root: string, path: string): boolean {
  const parts = path.split(sep);
  if (!/\.([cm]?[jt]s|[jt]sx|py)$/.test(path) || parts.includes('node_modules') || parts.some((part) => part.startsWith('.'))) return false;
  return statSync(join(root, path)).isFile();
}

function notJavaScript(folder: string | URL, what: Template): MoError {
  return refusal('MO4012', withDetail('extensions are JavaScript modules', msg`"${String(folder)}" ${what}`),
    'docs/migrate-extensions.md shows each kind of Python extension in JavaScript');
}

function refusal(code: string, said: Template, hint: string): MoError {
  return new MoError([message(code, said, hint)]);
}
