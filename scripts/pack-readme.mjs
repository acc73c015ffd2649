// The package's documents: on the registry's page links of README.md into the repository have to be whole, in the others those to what the package
// leaves out. npm calls this before and after it packs. node scripts/pack-readme.mjs [--restore]
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const documents = ['README.md', ...manifest.files.filter((path) => path.endsWith('.md'))];
const original = (document) => join(root, 'build/packed', document);

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

/** The text of a document in the package. */
export function packed(document, text) {
  const url = filesUrl(manifest);
  if (document === 'README.md') return withWholeLinks(text, url);
  const isThere = (path) => manifest.files.some((one) => path === one || path.startsWith(`${one}/`));
  return text.replaceAll(/\]\((?!https?:|#)([^)]+)\)/g, (link, target) => {
    const path = posix.join(posix.dirname(document), target);
    return isThere(path.replace(/#.*/, '')) ? link : `](${url}/${path})`;
  });
}

function rewrite() {
  for (const document of documents) {
    const path = join(root, document), text = readFileSync(path, 'utf8');
    if (text === packed(document, text)) continue;
    mkdirSync(dirname(original(document)), { recursive: true });
    writeFileSync(original(document), text);
    writeFileSync(path, packed(document, text));
  }
}

/** Puts the documents back, unless they were changed since. */
function restore() {
  for (const document of documents.filter((one) => existsSync(original(one)))) {
    const path = join(root, document), text = readFileSync(original(document), 'utf8');
    if (readFileSync(path, 'utf8') === packed(document, text)) writeFileSync(path, text);
    rmSync(original(document));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.argv.includes('--restore') ? restore() : rewrite();
