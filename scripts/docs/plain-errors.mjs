// What a script says of a mistake in its input is one line. A mistake of the script itself keeps its trace.
process.on('uncaughtException', (error) => {
  console.error(error.constructor === Error ? error.message : error);
  process.exit(1);
});
