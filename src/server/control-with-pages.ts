/** The control API, extended with the pages of the dashboard. */

import { control } from "../control/index.ts";
import { dashboard } from "../dashboard/index.ts";
import type { Service } from "../operation/service.ts";

export const controlWithPages: Service = { ...control, documents: { ...control.documents, ...dashboard } };
