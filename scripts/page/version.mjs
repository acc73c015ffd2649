// The version of the page and the day of its commit: whoever opens a copy without a network sees how old it is.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The day of the commit, or of SOURCE_DATE_EPOCH; undefined for sources that are neither. */
function day() {
  if (process.env.SOURCE_DATE_EPOCH) return new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toISOString().slice(0, 10);
  try {
    return execFileSync('git', ['log', '-1', '--format=%cd', '--date=format-local:%Y-%m-%d'], { cwd: root, encoding: 'utf8', env: { ...process.env, TZ: 'UTC' }, stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined; // an archive of the sources
  }
}

/** A plugin of Vite that puts them into the element with the id `version`. */
export function versionOfPage() {
  return {
    name: 'version',
    transformIndexHtml(html) {
      const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
      const date = day();
      return html.replace(/(<span id="version"[^>]*>)/, `$1mo ${version}${date ? `, <time>${date}</time>` : ''}`);
    },
  };
}
