import { inOrder, SECTIONS, type Section } from "../shared/place.ts";
import type { Entry } from "./entry.ts";

/** The rows of one host in one part of the list. */
export interface Group {
  readonly instance: string;
  readonly host: string;
  readonly entries: readonly Entry[];
}

export interface Part {
  readonly section: Section;
  /** How many rows it has, those that the filter leaves out included. */
  readonly count: number;
  readonly groups: readonly Group[];
}

/** Every row in its place. Parts without any are left out. */
export function partsOf(all: Iterable<Entry>): Part[] {
  const bySection = new Map<Section, Entry[]>(SECTIONS.map((section) => [section, []]));
  for (const entry of all) bySection.get(entry.shown.peek().section)?.push(entry);
  const parts: Part[] = [];
  for (const [section, entries] of bySection) {
    if (entries.length === 0) continue;
    entries.sort((a, b) => inOrder(a.shown.peek(), b.shown.peek()));
    parts.push({ section, count: entries.length, groups: groupsOf(entries) });
  }
  return parts;
}

/** The same parts with some of their rows. Groups without any are left out. */
export function partsWith(parts: readonly Part[], isIn: (entry: Entry) => boolean): Part[] {
  return parts.map((part) => ({
    ...part,
    groups: part.groups
      .map((group) => ({ ...group, entries: group.entries.filter(isIn) }))
      .filter(({ entries }) => entries.length > 0),
  }));
}

/** All rows, in the order in which they are shown. */
export function rowsOf(parts: readonly Part[]): Entry[] {
  return parts.flatMap(({ groups }) => groups.flatMap(({ entries }) => entries));
}

function groupsOf(entries: readonly Entry[]): Group[] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const { instance } = entry.shown.peek().terminal;
    const group = groups.get(instance);
    if (group === undefined) groups.set(instance, [entry]);
    else group.push(entry);
  }
  return [...groups]
    .map(([instance, group]) => ({
      instance,
      host: group[0]?.shown.peek().host ?? "",
      entries: group,
    }))
    .sort((a, b) => (a.host < b.host ? -1 : 1));
}
