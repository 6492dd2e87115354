import { readdirSync, readFileSync } from "node:fs";
import type { TSchema } from "@sinclair/typebox";
import { namedSchemas, schemaFile } from "../../scripts/schemas.mjs";
import * as contract from "../../src/index.ts";

const root = new URL("../../", import.meta.url);

export const readJson = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(path, root), "utf8"));

/** A value of the corpus, and the schema that it is about. */
export interface Case {
  readonly type: string;
  /** Its file below `fixtures`. */
  readonly file: string;
  readonly value: unknown;
}

export interface InvalidCase extends Case {
  readonly why: string;
  readonly path: string;
}

/** Every named schema of the contract. */
export const schemas: ReadonlyMap<string, TSchema> = namedSchemas(contract);

export function schemaOf(type: string): TSchema {
  const schema = schemas.get(type);
  if (schema === undefined) throw new Error(`no schema is named ${type}`);
  return schema;
}

/** The committed JSON Schema document of a schema. */
export const committedDocument = (type: string) =>
  readJson(`schemas/${schemaFile(type)}`) as Record<string, unknown>;

function filesOf(kind: "valid" | "invalid"): { type: string; file: string }[] {
  return readdirSync(new URL(`fixtures/${kind}`, root)).flatMap((type) =>
    readdirSync(new URL(`fixtures/${kind}/${type}`, root)).map((name) => ({
      type,
      file: `${kind}/${type}/${name}`,
    })),
  );
}

export const validCases: readonly Case[] = filesOf("valid").map((at) => ({
  ...at,
  value: readJson(`fixtures/${at.file}`),
}));

export const invalidCases: readonly InvalidCase[] = filesOf("invalid").map((at) => ({
  ...at,
  ...(readJson(`fixtures/${at.file}`) as { why: string; path: string; value: unknown }),
}));

/** Frames in order, and what a reader holds after them. */
export interface Sequence {
  readonly name: string;
  readonly topic: contract.RowTopic;
  readonly frames: readonly contract.TopicFrame[];
  /** The rows of all instances, in any order. */
  readonly rows: readonly object[];
  /** The frames that do not build on what is held. */
  readonly holes?: readonly number[];
  /** The frames of other topics. */
  readonly foreign?: readonly number[];
  /** What is known of an instance beside its rows. */
  readonly standing?: Readonly<Record<string, object>>;
}

export const sequences: readonly Sequence[] = readdirSync(new URL("fixtures/sequences", root)).map(
  (name) => ({ name, ...(readJson(`fixtures/sequences/${name}`) as Omit<Sequence, "name">) }),
);
