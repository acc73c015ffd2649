/** The English texts in the source of the page, each of which needs a translation. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript-6';

import { root } from './support.js';

/** Each function that takes an English text, with the arguments that are the keys; `count` makes its key of a noun. */
const TAKE: Readonly<Record<string, { readonly key: number; readonly form?: number; readonly noun?: true }>> = {
  t: { key: 0 }, say: { key: 0 }, compose: { key: 1 }, plural: { key: 2, form: 1 }, countText: { key: 1, noun: true },
};
/** Sources that translate the texts of tables, which have keys of their own. */
const OF_TABLES = /^web\/(language\/|options\/form\.ts$)|^web\/proof\/report-bar\.ts$/;
/** Functions that would show an English text untranslated. */
const SHOWS = new Set(['h', 'fill', 'button', 'setText']);
const TEXT_ATTRIBUTES = new Set(['aria-label', 'aria-roledescription', 'aria-valuetext', 'placeholder', 'title', 'alt']);
const ENGLISH = /[A-Za-z]{3,}/;
const SAME_EVERYWHERE = /^SHA-256$/;

export interface Source {
  readonly path: string;
  readonly file: ts.SourceFile;
}

export function sources(): Source[] {
  const web = readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts') && !/^language\/zh/.test(path)).map((path) => `web/${path.replaceAll('\\', '/')}`);
  return [...web, 'wasm/library/shared/report/body.ts'].sort().map((path) => sourceOf(path, readFileSync(join(root, path), 'utf8')));
}

export function sourceOf(path: string, text: string): Source {
  return { path, file: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

/** The keys in a source, and what is wrong there. */
export function textsIn({ path, file }: Source): { keys: string[]; faults: string[] } {
  const keys: string[] = [];
  const faults: string[] = [];
  const fault = (node: ts.Node, what: string) => faults.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${what}: ${node.getText().slice(0, 80)}`);
  const bare = (node: ts.Expression | undefined) => {
    for (const text of node ? literals(node) : []) if (ENGLISH.test(text.text) && !SAME_EVERYWHERE.test(text.text)) fault(text, 'an English text without a key');
  };
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      const name = node.expression.text;
      const take = TAKE[name];
      const argument = take && node.arguments[take.key];
      if (take && argument && ts.isStringLiteralLike(argument)) {
        keys.push(take.noun ? `{n} ${argument.text}s` : argument.text);
        const one = take.form === undefined ? undefined : node.arguments[take.form];
        if (one && !(ts.isStringLiteralLike(one) && String(placesOf(one.text)) === String(placesOf(argument.text)))) fault(node, 'the forms differ in their places');
      } else if (take && argument && !OF_TABLES.test(path) && !(name === 'say' && path === 'web/main.ts')) fault(node, 'a key that is not a text');
      if (SHOWS.has(name)) node.arguments.slice(name === 'fill' ? 1 : name === 'button' ? 0 : 2).slice(0, name === 'button' ? 1 : undefined).forEach(bare);
      if (name === 'h' && node.arguments[1]) attributes(node.arguments[1], bare);
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken && /\.(textContent|title|placeholder)$/.test(node.left.getText())) bare(node.right);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { keys, faults };
}

function attributes(node: ts.Expression, bare: (value: ts.Expression) => void): void {
  if (!ts.isObjectLiteralExpression(node)) return;
  for (const property of node.properties)
    if (ts.isPropertyAssignment(property) && TEXT_ATTRIBUTES.has(ts.isStringLiteral(property.name) ? property.name.text : property.name.getText())) bare(property.initializer);
}

/** The texts that an expression may be; those in calls are judged there. */
function literals(node: ts.Expression): (ts.StringLiteralLike | ts.TemplateLiteralLikeNode)[] {
  if (ts.isStringLiteralLike(node)) return [node];
  if (ts.isTemplateExpression(node)) return [node.head, ...node.templateSpans.map(({ literal }) => literal)];
  if (ts.isConditionalExpression(node)) return [...literals(node.whenTrue), ...literals(node.whenFalse)];
  if (ts.isBinaryExpression(node)) return [...(node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken ? [] : literals(node.left)), ...literals(node.right)];
  if (ts.isParenthesizedExpression(node)) return literals(node.expression);
  return [];
}

/** The hints of the messages that a source makes. */
export function hintsIn({ file }: Source): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /^(?:pageMessage|archiveError)$/.test(node.expression.getText())) found.push(...(node.arguments[2] ? literals(node.arguments[2]).map(({ text }) => text) : []));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** The names of the places in a text, sorted. */
export function placesOf(text: string): string[] {
  return Array.from(text.matchAll(/\{(\w+)\}/g), ([, name]) => name!).sort();
}
