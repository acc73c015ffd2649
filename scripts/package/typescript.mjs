// The remover of types for extensions in TypeScript: wasm/extension/load/typescript.mjs with the part of sucrase that TypeScript needs.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { moduleText } from './module-text.mjs';

const entry = fileURLToPath(new URL('../../wasm/extension/load/typescript.mjs', import.meta.url));

/** Modules of sucrase for other languages and older engines, maps of sources, and checks of options. */
const UNUSED = [
  'CJSImportProcessor', 'computeSourceMap', 'identifyShadowedGlobals', 'Options', 'util/formatTokens',
  'parser/plugins/flow', 'parser/plugins/jsx/index', 'parser/plugins/jsx/xhtml',
  ...['CJSImport', 'Flow', 'JestHoist', 'JSX', 'NumericSeparator', 'OptionalCatchBinding', 'OptionalChainingNullish', 'ReactDisplayName', 'ReactHotLoader']
    .map((name) => `transformers/${name}Transformer`),
];

/** A plugin of Vite: what is never called has its names only. */
const withoutUnused = {
  name: 'without-unused',
  enforce: 'pre',
  load(id) {
    const [, module] = /\/sucrase\/dist\/esm\/(.*)\.js$/.exec(id) ?? [];
    if (!UNUSED.includes(module)) return undefined;
    const text = readFileSync(id, 'utf8');
    const names = Array.from(text.matchAll(/^export (?:async )?(?:function|class|const|let|var) (\w+)/gm), ([, name]) => name);
    return `const nothing = () => undefined;\nexport { ${['default', ...names].map((name) => `nothing as ${name}`).join(', ')} };\n`;
  },
};

export const typescriptText = () => moduleText(entry, [withoutUnused]);
