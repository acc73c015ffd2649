/** Loads extensions from the texts of their files; the same for pages and Node. */
import { running, sourceUrl } from '../core/failure.js';
import { init, parse } from './lexer.mjs';
import { LoadingError } from './loading-error.js';
import { compiledPath, importCandidates, isDeclaration, isModule, isTypeScript, kindOf, meantFolder, resolvePath, type LoadedModule } from './modules.js';
import { registerModules, type Registration, type LoadWarning } from './register.js';

/** A folder of extensions: its name, and its files by relative path. */
export interface ExtensionRoot {
  readonly name: string;
  readonly files: readonly (readonly [path: string, text: string])[];
}

/** Makes a URL from which the module can be imported. `name` is for engines that do not find it in the text. */
export type ToUrl = (source: string, name: string) => string;

/** Gives what takes the types out of TypeScript. It is asked only where a module is TypeScript. */
export type TypeScript = () => Promise<typeof import('./typescript.mjs')>;

/** Node imports texts from data: URLs, Bun only if they are in base64, pages from blob: URLs. QuickJS takes any name. */
export const dataUrl: ToUrl = (source) =>
  'Bun' in globalThis ? `data:text/javascript;charset=utf-8;base64,${btoa(utf8(source))}`
    : `data:text/javascript;charset=utf-8,${encodeURIComponent(source).replaceAll("'", '%27')}`;
export const blobUrl: ToUrl = (source) => URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));

const API = '@mo/wasm/extension';
const HINT = `extensions import "${API}" and each other, by relative paths`;
/** Generated modules find the values that they export under this symbol: a module made from a text cannot import this package by name. */
const SHARED = Symbol.for(API);
const shared: Map<string, object> = ((globalThis as Record<symbol, unknown>)[SHARED] ??= new Map()) as Map<string, object>;
const PLACES = 'ops/, front/, front/<framework>/, middle/ and back/';
let loads = 0;
/** Names in the documentation for the same module. */
const ALIASES = /^(openvino\.tools\.mo|mo|extensions)([./]|$)/;

/**
 * Runs all modules of `roots` and registers their classes.
 *
 * @throws {LoadingError} with file and line of the error.
 */
export async function loadExtensions(roots: readonly ExtensionRoot[], api: object, toUrl: ToUrl, typeScript: TypeScript): Promise<Registration> {
  await init;
  loads++;
  const apiUrl = toUrl(passOn(API, api), API);
  const warnings: LoadWarning[] = [];
  const modules: LoadedModule[] = [];
  for (const root of roots) {
    loads++; // Roots may have the same name.
    modules.push(...(await new Loading(root, apiUrl, toUrl, typeScript, warnings).all()));
  }
  return registerModules(modules, warnings);
}

/** The source of a module with the exports of `exports`. It is always short, and so is its URL. */
function passOn(name: string, exports: object): string {
  const key = `${loads} ${name}`;
  shared.set(key, exports);
  const names = Object.keys(exports);
  const values = names.map((_, index) => `v${index} = m[${JSON.stringify(names[index])}]`);
  const list = names.map((exported, index) => `v${index} as ${exported}`).join(', ');
  const found = `m = globalThis[Symbol.for(${JSON.stringify(API)})].get(${JSON.stringify(key)})`;
  return `const ${[found, ...values].join(', ')};\nexport { ${list} };\n`;
}

class Loading {
  readonly #texts: Map<string, string>;
  readonly #urls = new Map<string, string>();
  readonly #loaded: LoadedModule[] = [];
  readonly #imported = new Set<string>();
  /** Modules of TypeScript that make nothing. */
  readonly #typesAlone = new Set<string>();

  constructor(
    private readonly root: ExtensionRoot,
    private readonly apiUrl: string,
    private readonly toUrl: ToUrl,
    private readonly typeScript: TypeScript,
    private readonly warnings: LoadWarning[],
  ) {
    if (root.name === 'extensions')
      throw new LoadingError('a folder of extensions cannot be named "extensions"', root.name, 'built-in ones have that name');
    const given = new Set(root.files.map(([path]) => path));
    const isCompiled = (path: string) => isTypeScript(path) && given.has(compiledPath(path));
    this.#texts = new Map(root.files.filter(([path]) => isModule(path) && !isCompiled(path)));
    for (const path of [...given].sort()) {
      if (isCompiled(path)) this.#warn(path, `is not read: ${this.#file(compiledPath(path))} stands beside it`);
      else if (!isModule(path) && !isDeclaration(path)) this.#warn(path, 'is not read: modules of extensions end with .js, .mjs, .ts or .mts');
    }
    if (this.#texts.size === 0) this.warnings.push({ file: root.name, text: `${root.name} has no module: extensions stand in ${PLACES}` });
  }

  async all(): Promise<LoadedModule[]> {
    const paths = [...this.#texts.keys()].sort((a, b) => (a < b ? -1 : 1));
    for (const path of paths) await this.#load(path, []);
    for (const path of paths)
      if (!kindOf(path) && !this.#imported.has(path) && !this.#typesAlone.has(path)) this.#warn(path, `stands outside ${PLACES}, and nothing imports it${meant(path)}`);
    return this.#loaded;
  }

  #warn(path: string, what: string): void {
    this.warnings.push({ file: this.#file(path), text: `${this.#file(path)} ${what}` });
  }

  /** The URL of a module, after those that it imports. `above` lists the modules that wait for it. */
  async #load(path: string, above: readonly string[]): Promise<string> {
    const known = this.#urls.get(path);
    if (known !== undefined) return known;
    const chain = [...above, path];
    if (above.includes(path)) {
      const circle = chain.slice(above.indexOf(path)).map((file) => this.#file(file));
      throw new LoadingError(`modules import each other in a circle: ${circle.join(' -> ')}`, this.#file(path));
    }
    // The number makes a new module each time: classes have state, and JavaScript engines cache modules by URL.
    const name = sourceUrl(this.#file(path));
    const url = this.toUrl(`${await this.#link(path, chain)}\n// ${loads}\n//# sourceURL=${name}\n`, name);
    const exports = await this.#run(url, path);
    this.#loaded.push({ root: this.root.name, path, kind: this.#typesAlone.has(path) ? undefined : kindOf(path), exports, isImported: () => this.#imported.has(path) });
    const importUrl = this.toUrl(passOn(this.#file(path), exports), `exports of ${name}`);
    this.#urls.set(path, importUrl);
    return importUrl;
  }

  /** The text with URLs instead of specifiers; line numbers do not change. */
  async #link(path: string, chain: readonly string[]): Promise<string> {
    const text = await this.#javaScript(path);
    let linked = '';
    let end = 0;
    for (const { s: start, e: stop, d: kind } of this.#imports(path, text)) {
      if (kind === -2) continue;
      const specifier = literalIn(text.slice(start, stop), kind);
      const line = text.slice(0, start).split('\n').length;
      const url = await this.#resolve(specifier, `${this.#file(path)}:${line}`, path, chain);
      linked += text.slice(end, start) + (kind === -1 ? url : JSON.stringify(url));
      end = stop;
    }
    return linked + text.slice(end);
  }

  async #javaScript(path: string): Promise<string> {
    const text = this.#texts.get(path)!;
    if (!isTypeScript(path)) return text;
    const { withoutTypes } = await this.typeScript();
    try {
      const code = await running(this.#file(path), async () => withoutTypes(text));
      if (/^[\s;]*$/.test(code.replace(/\/\*[^]*?\*\/|\/\/.*/g, ''))) this.#typesAlone.add(path);
      return code;
    } catch (error) {
      const { message, line } = error as { message: string; line?: number };
      throw new LoadingError(`${this.#file(path)}${line === undefined ? '' : `:${line}`}: ${message}`, this.#file(path));
    }
  }

  #imports(path: string, text: string): ReturnType<typeof parse>[0] {
    try {
      return parse(text)[0];
    } catch (error) {
      const line = text.slice(0, (error as { idx?: number }).idx ?? 0).split('\n').length;
      throw new LoadingError(`${this.#file(path)}:${line}: a syntax error`, this.#file(path));
    }
  }

  async #resolve(specifier: string | undefined, where: string, path: string, chain: readonly string[]): Promise<string> {
    if (specifier === undefined) throw new LoadingError(`${where}: import() takes a literal text in extensions`, this.#file(path));
    if (specifier === API || ALIASES.test(specifier)) return this.apiUrl;
    if (!/^\.\.?\//.test(specifier))
      throw new LoadingError(`${where}: "${specifier}" cannot be imported`, this.#file(path), HINT);
    const target = resolvePath(path, specifier);
    const found = target === undefined ? undefined : importCandidates(target).find((file) => this.#texts.has(file));
    if (found === undefined) throw new LoadingError(`${where}: there is no file "${specifier}"`, this.#file(path));
    this.#imported.add(found);
    return this.#load(found, chain);
  }

  async #run(url: string, path: string): Promise<Record<string, unknown>> {
    try {
      const module = () => import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ url) as Promise<Record<string, unknown>>;
      return await running(this.#file(path), module);
    } catch (error) {
      throw new LoadingError(`${this.#file(path)}${lineIn(error, url, this.#file(path))}: ${String(error)}`, this.#file(path));
    }
  }

  #file(path: string): string {
    return `${this.root.name}/${path}`;
  }
}

function meant(path: string): string {
  const folder = meantFolder(path);
  return folder === undefined ? '' : `; did you mean ${folder}/?`;
}

/** The bytes of a text, each as a character. */
function utf8(text: string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
}

/** `:<line>` if the JavaScript engine gives it. For a module that it cannot parse, the stack has the URL and not the name. */
function lineIn(error: unknown, url: string, file: string): string {
  const stack = error instanceof Error ? String(error.stack ?? '') : '';
  for (const name of [encodeURI(file), url]) {
    const at = stack.indexOf(`${name}:`);
    const line = at < 0 ? undefined : /^\d+/.exec(stack.slice(at + name.length + 1));
    if (line) return `:${line[0]}`;
  }
  return '';
}

/**
 * The text of a specifier: a static import's without its quotes, an import()'s with them. The lexer would decode it with
 * eval(), which a page's policy forbids; paths need no escapes.
 */
function literalIn(source: string, kind: number): string | undefined {
  const quoted = kind === -1 ? source : /^\s*(['"])(.*)\1\s*$/s.exec(source)?.[2];
  return quoted === undefined || /[\\'"`]/.test(quoted) ? undefined : quoted;
}
