/** Paths of files in archives, which may say anything. */

/** Files that other programs leave in archives. The names of Finder's copies of attributes end as models do. */
const LITTER = /^__MACOSX\/|(?:^|\/)(?:\._[^/]*|\.DS_Store)$/;

export function isLitter(path: string): boolean {
  return LITTER.test(path);
}

/** The path without empty parts and "."; undefined if it leads out of the archive, or is empty. */
export function insidePath(path: string): string | undefined {
  if (/^\/|^[a-z]:|\0/i.test(path)) return undefined;
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return parts.length > 0 && !parts.includes('..') ? parts.join('/') : undefined;
}
