/** A plugin of Vite for pages that say by `Places` where files of `@mo/wasm` are: the bundler does not add the files with these names. */
export function withoutFiles(...names) {
  const words = names.map((name) => `new URL('@mo/wasm/${name}', import.meta.url)`);
  return {
    name: 'without-files',
    enforce: 'pre',
    transform: {
      filter: { id: /\/library\/browser\/\w+\.js$/ },
      handler: (code) => words.reduce((code, word) => code.replace(word, "new URL('about:blank')"), code),
    },
  };
}
