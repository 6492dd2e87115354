import { isIPv4, isIPv6 } from "node:net";

/** A host in its one spelling, which is that of a URL: lower case, IPv6 in brackets and shortest,
 * an IPv4 address that came in over an IPv6 socket as IPv4. */
export function hostOf(address: string): string {
  const bare = address.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  const plain = bare.replace(/^::ffff:(?=\d+\.)/, "");
  if (!isIPv6(plain)) return plain;
  return new URL(`http://[${plain}]/`).hostname;
}

/** Whether only this host can reach what listens there. */
export function isLoopback(host: string): boolean {
  const name = hostOf(host);
  if (isIPv4(name)) return name.startsWith("127.");
  return name === "localhost" || name === "[::1]";
}

/** The address that reaches a listener from its own host. */
export function reachableHost(host: string): string {
  const name = hostOf(host);
  if (name === "0.0.0.0") return "127.0.0.1";
  if (name === "[::]") return "[::1]";
  return name;
}
