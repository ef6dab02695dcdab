/** The control API and, for browsers, the dashboard, under one address. */

import { control } from "./control/index.ts";
import { dashboard } from "./dashboard/index.ts";
import type { Service } from "./operation/service.ts";
import { presetNames, readPreset } from "./places/node/package-files.ts";

export const controlWithPages: Service = {
  ...control,
  documents: { ...control.documents, ...dashboard(presets) },
};

/** The presets by name, with their titles. */
function presets() {
  return presetNames().map((name) => {
    const { title } = JSON.parse(readPreset(name).text) as { readonly title: string }; // our own files
    return { name, title };
  });
}
