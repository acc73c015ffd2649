/** The worker of `@mo/wasm` as one text; scripts/page/single.mjs makes it. */
declare module 'virtual:worker' {
  const text: string;
  export default text;
}
