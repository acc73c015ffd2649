import type { TypeScript } from '../../extension/load/loader.js';

/** Most extensions do not need this module, so it is loaded on demand. */
export const typeScript: TypeScript = async () => {
  const [{ default: packed }, { dataUrl }, { inflateRawSync }] = await Promise.all([
    import('../../extension/load/typescript-text.mjs'), import('../../extension/load/loader.js'), import('node:zlib'),
  ]);
  const url = dataUrl(inflateRawSync(Buffer.from(packed, 'base64')).toString(), 'typescript');
  return (await import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ url)) as Awaited<ReturnType<TypeScript>>;
};
