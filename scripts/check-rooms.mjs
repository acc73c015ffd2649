// Checks the rooms of core/: which folder may know which. A folder may include itself and those before it in ROOMS. A
// framework's folder is included by nothing outside it, and includes no folder of another framework. Whoever may not include
// a file may not declare its types or open its framework's namespace either.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

/** From the ground up; folders of one row do not know each other. `base` knows the public face, core/mo.h. */
const ROOMS = [['base'], ['graph'], ['ops'], ['build'], ['rewrite'], ['ir', 'decompose', 'layout'], ['front', 'middle', 'back'], ['pipeline'], ['script', 'cli']];
const SHARED_FRONT = new Set(['common', 'companions', 'config', 'cut', 'fusions', 'preprocess']);
/** What graph/ hands on without looking at it: an operation's definition, and what a format says of its nodes. */
const HANDLES = new Set(['OpDef', 'NodeFormat']);

const floor = new Map(ROOMS.flatMap((rooms, at) => rooms.map((room) => [room, at])));

/** [room, framework] of a path in core/. */
function roomOf(path) {
  const [, room, framework, ...rest] = path.split('/');
  return [room, room === 'front' && rest.length > 0 && !SHARED_FRONT.has(framework) ? framework : ''];
}

/** Why what is in `path` may not know what is in `other`; undefined if it may. */
function refusal(path, other) {
  const [room, framework] = roomOf(path), [others, its] = roomOf(other);
  if (others !== room && !(floor.get(others) < floor.get(room))) return `${others} does not stand below ${room}`;
  return its && its !== framework ? `that is ${its}'s` : undefined;
}

const texts = new Map(readdirSync(join(root, 'core'), { recursive: true }).sort()
  .filter((name) => /\.(h|cpp)$/.test(name) && name.includes('/'))
  .map((name) => [`core/${name}`, readFileSync(join(root, 'core', name), 'utf8')]));

/** Where each type is defined, by its name; also those inside others. */
const definedIn = new Map();
for (const [path, text] of texts)
  for (const [, name] of text.matchAll(/^[ \t]*(?:template <[^;{]*> *)?(?:struct|class|enum class|union) (\w+)(?: final)?(?: *:[^;{]*)? *\{/gm))
    definedIn.set(name, [...(definedIn.get(name) ?? []), path]);
const frameworks = new Set([...texts.keys()].map((path) => roomOf(path)[1]).filter(Boolean));

const problems = [];
for (const [path, text] of texts) {
  const [room, framework] = roomOf(path);
  if (!floor.has(room)) problems.push(`${dirname(path)} is no room: scripts/check-rooms.mjs lists them`);
  for (const [, included] of text.matchAll(/^#include "(core\/[^"]+\/[^"]+)"/gm)) {
    const why = refusal(path, included);
    if (why) problems.push(`${path} includes ${included}: ${why}`);
  }
  // A declaration without a definition: a type that is defined nowhere this file may look.
  for (const [, name] of text.matchAll(/(?:^|[{;}])[ \t]*(?:struct|class|enum class|union) (\w+)(?: *: *\w+)?;/gm)) {
    const places = definedIn.get(name) ?? [];
    if (HANDLES.has(name) || places.length === 0 || places.some((place) => !refusal(path, place))) continue;
    problems.push(`${path} declares ${name} of ${places[0]}: ${refusal(path, places[0])}`);
  }
  for (const [, name] of text.matchAll(/\bnamespace (?:mo::)?(\w+)/g))
    if (frameworks.has(name) && name !== framework) problems.push(`${path} opens the namespace ${name}: that is ${name}'s`);
}
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
