// Checks the rooms of core/: which folder may include which. A folder may include itself and those before it in ROOMS. A
// framework's folder is included by nothing outside it, and includes no folder of another framework.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** From the ground up; folders of one row do not know each other. `base` knows the public face, core/mo.h. */
const ROOMS = [['base'], ['graph'], ['ops'], ['build'], ['rewrite'], ['ir', 'decompose', 'layout'], ['front', 'middle', 'back'], ['pipeline'], ['script'], ['cli']];
const SHARED_FRONT = new Set(['common', 'companions', 'config', 'cut', 'fusions', 'preprocess']);

const floor = new Map(ROOMS.flatMap((rooms, at) => rooms.map((room) => [room, at])));

/** [room, framework] of a path in core/. */
function roomOf(path) {
  const [, room, framework, ...rest] = path.split('/');
  return [room, room === 'front' && rest.length > 0 && !SHARED_FRONT.has(framework) ? framework : ''];
}

const problems = [];
for (const name of readdirSync(join(root, 'core'), { recursive: true }).sort()) {
  if (!/\.(h|cpp)$/.test(name) || !name.includes('/')) continue;
  const path = `core/${name}`;
  const [room, framework] = roomOf(path);
  if (!floor.has(room)) problems.push(`${dirname(path)} is no room: scripts/check-rooms.mjs lists them`);
  for (const [, included] of readFileSync(join(root, path), 'utf8').matchAll(/^#include "(core\/[^"]+\/[^"]+)"/gm)) {
    const [other, its] = roomOf(included);
    const above = other !== room && !(floor.get(other) < floor.get(room));
    if (above) problems.push(`${path} includes ${included}: ${other} does not stand below ${room}`);
    else if (its && its !== framework) problems.push(`${path} includes ${included}, which is ${its}'s`);
  }
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
