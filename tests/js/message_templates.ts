/** The templates of all messages, read from the sources that make them: core/base/detail.h, wasm/library/shared/msg.ts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-6';

import { root } from './support.js';

interface Token {
  readonly kind: 'text' | 'word' | 'mark';
  readonly text: string;
}

const TOKENS = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|R"\(([\s\S]*?)\)"|"((?:\\.|[^"\\\n])*)"|'(?:\\.|[^'\\\n])+'|[A-Za-z_]\w*|\d[\w.']*|\s+|::|->|[\s\S]/g;
const OPEN = new Set(['(', '[', '{']);
const CLOSE = new Set([')', ']', '}']);
/** Functions that take a detail, by the places of these arguments; others are found by their parameters. */
const TAKE: Readonly<Record<string, readonly number[]>> = { Error: [1, 3], emplace: [1, 3], emplace_back: [1, 3], warn: [1], amend_errors: [1, 2], words: [0], Detail: [0] };
/** Classes that are made with braces. */
const BRACED = new Set(['Error', 'Detail', 'Recognised', 'LoneCompanion']);
/** A template that goes on with what is said before it: Detail::with(). */
const CONTINUES = /^[ ,;]/;

function filesBelow(folder: string, ending: RegExp): [path: string, text: string][] {
  const found = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((path) => ending.test(path)).sort();
  return found.map((path) => [`${folder}/${path.replaceAll('\\', '/')}`, readFileSync(join(root, folder, path), 'utf8')]);
}

function unescaped(text: string): string {
  return text.replace(/\\(x[\da-fA-F]{1,2}|.)/g, (_, code: string) => (code === 'n' ? '\n' : code.startsWith('x') ? String.fromCharCode(parseInt(code.slice(1), 16)) : code));
}

function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  for (const [all, raw, quoted] of source.replaceAll(/^\s*#.*$/gm, '').matchAll(TOKENS)) {
    if (/^(?:\s|\/\/|\/\*)/.test(all)) continue;
    if (raw !== undefined || quoted !== undefined) tokens.push({ kind: 'text', text: raw ?? unescaped(quoted!) });
    else tokens.push({ kind: /^[A-Za-z_]/.test(all) ? 'word' : 'mark', text: all });
  }
  return tokens;
}

/** The arguments of the call whose bracket is at `open`. */
function argumentsAt(tokens: readonly Token[], open: number): Token[][] {
  const found: Token[][] = [[]];
  let depth = 0;
  for (let at = open + 1; at < tokens.length; ++at) {
    const token = tokens[at]!;
    const isMark = token.kind === 'mark';
    if (isMark && CLOSE.has(token.text) && depth-- === 0) return found[0]!.length > 0 ? found : [];
    if (isMark && OPEN.has(token.text)) ++depth;
    if (isMark && token.text === ',' && depth === 0) found.push([]);
    else found.at(-1)!.push(token);
  }
  return found;
}

/** The texts between brackets of any depth, in place of the values of a condition: `a ? "x" : "y"`. */
function branches(argument: readonly Token[]): Token[][] {
  let depth = 0;
  const parts: Token[][] = [[]];
  for (const token of argument) {
    if (token.kind === 'mark' && OPEN.has(token.text)) ++depth;
    if (token.kind === 'mark' && CLOSE.has(token.text)) --depth;
    if (token.kind === 'mark' && depth === 0 && (token.text === '?' || token.text === ':')) parts.push([]);
    else parts.at(-1)!.push(token);
  }
  return parts.length > 1 ? parts.slice(1) : parts;
}

class CppFile {
  readonly tokens: Token[];
  readonly #constants = new Map<string, string>();

  constructor(readonly path: string, source: string) {
    this.tokens = tokensOf(source);
    const { tokens } = this;
    // kName[] = "…"
    tokens.forEach(({ text }, at) => {
      const value = tokens[at + 4];
      if (/^k[A-Z]/.test(text) && tokens[at + 1]?.text === '[' && tokens[at + 2]?.text === ']' && tokens[at + 3]?.text === '=' && value?.kind === 'text') this.#constants.set(text, value.text);
    });
  }

  /** The text of an argument that is a literal; undefined for anything else. */
  literal(argument: readonly Token[]): string | undefined {
    if (argument.length === 1 && argument[0]!.kind === 'word') return this.#constants.get(argument[0]!.text);
    return argument.length > 0 && argument.every(({ kind }) => kind === 'text') ? argument.map(({ text }) => text).join('') : undefined;
  }

  calls(visit: (name: string, given: Token[][], at: number) => void): void {
    this.tokens.forEach(({ kind, text }, at) => {
      const next = this.tokens[at + 1];
      if (kind === 'word' && next?.kind === 'mark' && (next.text === '(' || (next.text === '{' && BRACED.has(text)))) visit(text, argumentsAt(this.tokens, at + 1), at);
    });
  }

  /** `Detail name(…) {`: the literals that it returns. */
  returned(): string[] {
    const found: string[] = [];
    this.tokens.forEach(({ text }, at) => {
      if (text !== 'Detail' || this.tokens[at + 1]?.kind !== 'word') return;
      let open = at + 2;
      while (this.tokens[open]?.text === '::') open += 2;
      if (this.tokens[open]?.text !== '(') return;
      let body = open;
      for (let depth = 0; body < this.tokens.length; ++body) {
        const mark = this.tokens[body]!.text;
        if (mark === '(') ++depth;
        if (mark === ')') --depth;
        if (depth === 0 && (mark === '{' || mark === ';')) break;
      }
      if (this.tokens[body]?.text !== '{') return;
      for (let end = body, depth = 0; end < this.tokens.length; ++end) {
        const { kind, text: mark } = this.tokens[end]!;
        if (kind === 'mark' && mark === '{') ++depth;
        if (kind === 'mark' && mark === '}' && --depth === 0) break;
        if (kind === 'word' && mark === 'return' && this.tokens[end + 1]!.kind === 'text') found.push(this.tokens[end + 1]!.text);
      }
    });
    return found;
  }
}

/** Adds the functions and lambdas of the files that have parameters of type Detail. */
function takersOf(files: readonly CppFile[]): Map<string, Set<number>> {
  const takers = new Map(Object.entries(TAKE).map(([name, places]) => [name, new Set(places)]));
  const note = (name: string, given: Token[][]) => given.forEach((parameter, index) => {
    const words = parameter.filter(({ text }) => text !== 'const' && text !== '&');
    if (words[0]?.text !== 'Detail' || words[1]?.kind !== 'word' || (words[2] && words[2].text !== '=')) return;
    takers.set(name, (takers.get(name) ?? new Set()).add(index));
  });
  for (const file of files) {
    file.calls((name, given) => note(name, given));
    file.tokens.forEach(({ text }, at) => {
      // auto name = […](…)
      if (text !== 'auto' || file.tokens[at + 2]?.text !== '=' || file.tokens[at + 3]?.text !== '[') return;
      let open = at + 3;
      while (open < file.tokens.length && file.tokens[open]!.text !== ']') ++open;
      if (file.tokens[open + 1]?.text === '(') note(file.tokens[at + 1]!.text, argumentsAt(file.tokens, open + 1));
    });
  }
  return takers;
}

/** Each template of the core, with the file that makes it; and the places that give a text where a template is meant. */
export function templatesOfCore(): { templates: Map<string, string>; faults: string[] } {
  const files = [...filesBelow('core', /\.(?:cpp|h|inc|def)$/), ...filesBelow('wasm/cpp', /\.cpp$/)].filter(([path]) => !/core\/base\/(?:detail|error)\.|errors\.def$/.test(path)).map(([path, text]) => new CppFile(path, text));
  const templates = new Map<string, string>();
  const faults: string[] = [];
  const takers = takersOf(files);
  for (const file of files) {
    const add = (template: string) => {
      if (template !== '') templates.set(CONTINUES.test(template) ? `{}${template}` : template, file.path);
    };
    file.calls((name, given) => {
      if (name === 'msg') {
        add(given.map((argument) => {
          if (argument.some(({ text, kind }) => kind === 'mark' && text === '?') && branches(argument).some((branch) => file.literal(branch) !== undefined)) faults.push(`${file.path}: ${argument.map(({ text }) => text).join(' ')}`);
          return file.literal(argument) ?? '{}';
        }).join(''));
      }
      if (name.endsWith('_REFUSED')) given.flat().filter(({ kind, text }) => kind === 'text' && text.includes(' ')).forEach(({ text }) => add(text));
      if (name === 'LoneCompanion') given.forEach((argument) => add(file.literal(argument) ?? ''));
      for (const place of takers.get(name) ?? []) {
        for (const branch of branches(given[place] ?? [])) {
          const text = file.literal(branch);
          if (text !== undefined) add(text);
          else if (branch[0]?.text === 'cat' || branch.some(({ kind, text: mark }, at) => kind === 'mark' && mark === '+' && branch[at - 1]?.kind === 'text')) faults.push(`${file.path}: ${branch.map(({ text: word }) => word).join(' ')}`);
        }
      }
    });
    file.tokens.forEach(({ text }, at) => {
      const value = file.tokens[at + 2];
      if ((text === 'refusal' || text === 'hint' || (file.tokens[at - 1]?.text === 'Detail' && file.tokens[at]!.kind === 'word')) && file.tokens[at + 1]?.text === '=' && value?.kind === 'text') add(value.text);
    });
    file.returned().forEach(add);
    // The titles and hints of formats that are only recognised.
    if (file.path.startsWith('core/front/recognised/')) file.tokens.filter(({ kind, text }, at) => kind === 'text' && /^[A-Za-z][\w@]+ \w/.test(text) && file.tokens[at - 1]?.text !== '(').forEach(({ text }) => add(text));
  }
  return { templates, faults };
}

/** Each template of the hosts and the page: msg`…`, and texts that become templates. */
export function templatesOfHosts(): Map<string, string> {
  const templates = new Map<string, string>();
  const files = [...filesBelow('wasm/library', /(?<!\.d)\.ts$/), ...filesBelow('web', /(?<!\.d)\.ts$/)].filter(([path]) => !path.includes('/zh-Hans/'));
  for (const [path, text] of files) {
    const visit = (node: ts.Node): void => {
      if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'msg') {
        const { template } = node;
        templates.set(ts.isNoSubstitutionTemplateLiteral(template) ? template.text : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)].join('{}'), path);
      }
      const [first] = ts.isCallExpression(node) && /^(?:asTemplate|withDetail)$/.test(node.expression.getText()) ? node.arguments : [];
      if (first && ts.isStringLiteralLike(first)) templates.set(first.text, path);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  }
  return templates;
}
