export function buildValidate(folder?: string): Promise<void>;
