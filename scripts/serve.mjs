// Serves the built page on this machine, with the headers that it needs: node scripts/serve.mjs [--port 4173]
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { headerPolicy } from './csp.mjs';

const page = fileURLToPath(new URL('../build/web', import.meta.url));

const types = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.webmanifest': 'application/manifest+json',
};

const headers = {
  'Content-Security-Policy': headerPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** A server of the files in `root`, listening on 127.0.0.1; port 0 takes a free one. */
export function serve(root = page, port = 4173) {
  const server = createServer((request, response) => {
    const path = fileOf(root, request.url);
    if (!path) {
      response.writeHead(404, headers).end('Not found');
      return;
    }
    const hashed = path.startsWith(join(root, 'assets'));
    response.writeHead(200, {
      ...headers,
      'Content-Type': types[extname(path)] ?? 'application/octet-stream',
      'Cache-Control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    });
    createReadStream(path).pipe(response);
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

/** The file that a request means, or undefined. A path is normalised from the root, so it cannot climb out. */
function fileOf(root, url) {
  try {
    const { pathname } = new URL(url, 'http://localhost');
    const path = join(root, normalize(decodeURIComponent(pathname.endsWith('/') ? `${pathname}index.html` : pathname)));
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? path : undefined;
  } catch {
    return undefined;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '4173' } } });
  const server = await serve(page, Number(values.port));
  console.log(`The page is at http://127.0.0.1:${server.address().port}/`);
}
