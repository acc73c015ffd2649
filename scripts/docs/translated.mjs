// What documents in another language have of the page's translations: web/language/TAG/errors.ts.
import { transform } from 'sucrase';
import { escape, read, table } from './source.mjs';

/** The rows of a language: code, English sentence, sentence, English hint, hint. */
async function rowsOf(tag) {
  const { code } = transform(read(`web/language/${tag}/errors.ts`), { transforms: ['typescript'] });
  const { ERRORS } = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
  return ERRORS;
}

/** The table of docs/TAG/errors.md. Pages of codes are in docs/errors/ only: the site translates them by help.json. */
export async function translatedErrors(tag, head) {
  const sentences = new Map((await rowsOf(tag)).map(([code, , sentence, , hint]) => [code, { sentence, hint }]));
  return (errors) => table(head, errors.map(({ code }) => {
    if (!sentences.has(code)) throw new Error(`web/language/${tag}/errors.ts has no row for ${code}`);
    const { sentence, hint } = sentences.get(code);
    return [`[${code}](../errors/${code}.md)`, escape(sentence), escape(hint)];
  }));
}
