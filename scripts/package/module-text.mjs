import { build } from 'vite';

/** A module with all that it imports from other packages, as one small text. */
export async function moduleText(entry, plugins = []) {
  const [{ output }] = await build({
    configFile: false,
    logLevel: 'warn',
    plugins,
    build: { write: false, minify: 'oxc', target: 'es2022', lib: { entry, formats: ['es'], fileName: () => 'module.mjs' } },
  });
  if (output.length !== 1) throw new Error(`${entry}: its copy is more than one file`);
  return output[0].code;
}
