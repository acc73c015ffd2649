// The release again, from the same commit in another folder: every file has to be the same.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { SUMS } from './sums.mjs';

/** Has another length than any path of the first build, which would show if a path were part of a file. */
const FOLDER = 'build/second-build-in-a-folder-of-another-name';

/** Throws unless both are the same. The commit's files are copied; what the set-up has fetched is shared as links of files. */
export function compareWithSecondBuild(root, release, seconds) {
  const folder = join(root, FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  execFileSync('sh', ['-c', 'git archive HEAD | tar -x -C "$1"', 'sh', folder], { cwd: root });
  for (const fetched of ['third_party', 'node_modules'])
    execFileSync('cp', ['-al', realpathSync(join(root, fetched)), join(folder, fetched)]);
  // The set-up has been done, for both.
  mkdirSync(join(folder, 'build'));
  execFileSync('cp', ['-a', join(root, 'build/.setup'), join(folder, 'build/.setup')]);
  execFileSync('node', ['scripts/release.mjs'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds), CCACHE_DISABLE: '1' },
  });
  const [first, second] = [release, join(folder, 'build/release')].map((made) => readFileSync(join(made, SUMS), 'utf8').split('\n'));
  const others = first.filter((line) => !second.includes(line)).map((line) => line.split('  ')[1]);
  if (others.length > 0 || first.length !== second.length) throw new Error(`release: the second build is different: ${others.join(', ')}`);
  rmSync(folder, { recursive: true });
  console.log('Both builds are the same.');
}
