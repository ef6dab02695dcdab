/** What a client in this process meets that gives up: as over a connection, no answer, nor what is left of one. */

/** The response as its client takes it; once the signal is aborted, the client gets the signal's reason instead. */
export function raceAbort(
  answered: Response | Promise<Response>,
  signal: AbortSignal,
): Response | Promise<Response> {
  if (!(answered instanceof Promise)) return withAbort(answered, signal);
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    signal.addEventListener("abort", leave, { once: true });
    const stay = (): void => signal.removeEventListener("abort", leave);
    answered.then((response) => resolve(withAbort(response, signal)), reject).finally(stay);
  });
}

/** The same response, whose body can be read until the signal is aborted. */
function withAbort(response: Response, signal: AbortSignal): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const Stream = body.constructor as typeof ReadableStream; // of its own kind: with jsdom for globals there may be none
  let end = (): void => {};
  const abortable = new Stream<Uint8Array>(
    {
      start(controller) {
        const leave = (): void => {
          end();
          controller.error(signal.reason);
          void reader.cancel(signal.reason).catch(() => {});
        };
        signal.addEventListener("abort", leave, { once: true });
        end = () => signal.removeEventListener("abort", leave);
      },
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (signal.aborted) return;
          if (!done) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(error);
        }
      },
      cancel(reason) {
        end();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(abortable, { status, statusText, headers });
}
