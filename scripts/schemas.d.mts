import type { TSchema } from "@sinclair/typebox";

export type JsonSchema = { readonly [keyword: string]: unknown };

export function schemaName(id: string): string;
export function schemaFile(name: string): string;
export function namedSchemas(contract: object): Map<string, TSchema>;
export const DIALECTS: { readonly channel: string };
export function schemaDocuments(contract: object, dialect?: string): Map<string, JsonSchema>;
export function loadContract(): Promise<typeof import("../src/index.ts")>;
