/** Lets an AbortSignal cancel an in-process call. The client sees the same errors as after an aborted network `fetch`. */

/** Rejects with the signal's reason if the signal aborts before the response. A later abort makes the response body fail. */
export function raceAbort(
  answered: Response | Promise<Response>,
  signal: AbortSignal,
): Response | Promise<Response> {
  if (!(answered instanceof Promise)) return withAbort(answered, signal);
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    const stopListening = (): void => signal.removeEventListener("abort", onAbort);
    answered.then((response) => resolve(withAbort(response, signal)), reject).finally(stopListening);
  });
}

/** Returns the response with a body that fails when the signal is aborted. */
function withAbort(response: Response, signal: AbortSignal): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const reader = body.getReader();
  const Stream = body.constructor as typeof ReadableStream; // Uses the body's class, because jsdom has no global ReadableStream.
  let end = (): void => {};
  const abortable = new Stream<Uint8Array>(
    {
      start(controller) {
        const onAbort = (): void => {
          end();
          controller.error(signal.reason);
          void reader.cancel(signal.reason).catch(() => {});
        };
        signal.addEventListener("abort", onAbort, { once: true });
        end = () => signal.removeEventListener("abort", onAbort);
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
