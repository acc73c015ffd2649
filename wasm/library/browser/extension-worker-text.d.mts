/** extension-worker.ts with all that it imports, as one classic script. The build makes it. */
declare const text: string;
export default text;
