// The package's README: on the registry's page links into the repository have to be whole. npm calls this before and after it
// packs. node scripts/pack-readme.mjs [--restore]
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = join(root, 'README.md');
const original = join(root, 'build/README.md');

/** Where files of this version are shown. */
export function filesUrl({ repository }) {
  return `${repository.url.replace(/^git\+/, '').replace(/\.git$/, '')}/blob/HEAD`;
}

/** `text` with whole links in place of those to files beside it; pictures are asked for as they are, not as a page about them. */
export function withWholeLinks(text, url) {
  return text
    .replaceAll(/\]\((?!https?:|#)([^)]+)\)/g, (_, path) => `](${url}/${path})`)
    .replaceAll(/ (src|srcset)="(?!https?:)([^"]+)"/g, (_, name, path) => ` ${name}="${url.replace('/blob/', '/raw/')}/${path}"`);
}

function whole(text) {
  return withWholeLinks(text, filesUrl(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))));
}

function rewrite() {
  const text = readFileSync(readme, 'utf8');
  if (text === whole(text)) return;
  mkdirSync(join(root, 'build'), { recursive: true });
  writeFileSync(original, text);
  writeFileSync(readme, whole(text));
}

/** Puts README.md back, unless it was changed since. */
function restore() {
  if (!existsSync(original)) return;
  const text = readFileSync(original, 'utf8');
  if (readFileSync(readme, 'utf8') === whole(text)) writeFileSync(readme, text);
  rmSync(original);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.argv.includes('--restore') ? restore() : rewrite();
