type Level = 'debug' | 'info';

/** Shows a log line of a level below warnings. */
export type Show = (line: { level: Level; text: string }) => void;

let sink: Show = () => {};

/** Sets the function that shows log lines of levels below warnings. Without one they are dropped. */
export function setLog(show: Show): void {
  sink = show;
}

export function emit(level: Level, message: string): void {
  sink({ level, text: String(message) });
}
