/** Paths of files in archives, which may say anything. The rules are those of core/cli/archive/packed_names.h. */

/** Files that other programs leave in archives. The names of Finder's copies of attributes end as models do. */
const LITTER = /^__MACOSX\/|(?:^|\/)(?:\._[^/]*|\.DS_Store)$/;

/** What is refused in a path, or left out of it. Most paths have nothing of that, and need not be taken apart. */
const SPECIAL = /^$|^\/|^[a-z]:|[\0\\]|\/\/|\/$|(?:^|\/)\.\.?(?:\/|$)/i;
const ROOTED = /^[/\\]|^[a-z]:|\0/i;

export function isLitter(path: string): boolean {
  return LITTER.test(path);
}

/** The path without empty parts and ".", with slashes only; undefined if it leads out of the archive, or is empty. */
export function insidePath(path: string): string | undefined {
  return SPECIAL.test(path) ? resolved(path, [], false) : path;
}

/** The target of a link, relative to the folder of the file `path`, as insidePath(): ".." leads up, as far as there are folders. */
export function linkedPath(path: string, target: string): string | undefined {
  return resolved(target, path.split('/').slice(0, -1), true);
}

function resolved(path: string, base: string[], mayGoUp: boolean): string | undefined {
  if (ROOTED.test(path)) return undefined;
  for (const part of path.split(/[/\\]/)) {
    if (part === '' || part === '.') continue;
    if (part !== '..') base.push(part);
    else if (!mayGoUp || base.pop() === undefined) return undefined;
  }
  return base.length > 0 ? base.join('/') : undefined;
}
