// Checks that no argument list of the core adds nodes to a graph in two of its arguments: compilers compute the arguments of a call in
// different orders, so the IR would have its nodes in another order on each host. The elements of braces are computed from left to right.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url));

/** What adds nodes: a builder, a body that is built, or a graph that is not const. */
const MAKER = /(?<!const )\b(?:Builder|StepBody|BodyBuilder|LoopBody|Graph)&? (\w+)\b(?=[ ,;({)])/g;
/** Methods of these that only tell. */
const TELLS = '(?!graph\\b|model\\b|files\\b|outside\\b|begin\\b|end\\b|size\\b|empty\\b|name\\b|node\\b|nodes\\b|target\\b|data\\b|c_str\\b|find\\b|at\\b|ids\\b|weak_from_this\\b)';

/** Comments and texts as blanks, so that places stay. */
const bare = (text) =>
  text.replace(/\/\/[^\n]*|R"\(.*?\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])'/gs, (found) => found.replace(/[^\n]/g, ' '));

/** The end of the bracket that opens at a place. */
function end_of(text, open) {
  let depth = 0;
  for (let at = open; at < text.length; ++at) {
    if ('([{'.includes(text[at])) ++depth;
    if (')]}'.includes(text[at]) && --depth === 0) return at;
  }
  return text.length;
}

/** Local functions that use a maker which they capture. */
function lambdas(text, uses) {
  const names = [];
  for (const found of text.matchAll(/\bconst auto (\w+) = \[&\w*\]/g)) {
    const body = text.indexOf('{', found.index + found[0].length);
    if (uses.test(text.slice(body, end_of(text, body)))) names.push(found[1]);
  }
  return names;
}

function problems_of(path, text) {
  const makers = [...new Set([...text.matchAll(MAKER)].map((found) => found[1]))];
  if (makers.length === 0) return [];
  const any = `(?:${makers.join('|')})`;
  const uses = new RegExp(`\\b${any}\\.${TELLS}\\w+\\(|\\b\\w+\\(${any}[,)]`);
  const local = lambdas(text, uses);
  const adds = local.length === 0 ? uses : new RegExp(`${uses.source}|(?<![.>])\\b(?:${local.join('|')})\\(`);
  const problems = [];
  const open = [];
  for (let at = 0; at < text.length; ++at) {
    if ('([{'.includes(text[at])) open.push({ bracket: text[at], from: at, starts: [at + 1] });
    else if (text[at] === ',' && open.length > 0) open.at(-1).starts.push(at + 1);
    else if (')]}'.includes(text[at])) {
      const { bracket, from, starts } = open.pop() ?? {};
      const call = text.slice(0, from).match(/(\w+)$/)?.[1];
      if (bracket !== '(' || !call || /^(?:for|while|if|switch|return)$/.test(call)) continue;
      const list = starts.map((start, i) => text.slice(start, (starts[i + 1] ?? at + 1) - 1));
      if (list.filter((argument) => adds.test(argument)).length > 1)
        problems.push(`${path}:${text.slice(0, from).split('\n').length}: ${call}(…) adds nodes in two arguments: name one of them before`);
    }
  }
  return problems;
}

const names = readdirSync(join(root, 'core'), { recursive: true }).sort().map((name) => `core/${name.replaceAll('\\', '/')}`);
const problems = names.filter((name) => /\.(cpp|h)$/.test(name)).flatMap((path) => problems_of(path, bare(readFileSync(join(root, path), 'utf8'))));
for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
