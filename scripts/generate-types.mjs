// Writes what TypeScript has of the core's tables: types and rows of options, formats, configurations, codes of messages, numbers of fields and
// attributes of operations. It needs build/native/mo_tables alone. build-package.mjs begins with it, so they never differ.
import './generate-operations.mjs';
import { writeFields } from './generate-fields.mjs';
import { writeCodes, writeOptions } from './generate-options.mjs';
import { readTables } from './tables.mjs';

const tables = readTables();
writeOptions(tables);
writeCodes(tables);
writeFields(tables);
