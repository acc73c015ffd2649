/** The signals that a command hands on to the processes that it has started. */
export const INTERRUPTIONS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
