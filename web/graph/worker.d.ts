/** The worker of the graph view as one script; scripts/page/worker-text.mjs makes it. */
declare module 'virtual:graph-worker' {
  const text: string;
  export default text;
}
