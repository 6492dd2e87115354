export interface ProtocolFacts {
  readonly contract: object;
  readonly closeCodes: object;
  readonly constants: Readonly<Record<string, object>>;
}

export function protocolFacts(): Promise<ProtocolFacts>;
export function protocolParts(facts: ProtocolFacts): Record<string, string>;
export function renderProtocol(text: string, made: Record<string, string>): string;
