type Level = 'debug' | 'info';

let sink: (level: Level, message: string) => void = () => {};

/** Shows log lines below warnings. Without it they are dropped. */
export function setLog(show: (level: Level, message: string) => void): void {
  sink = show;
}

export function emit(level: Level, message: string): void {
  sink(level, String(message));
}
