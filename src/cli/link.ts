/** The address that a browser opens. The fragment stays in the browser: it reaches no server and no log. */
export function addressWithToken(endpoint: string, token: string): string {
  return `${endpoint}#token=${token}`;
}
