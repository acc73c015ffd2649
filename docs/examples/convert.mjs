// node convert.mjs MODEL EXTENSIONS: converts with a folder of extensions and shows the result.
import { writeFileSync } from 'node:fs';
import { convert, MoError } from '@mo/wasm';

const [model, extensions] = process.argv.slice(2);
try {
  const { xml, bin, report, warnings } = await convert(model, { extensions });
  writeFileSync(`${report.name}.xml`, xml);
  for (const { text } of warnings) console.warn(text);
  console.log(report.operations);
  await bin.close();
} catch (error) {
  if (!(error instanceof MoError)) throw error;
  for (const { code, text, node, file, hint } of error.messages) console.error(code, text, { node, file, hint });
  process.exitCode = 1;
}
