// node scripts/build-native-script.mjs OUT DEPENDENCIES: wasm/native/start.ts with everything that it imports, as one module in the form of
// numbers for C++. DEPENDENCIES becomes the list of its sources, for the build.
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
const bytes = Buffer.from(`${output[0].code}\0`);
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, `${Array.from(bytes).join(',')}\n`);
const files = Object.keys(output[0].modules).filter((name) => name.startsWith(root));
writeFileSync(dependencies, `${out}: ${files.map((name) => name.replaceAll(' ', '\\ ')).join(' ')}\n`);
