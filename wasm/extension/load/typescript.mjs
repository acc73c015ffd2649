// scripts/package/typescript.mjs puts this together with the part of sucrase that it needs: a packed text of the package, a script of the binary.
import { transform } from 'sucrase';
import { parse } from 'sucrase/dist/esm/parser/index.js';
import { ContextualKeyword } from 'sucrase/dist/esm/parser/tokenizer/keywords.js';
import { TokenType as tt } from 'sucrase/dist/esm/parser/tokenizer/types.js';

/** The text without its types, each line where it was. Throws an Error with `line`, if it is known. */
export function withoutTypes(text) {
  try {
    refuseOthers(text, parse(text, false, true, false).tokens);
    return transform(text, { transforms: ['typescript'], disableESTransforms: true, preserveDynamicImport: true, production: true }).code;
  } catch (error) {
    const line = error.loc?.line ?? error.line;
    throw Object.assign(new Error(error.message.replace(/^Error transforming[^:]*: | \(\d+:\d+\)$/g, '')), { line });
  }
}

/** Sucrase leaves these out without a word, though they make values. */
function refuseOthers(text, tokens) {
  for (let at = 0; at < tokens.length; at++) {
    const [token, next, after] = [tokens[at], tokens[at + 1], tokens[at + 2]];
    const refuse = (what) => {
      throw Object.assign(new Error(what), { line: text.slice(0, token.start).split('\n').length });
    };
    if (isDeclaration(token)) at = endOfDeclaration(tokens, at);
    else if (isNamespace(token, next, after)) refuse('a namespace cannot be read: export its parts, or make it a module');
    else if (token.type === tt._import && next.type === tt.name && after.type === tt.eq) refuse('import … = require(…) cannot be read: write import … from …');
    else if (token.type === tt._export && next.type === tt.eq) refuse('export = cannot be read: write export default');
  }
}

const NAMESPACES = [ContextualKeyword._namespace, ContextualKeyword._module];

function isNamespace(token, next, after) {
  return token.isType && NAMESPACES.includes(token.contextualKeyword) && next?.type === tt.name && [tt.braceL, tt.dot].includes(after?.type);
}

function isDeclaration(token) {
  return token.isType && token.type === tt._declare;
}

/** Where a declaration's braces end; where it begins if it has none before the next statement. */
function endOfDeclaration(tokens, begin) {
  let depth = 0;
  for (let at = begin + 1; at < tokens.length && tokens[at].isType; at++) {
    if (tokens[at].type === tt.braceL) depth++;
    if (tokens[at].type === tt.braceR && --depth === 0) return at;
    if (depth === 0 && tokens[at].type === tt.semi) return at;
  }
  return begin;
}
