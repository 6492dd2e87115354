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

/** Writes elements as one frame, or as several where one would be longer than a line may be. Each is a
 * whole line, newline included. No elements give one frame with an empty list. */
export function encodeFrames(elements: readonly EncodedElement[], shape: FrameShape): Buffer[] {
  const groups = groupByBytes(elements, MAX_FRAME_BYTES - emptyFrameBytes(shape));
  return groups.map((group, index) => {
    const part = { first: index === 0, last: index === groups.length - 1 };
    return Buffer.from(frameText(group.map(({ text }) => text).join(","), part, shape));
  });
}

function frameText(list: string, part: Part, shape: FrameShape): string {
  const head = JSON.stringify({ ev: "topic", ...shape.head(part) });
  return `${head.slice(0, -1)},"data":${dataText(list, part, shape)}}\n`;
}

function dataText(list: string, part: Part, { field, rest }: FrameShape): string {
  if (field === undefined) return `[${list}]`;
  const others = JSON.stringify(rest(part)).slice(1);
  return `{${JSON.stringify(field)}:[${list}]${others === "}" ? "" : ","}${others}`;
}

/** What a part takes without its elements, at the most. */
function emptyFrameBytes(shape: FrameShape): number {
  const parts = [true, false].flatMap((first) => [true, false].map((last) => ({ first, last })));
  return Math.max(...parts.map((part) => Buffer.byteLength(frameText("", part, shape))));
}

function groupByBytes(elements: readonly EncodedElement[], limit: number): EncodedElement[][] {
  let group: EncodedElement[] = [];
  const groups = [group];
  let bytes = 0;
  for (const element of elements) {
    if (group.length > 0 && bytes + 1 + element.bytes > limit) {
      group = [];
      groups.push(group);
      bytes = 0;
    }
    group.push(element);
    bytes += element.bytes + 1;
  }
  return groups;
}
