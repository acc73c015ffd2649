/** The compiled core as its glue exports it: the JavaScript side of bindings.cpp. */
import type { CoreTable, ExtensionCallbacks } from '../../extension/core/core-table.js';
import type { Message } from './messages.js';
import type { Template } from './msg.js';

/** What went wrong in a host, where it is not the file itself that is asked for. An empty hint means that of the code, a number of codes.ts. */
export interface HostFailure {
  code: number;
  said: Template;
  file: string;
  hint: string;
}

/** The files of one model, read by the host. Nothing here may throw: what went wrong comes back as a template, or with its place. */
export interface HostFiles {
  /** A handle, -1 when there is no such file, or why it cannot be opened. The same name gives the same handle. */
  open(name: string): number | Template | HostFailure;
  /**
   * The bare names in a folder, with a `/` behind those of folders; an empty list if there is no such folder; or a template on why it
   * cannot be read.
   */
  list(folder: string): string[] | Template | HostFailure;
  size(handle: number): number;
  /** Fills `out` with the bytes from `offset` on; a template says why that failed. */
  read(handle: number, offset: number, out: Uint8Array): Template | HostFailure | undefined;
}

/** The pieces of the `.bin`, in order; segmentsOf() gives them. */
export interface SegmentTable {
  /**
   * Six numbers for each: kind (0: file, 1: bytes, 2: recipe); size; the file, the recipe, or the index in `bytes`; offset or piece; file and offset
   * of the elements of a recipe that stores f32 as f16, -1 for others.
   */
  rows: Float64Array<ArrayBuffer>;
  bytes: Uint8Array<ArrayBuffer>[];
}

/** A file that options ask for beside the pair. */
export interface CoreFile<Kind = 'mapping' | 'check' | 'trace' | 'events' | 'parameters'> {
  kind: Kind;
  name: string;
  /** The option whose value is its folder; empty: it is beside the pair. */
  folderOption: string;
  /** What is in it, in UTF-8; of a check JSON of what its script needs to know. Empty where there are segments, and if no content has been made. */
  text: Uint8Array<ArrayBuffer>;
  segments: SegmentTable;
}

export interface Converted {
  ok: true;
  /** Warnings. */
  messages: Message[];
  segments: SegmentTable;
  /** Names of the files that segments refer to. */
  files: string[];
  /** A configuration with what the model adds to it, if that was asked for instead of an IR; else empty. */
  config: string;
  /** JSON of the analysis, if that was asked for instead of an IR; else empty. */
  analysis: string;
  /** Those that were asked for, in the order in which they are written. */
  sideFiles: CoreFile[];
  /** JSON of a Report. */
  report: string;
  /** What readRecipe and release take. */
  id: number;
}

export interface Inspected {
  ok: true;
  /** JSON of an Inspection without its messages; `{}` when the model cannot be loaded. */
  facts: string;
  messages: Message[];
  /** The argument of release(). The graph is freed only there, because that takes a while. */
  id: number;
}

export interface Verified {
  /** JSON of a Verification without its messages and graph; `{}` when the IR cannot be read. */
  facts: string;
  /** JSON of an IrGraph, in UTF-8, if it was asked for. */
  graph?: Uint8Array<ArrayBuffer>;
  messages: Message[];
}

/** An IR to compare: the name of its .xml among the files, and what texts call it. */
export interface IrFile {
  name: string;
  shown: string;
}

export interface ComparedIrs {
  /** Lines for people. */
  text: string;
  /** JSON {same, contents, operations, matched, constants, counts, differences}; `{}` when one cannot be read. */
  facts: string;
  messages: Message[];
  readable: boolean;
  same: boolean;
}

export interface Listed {
  ok: true;
  /** JSON in UTF-8. */
  places: Uint8Array<ArrayBuffer>;
}

/** Files of one role for a model, besides the main one and those that the model itself names. */
export interface CompanionFiles {
  /** As messages call it: `checkpoint`. */
  role: string;
  /** The option that names them. */
  option: string;
  /** The model is nothing without them. */
  needed: boolean;
  /** What the option would be; empty if they are absent, or if several are candidates. */
  value: string;
  /** Those that are there. */
  files: string[];
  /** Values of the option, if more than one may be meant. */
  candidates: string[];
  /** Names, with `*` for any characters, if the files are absent. */
  lookedFor: string[];
}

/** A file, or a folder, that can be converted. */
export interface FoundModel {
  main: string;
  isFolder: boolean;
  /** Empty if its bytes are not known: its conversion says why. */
  framework: string;
  companions: CompanionFiles[];
}

/** Which of many files are models, and which belong to none. */
export interface FoundModels {
  /** By path. */
  models: FoundModel[];
  others: string[];
  /** Files without content: with it, more may be found. */
  unread: string[];
  /** What some of the others are, by their bytes, and what to do instead: a message for each, whose `file` is its path. */
  recognised: Message[];
}

export interface ModelsFound extends FoundModels {
  ok: true;
}

export interface Failed {
  ok: false;
  messages: Message[];
}

/** Variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A model on the command line. */
export interface ModelArgument {
  /** As given; `-` for the standard input. */
  path: string;
  /** Of the IR. */
  name: string;
  /** The user has given the name. */
  isNamed: boolean;
  /** Where the IR is, below the output folder: empty, or `a/b`. */
  folder: string;
}

/** A command line as `mo` reads it. */
export interface CommandLine {
  action: 'convert' | 'list_transforms' | 'list_configurations' | 'help' | 'completion' | 'version' | 'refused';
  /** `help`: the program; `completion`: the shell; `version`, `refused`, `list_configurations`: what to print; `convert`: the options in force, if `verbose`. */
  text: string;
  models: ModelArgument[];
  outputDir: string;
  logLevel: string;
  /** Errors only, whatever the level is. */
  silent: boolean;
  /** Options, time and memory are printed, too. */
  verbose: boolean;
  /** The result is one line of JSON for each model. */
  json: boolean;
  /** Models are inspected instead of converted. */
  info: boolean;
  /** The models are IRs, which are verified instead. */
  verify: boolean;
  /** The models are two IRs, which are compared instead; with `hash` also the contents of their constants. */
  compare: boolean;
  hash: boolean;
  /** The path of the report; empty without one. Only for one model. */
  report: string;
  /** A model whose record says that nothing has changed is not converted. */
  skipUnchanged: boolean;
  /** Files wait for the disk before they get their names. */
  fsync: boolean;
  /** Models that are converted at once: 1 to 256. */
  jobs: number;
  progress: boolean;
  streamOutput: boolean;
  /** Folders of extensions. */
  extensions: string[];
  options: [name: string, value: string][];
  /** Names of options whose values are paths of files, as the user gave them: convert() takes absolute ones. */
  paths: string[];
  /** Those of them that are transformations configurations, which commands check before they open a model. */
  configurations: string[];
  /** `refused`: the message that `text` is made from. */
  messages: Message[];
}

export interface Core extends CoreTable {
  convert(
    files: HostFiles,
    mainFile: string,
    options: [name: string, value: string][],
    onProgress: (phase: string, transform: string, index: number, count: number) => void,
    extensions: ExtensionCallbacks | undefined,
    /** Gets the `.xml` while it is written, in pieces that may end inside a character: views of the heap, valid until it returns. It may not throw. */
    onXml: (piece: Uint8Array) => void,
  ): Converted | Failed;
  inspect(
    files: HostFiles,
    mainFile: string,
    options: [name: string, value: string][],
    onProgress: (phase: string, transform: string, index: number, count: number) => void,
    extensions: ExtensionCallbacks | undefined,
    /** Gets JSON of FirstFacts as soon as they are known. */
    onFacts: (facts: string) => void,
  ): Inspected | Failed;
  /** Verifies the IR `mainFile`, with the .bin beside it; `withGraph`: what its graph is, too. */
  verifyIr(files: HostFiles, mainFile: string, withGraph: boolean): Verified;
  /** Compares two IRs; with `contents` also the bytes of their constants, in the .bin beside them. */
  compareIrs(files: HostFiles, a: IrFile, b: IrFile, contents: boolean): ComparedIrs;
  /** The names of all .xml in the folder of the files, and below. */
  listIrs(files: HostFiles): string[];
  /** The nodes at which the model can be cut. */
  listPlaces(
    files: HostFiles,
    mainFile: string,
    options: [name: string, value: string][],
    onProgress: (phase: string, transform: string, index: number, count: number) => void,
  ): Listed | Failed;
  /** The files that these options ask for beside the pair `name`, without content. */
  sideFiles(options: [name: string, value: string][], name: string): CoreFile[];
  /** Whether a configuration of that name is part of the core. */
  isBuiltInConfig(path: string): boolean;
  /** The paths in the value of an option of kind Path or Files. */
  optionPaths(option: string, value: string): string[];
  /** The existing files that an option of kind Path or Files names by `value`. */
  optionFiles(files: HostFiles, option: string, value: string): string[];
  /** Which of the files below `folder` are models, and which belong to them; it may be a model itself. Empty means all files. */
  findModels(files: HostFiles, folder: string): ModelsFound | Failed;
  /** The file in the folder of the files that a user means by the beginning of its name; empty where there is none, or there are several. */
  fileMeantBy(files: HostFiles, name: string): string | Failed;
  /** The table of --list_transforms. */
  listTransforms(options: [name: string, value: string][], extensions: ExtensionCallbacks | undefined): string | Failed;
  /** The bytes asked for, as a window into the heap: use or copy them before the next call. */
  readRecipe(id: number, recipe: number, offset: number, size: number): Uint8Array | Failed;
  /**
   * Stores f32 of the file `name` as f16: `read` fills a view of twice `size` bytes, or says why it cannot. Returns the f16 as a window
   * into the heap: use or copy them before the next call.
   */
  compress(size: number, name: string, read: (out: Uint8Array) => Template | HostFailure | undefined): Uint8Array | Failed;
  /** Forgets a conversion and its recipes, or an inspection. */
  release(id: number): void;
  parseCommandLine(program: string, args: string[], environment: Environment): CommandLine;
  /** Names models anew, when those in folders have been found, with the folders in which these lie. `report`: the path of the report, of one model only. */
  nameModels(models: ModelArgument[], report: string): ModelArgument[] | Failed;
  /** What is wrong with the text of a transformations configuration, whatever the model is. */
  checkConfig(text: string): Message | undefined;
  version(): string;
  /** The name of the IR for the file or folder at a path, if the user gives none. */
  defaultModelName(path: string): string;
  /** The line that the command line prints for a message. */
  formatMessage(message: Message): string;
  /** Whether its memory could not grow. What it holds is worth nothing after that. */
  lacksMemory?: boolean;
  /** The message of an error that only a host can meet. `code` is its number in the core's table: codes.ts. */
  hostMessage(code: number, said: Template, file: string): Message;
}

export interface CoreSettings {
  instantiateWasm(
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): WebAssembly.Exports;
}

export default function createCore(settings: CoreSettings): Promise<Core>;
