import type { Terminal } from "@xterm/headless";

// What @xterm/headless 6.0.0 has inside and does not show, as far as it is used here. The version is fixed in
// package.json, and `insideOf` tells at once when another one is built in.

/** A row. `_data` has three numbers for each cell: content, foreground, background (see cells.ts). */
export interface Line {
  readonly _data: Uint32Array;
  readonly _combined: { readonly [column: number]: string };
  readonly _extendedAttrs: { readonly [column: number]: Extended | undefined };
  readonly length: number;
  isWrapped: boolean;
  addCodepointToCell(column: number, code: number, width: number): void;
}

/** The rarer attributes. `_ext` has the underline's colour and, from bit 26, its style, which the getter hides under a
 * link. */
export interface Extended {
  _ext: number;
  urlId: number;
  clone(): Extended;
}

/** The attributes that the next character gets. */
export interface Attributes {
  fg: number;
  bg: number;
  extended: Extended;
  updateExtended(): void;
}

/** Which character stands for which in one of the old sets; always the same object for the same set. */
export type Charset = Readonly<Record<string, string>>;

export interface Buffer {
  readonly lines: {
    readonly length: number;
    get(row: number): Line | undefined;
  };
  readonly ybase: number;
  x: number;
  y: number;
  readonly scrollTop: number;
  readonly scrollBottom: number;
  readonly tabs: { readonly [column: number]: boolean | undefined };
  savedX: number;
  savedY: number;
  readonly savedCurAttrData: Attributes;
  readonly savedCharset: Charset | undefined;
  addMarker(row: number): { readonly line: number; dispose(): void };
}

export interface Params {
  readonly params: Int32Array;
  readonly length: number;
}

interface Identifier {
  prefix?: string;
  intermediates?: string;
  final: string;
}

type Handler = (...given: never[]) => boolean;

/** A receiver of a string that comes in pieces, as code points. */
export interface StringHandler {
  put(data: Uint32Array, start: number, end: number): void;
}

export interface Parser {
  readonly currentState: number;
  /** What the next character needs to know of the one before it to join it; 0 after anything else. */
  readonly precedingJoinState: number;
  readonly _csiHandlers: Record<number, Handler[]>;
  readonly _escHandlers: Record<number, Handler[]>;
  readonly _executeHandlers: Record<number, Handler>;
  reset(): void;
  registerCsiHandler(id: Identifier, handler: (params: Params) => boolean): void;
  registerEscHandler(id: Identifier, handler: () => boolean): void;
  clearOscHandler(code: number): void;
  registerOscHandler(
    code: number,
    handler: StringHandler & { start(): void; end(success: boolean): boolean },
  ): void;
  clearDcsHandler(id: Identifier): void;
  registerDcsHandler(
    id: Identifier,
    handler: StringHandler & { hook(params: Params): void; unhook(success: boolean): boolean },
  ): void;
}

export interface Inside {
  readonly cols: number;
  readonly rows: number;
  readonly buffers: { readonly normal: Buffer; readonly alt: Buffer; readonly active: Buffer };
  readonly coreService: {
    readonly isCursorHidden: boolean;
    readonly modes: { readonly insertMode: boolean };
    readonly decPrivateModes: {
      readonly applicationCursorKeys: boolean;
      readonly applicationKeypad: boolean;
      readonly bracketedPasteMode: boolean;
      readonly cursorBlink: boolean | undefined;
      readonly cursorStyle: "block" | "underline" | "bar" | undefined;
      readonly origin: boolean;
      readonly reverseWraparound: boolean;
      readonly sendFocus: boolean;
      readonly synchronizedOutput: boolean;
      readonly wraparound: boolean;
    };
  };
  readonly coreMouseService: {
    readonly activeProtocol: string;
    readonly activeEncoding: string;
  };
  readonly optionsService: {
    readonly rawOptions: { readonly convertEol: boolean; readonly cursorBlink: boolean };
  };
  readonly unicodeService: {
    readonly _providers: Record<string, { wcwidth(code: number): number }>;
  };
  readonly _charsetService: {
    readonly charset: Charset | undefined;
    readonly glevel: number;
    readonly _charsets: readonly (Charset | undefined)[];
  };
  readonly _inputHandler: {
    readonly _curAttrData: Attributes;
    readonly _parser: Parser;
    readonly _utf8Decoder: { readonly interim: Uint8Array; clear(): void };
    parse(bytes: Uint8Array): void;
    _restrictCursor(lastColumn: number): void;
    _eraseInBufferLine(
      row: number,
      start: number,
      end: number,
      clearsWrap: boolean,
      spares: boolean,
    ): void;
    _resetBufferLine(row: number, spares: boolean): void;
  };
}

/** What a terminal has inside. Throws where it is not the version that this is written for. */
export function insideOf(terminal: Terminal): Inside {
  const core: unknown = "_core" in terminal ? terminal._core : undefined;
  if (!isInside(core)) {
    throw new Error(
      "@xterm/headless is not the version that the screen is written for: build with exactly 6.0.0",
    );
  }
  return core;
}

function isInside(core: unknown): core is Inside {
  if (typeof core !== "object" || core === null) return false;
  const { _inputHandler: input } = core as { _inputHandler?: { _parser?: object } };
  return (
    "_charsetService" in core &&
    "coreMouseService" in core &&
    typeof input === "object" &&
    "_curAttrData" in input &&
    typeof input._parser === "object" &&
    "_csiHandlers" in input._parser
  );
}
