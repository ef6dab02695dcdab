// A raw client: writes bytes to a socket and reads what comes back, for requests that no HTTP client would send.

import { connect } from "node:net";

export type RawAnswer = {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Everything that came, as text. */
  readonly text: string;
};

/** Sends bytes and reads until `done` returns true or the server closes. */
export function exchangeRaw(
  port: number,
  parts: readonly (string | Buffer)[],
  done: (text: string) => boolean = isComplete,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    const finish = (): void => {
      socket.destroy();
      resolve(parseAnswer(Buffer.concat(chunks).toString("latin1")));
    };
    socket.on("data", (chunk) => {
      chunks.push(chunk);
      if (done(Buffer.concat(chunks).toString("latin1"))) finish();
    });
    socket.on("end", finish);
    socket.on("error", (error) => (chunks.length > 0 ? finish() : reject(error)));
    for (const part of parts) socket.write(typeof part === "string" ? Buffer.from(part, "latin1") : part);
  });
}

/** True once the first answer that is not `100 Continue` has come in full. */
function isComplete(text: string): boolean {
  const answer = parseAnswer(text);
  const length = Number(answer.headers["content-length"] ?? Number.NaN);
  if (answer.status === undefined || !text.includes("\r\n\r\n")) return false;
  return answer.status === 204 || answer.body.length >= length;
}

function parseAnswer(text: string): RawAnswer {
  const final = text.replace(/^HTTP\/1\.1 100 [^\r]*\r\n\r\n/, "");
  const [head = "", ...rest] = final.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const status = /^HTTP\/1\.1 (\d{3})/.exec(line)?.[1];
  const headers = Object.fromEntries(
    fields.map((field) => [
      field.slice(0, field.indexOf(":")).toLowerCase(),
      field.slice(field.indexOf(":") + 1).trim(),
    ]),
  );
  return {
    status: status === undefined ? undefined : Number(status),
    headers,
    body: rest.join("\r\n\r\n"),
    text,
  };
}
