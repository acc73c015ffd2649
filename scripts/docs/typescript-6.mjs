// For programs that need TypeScript's compiler as a library, which version 7 is not: `typescript` means the package typescript-6.
// node --import ./scripts/docs/typescript-6.mjs …
import { register } from 'node:module';

register(`data:text/javascript,${encodeURIComponent(
  'export const resolve = (name, context, next) => next(name === "typescript" ? "typescript-6" : name, context);')}`, import.meta.url);
