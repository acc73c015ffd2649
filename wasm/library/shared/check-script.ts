/** The script that compares an IR with its source, which the native command writes with the same bytes. */
import TEMPLATE from './check-template.mjs';

/** `facts` as the core gives them; `model` is the model's path as given, `-` for the standard input. */
export function checkScript(facts: string, model: string): string {
  return TEMPLATE.replace('MODEL_JSON', () => quoted(model === '-' ? '' : model)).replace('FACTS_JSON', () => facts);
}

/** JSON of ASCII without apostrophes. */
function quoted(text: string): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(/['\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
