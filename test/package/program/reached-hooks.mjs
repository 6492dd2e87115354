let port;

export function initialize(given) {
  port = given;
}

export async function resolve(specifier, context, next) {
  const { url, format, ...rest } = await next(specifier, context);
  port.postMessage({ url, format });
  return { url, format, ...rest };
}
