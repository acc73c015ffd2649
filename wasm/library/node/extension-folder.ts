import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { ExtensionRoot } from '../../extension/load/loader.js';
import { failure, MoError } from '../shared/messages.js';
import { reason } from './fs-files.js';

/** Extensions in Node: a folder, several, or the texts of modules by path (`{ 'front/onnx/mish.js': '…' }`). */
export type Extensions = string | URL | readonly (string | URL)[] | Readonly<Record<string, string>>;

const NAMELESS = 'extension';

/** @throws {MoError} when a folder cannot be read. */
export function readExtensions(extensions: Extensions | undefined): ExtensionRoot[] {
  if (extensions === undefined) return [];
  if (typeof extensions === 'string' || extensions instanceof URL) return [readFolder(extensions)];
  if (Array.isArray(extensions)) return (extensions as readonly (string | URL)[]).map(readFolder);
  return [{ name: NAMELESS, files: Object.entries(extensions as Readonly<Record<string, string>>) }];
}

function readFolder(folder: string | URL): ExtensionRoot {
  const root = resolve(folder instanceof URL ? fileURLToPath(folder) : folder);
  try {
    if (!statSync(root).isDirectory()) throw new Error('Not a directory');
    const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => wanted(root, path));
    const files = paths.sort().map((path) => [path.split(sep).join('/'), readFileSync(join(root, path), 'utf8')] as const);
    return { name: basename(root), files };
  } catch (error) {
    const message = failure(`the extensions in "${String(folder)}" cannot be read: ${reason(error)}`);
    throw new MoError([{ ...message, code: 'MO4004', hint: 'check the path' }]);
  }
}

/** Modules, except those of installed packages. */
function wanted(root: string, path: string): boolean {
  const parts = path.split(sep);
  if (!/\.m?js$/.test(path) || parts.includes('node_modules') || parts.some((part) => part.startsWith('.'))) return false;
  return statSync(join(root, path)).isFile();
}
