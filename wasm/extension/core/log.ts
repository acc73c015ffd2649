type Level = 'debug' | 'info';

/** Shows a line below warnings. */
export type Show = (line: { level: Level; text: string }) => void;

let sink: Show = () => {};

/** Shows log lines below warnings. Without it they are dropped. */
export function setLog(show: Show): void {
  sink = show;
}

export function emit(level: Level, message: string): void {
  sink({ level, text: String(message) });
}
