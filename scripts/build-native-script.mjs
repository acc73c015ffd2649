// node scripts/build-native-script.mjs OUT DEPENDENCIES: wasm/native/start.ts with everything that it imports, as one module in the form of
// numbers for C++. DEPENDENCIES becomes the list of its sources, for the build. typescript_script.inc beside OUT is the module that takes the
// types out of TypeScript, which is read only when it is needed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { build } = await import('vite').catch(() => {
  console.error('build-native-script: vite is not installed: scripts/setup.sh, or npm ci');
  process.exit(1);
});

// The package's lexer is WebAssembly, which QuickJS has not; this is the same one in JavaScript.
const lexer = {
  name: 'lexer',
  enforce: 'pre',
  resolveId: (name) => (name === './lexer.mjs' ? '\0lexer' : null),
  load: (id) => (id === '\0lexer' ? "export { parse } from 'es-module-lexer/js'; export const init = undefined;" : null),
};

const [{ output }] = await build({
  configFile: false,
  root,
  logLevel: 'warn',
  plugins: [lexer],
  build: {
    write: false,
    target: 'es2022',
    // Classes and functions keep their names, which messages show.
    rolldownOptions: { output: { keepNames: true, minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } } } },
    lib: { entry: join(root, 'wasm/native/start.ts'), formats: ['es'], fileName: () => 'start.js' },
  },
});
const [out, dependencies] = process.argv.slice(2);
const inNumbers = (text) => `${Array.from(Buffer.from(`${text}\0`)).join(',')}\n`;
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, inNumbers(output[0].code));
const { typescriptText } = await import('./package/typescript.mjs');
writeFileSync(join(dirname(out), 'typescript_script.inc'), inNumbers(await typescriptText()));
const files = [...Object.keys(output[0].modules).filter((name) => name.startsWith(root)), join(root, 'wasm/extension/load/typescript.mjs')];
writeFileSync(dependencies, `${out}: ${files.map((name) => name.replaceAll(' ', '\\ ')).join(' ')}\n`);
