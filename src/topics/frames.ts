import { MAX_FRAME_BYTES } from "../contract/envelope.ts";

/** One element of a frame as JSON text, with its length in bytes. Made once for each version of a row
 * and shared by every frame that carries it. */
export interface EncodedElement {
  readonly text: string;
  readonly bytes: number;
}

export function encodeElement(element: object): EncodedElement {
  const text = JSON.stringify(element);
  return { text, bytes: Buffer.byteLength(text) };
}

/** The fields of a frame before its data, in the order in which they are written. */
export interface FrameHead {
  readonly topic: string;
  readonly snapshot?: true;
  readonly instance: string;
  readonly epoch?: string;
  readonly seq?: number;
  readonly prev_seq?: number;
  readonly more?: true;
}

/** One part of what may be several frames. */
export interface Part {
  readonly first: boolean;
  readonly last: boolean;
}

export interface FrameShape {
  /** The field of `data` that holds the elements; `undefined` where `data` is the list itself. */
  readonly field: string | undefined;
  head(part: Part): FrameHead;
  /** The other fields of `data`. */
  rest(part: Part): Record<string, unknown>;
}

type Elements = readonly EncodedElement[];

/** Writes each list of elements as one frame, or as several where one would be longer than a line may
 * be. Each is a whole line, newline included. No elements give one frame with an empty list. */
export function encodeFrames(lists: readonly Elements[], shape: FrameShape): Buffer[] {
  const [only] = lists;
  if (only !== undefined && lists.length === 1 && isOneFrame(only, shape)) {
    return [frameOf(only, WHOLE, shape)];
  }
  const limit = MAX_FRAME_BYTES - Math.max(...PARTS.map((part) => emptyFrameBytes(part, shape)));
  const groups = lists.flatMap((list) => groupByBytes(list, limit));
  return groups.map((group, index) => {
    return frameOf(group, { first: index === 0, last: index === groups.length - 1 }, shape);
  });
}

const WHOLE: Part = { first: true, last: true };

const PARTS: readonly Part[] = [
  { first: true, last: false },
  { first: false, last: false },
  { first: false, last: true },
];

function frameOf(elements: Elements, part: Part, shape: FrameShape): Buffer {
  const list = elements.map(({ text }) => text).join(",");
  return Buffer.from(`${frameText(list, part, shape)}\n`);
}

function frameText(list: string, part: Part, shape: FrameShape): string {
  const head = JSON.stringify({ ev: "topic", ...shape.head(part) });
  return `${head.slice(0, -1)},"data":${dataText(list, part, shape)}}`;
}

function dataText(list: string, part: Part, { field, rest }: FrameShape): string {
  if (field === undefined) return `[${list}]`;
  const others = JSON.stringify(rest(part)).slice(1);
  return `{${JSON.stringify(field)}:[${list}]${others === "}" ? "" : ","}${others}`;
}

/** What a part takes without its elements. */
function emptyFrameBytes(part: Part, shape: FrameShape): number {
  return Buffer.byteLength(frameText("", part, shape));
}

function isOneFrame(elements: Elements, shape: FrameShape): boolean {
  const bytes = elements.reduce((sum, element) => sum + 1 + element.bytes, 0);
  return Math.max(0, bytes - 1) + emptyFrameBytes(WHOLE, shape) <= MAX_FRAME_BYTES;
}

function groupByBytes(elements: Elements, limit: number): Elements[] {
  let group: EncodedElement[] = [];
  const groups = [group];
  let bytes = 0;
  for (const element of elements) {
    // Each but the first has a comma before it.
    if (group.length > 0 && bytes + 1 + element.bytes > limit) {
      group = [];
      groups.push(group);
      bytes = 0;
    }
    bytes += element.bytes + (group.length > 0 ? 1 : 0);
    group.push(element);
  }
  return groups;
}
