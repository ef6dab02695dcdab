// The operations as the simulator knows them, from the two documents: how each is called, and what its path names.

export type EnvironmentKey = "museum" | "account" | "accountSandbox";
export type AccountKey = Exclude<EnvironmentKey, "museum">;

export const BASES: Readonly<Record<EnvironmentKey, string>> = {
  museum: "/museum/v1.1",
  account: "/account",
  accountSandbox: "/account-sandbox",
};

const museum = {
  createSpecialEvent: ["POST", "/special-events"],
  listSpecialEvents: ["GET", "/special-events"],
  getSpecialEvent: ["GET", "/special-events/{id}"],
  updateSpecialEvent: ["PATCH", "/special-events/{id}"],
  deleteSpecialEvent: ["DELETE", "/special-events/{id}"],
  getMuseumHours: ["GET", "/museum-hours"],
  buyMuseumTickets: ["POST", "/tickets"],
  getTicketCode: ["GET", "/tickets/{id}/qr"],
} as const;

const account = {
  login: ["POST", "/login"],
  listConsumptions: ["GET", "/consumptions"],
  getConsumption: ["GET", "/consumptions/{id}"],
  listPreSales: ["GET", "/pre-sales"],
  getPreSale: ["GET", "/pre-sales/{id}"],
  listPreSaleActions: ["GET", "/pre-sale-actions"],
  createPreSaleAction: ["POST", "/pre-sale-actions"],
  getPreSaleAction: ["GET", "/pre-sale-actions/{id}"],
  replacePreSaleAction: ["PUT", "/pre-sale-actions/{id}"],
  deletePreSaleAction: ["DELETE", "/pre-sale-actions/{id}"],
  getUser: ["GET", "/users/{id}"],
  replaceUser: ["PUT", "/users/{id}"],
  changePassword: ["PUT", "/users/{id}/change-password"],
} as const;

export type MuseumOperation = keyof typeof museum;
export type AccountOperation = keyof typeof account;
export type OperationName = MuseumOperation | AccountOperation;

const OPERATIONS: Readonly<Record<OperationName, readonly [method: string, path: string]>> = {
  ...museum,
  ...account,
};

export function isMuseum(operation: OperationName): operation is MuseumOperation {
  return Object.hasOwn(museum, operation);
}

/** `museum.createSpecialEvent`, as rules and the journal name it. */
export function fullName(operation: OperationName): string {
  return `${isMuseum(operation) ? "museum" : "account"}.${operation}`;
}

export function methodOf(operation: OperationName): string {
  return OPERATIONS[operation][0];
}

/** The path within the service. */
export function pathOf(operation: OperationName, id = ""): string {
  return OPERATIONS[operation][1].replace("{id}", encodeURIComponent(id));
}
