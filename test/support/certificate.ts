// A certificate of this machine, made with the command openssl.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { afterAll } from "vitest";

/** Creates the certificate and its key, as files that exist until the tests end. */
export function makeCertificate(): { readonly cert: string; readonly key: string } {
  const folder = mkdtempSync(`${tmpdir()}/vitrine-certificate-`);
  afterAll(() => rmSync(folder, { recursive: true }));
  const made = "req -x509 -nodes -newkey rsa:2048 -days 2 -keyout key.pem -out cert.pem -subj /CN=localhost";
  const names = `${made} -addext subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1`.split(" ");
  execFileSync("openssl", names, { cwd: folder, stdio: "pipe" });
  return { cert: `${folder}/cert.pem`, key: `${folder}/key.pem` };
}
