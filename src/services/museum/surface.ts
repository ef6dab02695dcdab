/** Generated: public types of the museum. To update this file, run `npm run docs`. */

import type { ErrorResponse, HeaderInput, QueryValue, Success } from "../../operation/client.ts";
import type { MuseumProblem } from "./operation.ts";

/** Opening hours of one day. */
export type DailyHours = {
  /** A calendar date, `YYYY-MM-DD`. */
  date: string;
  /** When the museum opens, `HH:MM` in its own time zone. */
  timeOpen: string;
  /** When the museum closes, `HH:MM` in its own time zone. */
  timeClose: string;
};

/** Opening hours of consecutive days. */
export type MuseumHours = DailyHours[];

/** A special event hosted by the museum. */
export type SpecialEvent = {
  /** Id of the event. The museum chooses it. */
  eventId: string;
  /** Name of the event. */
  name: string;
  /** Where the event is held: a room of the museum, or a place outside. */
  location: string;
  /** Description of the event, for visitors. */
  eventDescription: string;
  /** The planned dates: calendar dates of the museum, in any order. */
  dates: string[];
  /** Price of a ticket: a number, without currency. */
  price: number;
};

/** A new event. The museum chooses its `eventId`. */
export type SpecialEventInput = {
  /** Name of the event. */
  name: string;
  /** Where the event is held: a room of the museum, or a place outside. */
  location: string;
  /** Description of the event, for visitors. */
  eventDescription: string;
  /** The planned dates: calendar dates of the museum, in any order. */
  dates: string[];
  /** Price of a ticket: a number, without currency. */
  price: number;
};

/** Changes of an event. Omitted fields stay as they are. */
export type SpecialEventUpdate = {
  /** Name of the event. */
  name?: string | undefined;
  /** Where the event is held: a room of the museum, or a place outside. */
  location?: string | undefined;
  /** Description of the event, for visitors. */
  eventDescription?: string | undefined;
  /** The planned dates: calendar dates of the museum, in any order. */
  dates?: string[] | undefined;
  /** Price of a ticket: a number, without currency. */
  price?: number | undefined;
};

/** One page of events, sorted by their first date in the range. */
export type SpecialEvents = SpecialEvent[];

export type StoredTicket = {
  /** Description of the purchase, for the buyer. */
  message: string;
  /** Name of the special event, for tickets of type `event`. */
  eventName?: string | undefined;
  /** Id of the ticket. The museum chooses it. */
  ticketId: string;
  /** `general` for entry to the museum, `event` for a special event. */
  ticketType: "event" | "general";
  /** The day on which the ticket is valid, `YYYY-MM-DD`. */
  ticketDate: string;
  /** Text in the ticket's QR code, which is scanned at the door. */
  confirmationCode: string;
  email: string;
  phone?: string | undefined;
  eventId?: string | undefined;
};

/** A purchased ticket. */
export type Ticket = {
  /** Description of the purchase, for the buyer. */
  message: string;
  /** Name of the special event, for tickets of type `event`. */
  eventName?: string | undefined;
  /** Id of the ticket. The museum chooses it. */
  ticketId: string;
  /** `general` for entry to the museum, `event` for a special event. */
  ticketType: "event" | "general";
  /** The day on which the ticket is valid, `YYYY-MM-DD`. */
  ticketDate: string;
  /** Text in the ticket's QR code, which is scanned at the door. */
  confirmationCode: string;
};

/** The purchase of a ticket. */
export type TicketPurchase = {
  /** `general` for entry to the museum, `event` for a special event. */
  ticketType: "event" | "general";
  /** The special event; required for tickets of type `event`. */
  eventId?: string | undefined;
  /** The day on which the ticket is valid, `YYYY-MM-DD`. */
  ticketDate: string;
  /** The buyer's email address, for the confirmation. */
  email: string;
  /** The buyer's phone number. */
  phone?: string | undefined;
};

/** Client of the museum: one method per operation. The type of a response depends on its status. */
export type MuseumClient = {
  /**
   * Create a special event: `POST /special-events`.
   * Plans a new event. The museum chooses its `eventId`.
   *
   * Body: `name`, `location`, `eventDescription`, `dates`, `price`.
   */
  createSpecialEvent(request: {
    readonly body: SpecialEventInput;
    readonly headers?: HeaderInput;
  }): Promise<Success<201, SpecialEvent> | ErrorResponse<400 | 401 | 413, MuseumProblem>>;
  /**
   * List special events: `GET /special-events`.
   * Events in a range, sorted by first matching date. Default: today and the next seven days.
   */
  listSpecialEvents(request?: {
    readonly query?: {
      /** Start of the range, included. Default: today. */
      readonly startDate?: QueryValue;
      /** End of the range, included. Default: seven days after startDate. */
      readonly endDate?: QueryValue;
      /** Page number to retrieve. */
      readonly page?: QueryValue;
      /** Number of items (events) per page. */
      readonly limit?: QueryValue;
    };
    readonly headers?: HeaderInput;
  }): Promise<Success<200, SpecialEvents> | ErrorResponse<400 | 401, MuseumProblem>>;
  /**
   * Get a special event: `GET /special-events/{eventId}`.
   * One event by its `eventId`, with all its fields.
   */
  getSpecialEvent(request: {
    readonly params: {
      /** `eventId` of the event. */
      readonly eventId: string;
    };
    readonly headers?: HeaderInput;
  }): Promise<Success<200, SpecialEvent> | ErrorResponse<400 | 401 | 404, MuseumProblem>>;
  /**
   * Update a special event: `PATCH /special-events/{eventId}`.
   * Changes the fields in the body. Other fields stay as they are. `eventId` cannot be changed.
   *
   * Body: `name?`, `location?`, `eventDescription?`, `dates?`, `price?`.
   */
  updateSpecialEvent(request: {
    readonly params: {
      /** `eventId` of the event. */
      readonly eventId: string;
    };
    readonly body: SpecialEventUpdate;
    readonly headers?: HeaderInput;
  }): Promise<Success<200, SpecialEvent> | ErrorResponse<400 | 401 | 404 | 413, MuseumProblem>>;
  /**
   * Delete a special event: `DELETE /special-events/{eventId}`.
   * Cancels a planned event. A second delete returns 404.
   */
  deleteSpecialEvent(request: {
    readonly params: {
      /** `eventId` of the event. */
      readonly eventId: string;
    };
    readonly headers?: HeaderInput;
  }): Promise<Success<204, undefined> | ErrorResponse<400 | 401 | 404, MuseumProblem>>;
  /**
   * Get museum hours: `GET /museum-hours`.
   * Opening hours of consecutive days from `startDate`. Default: today.
   */
  getMuseumHours(request?: {
    readonly query?: {
      /** Start of the range, included. Default: today. */
      readonly startDate?: QueryValue;
      /** Page number to retrieve. */
      readonly page?: QueryValue;
      /** Number of items (days) per page. */
      readonly limit?: QueryValue;
    };
    readonly headers?: HeaderInput;
  }): Promise<Success<200, MuseumHours> | ErrorResponse<400 | 401, MuseumProblem>>;
  /**
   * Buy museum tickets: `POST /tickets`.
   * Buys one ticket, for general entry or for the special event `eventId`.
   *
   * Body: `ticketType`, `eventId?`, `ticketDate`, `email`, `phone?`.
   */
  buyMuseumTickets(request: {
    readonly body: TicketPurchase;
    readonly headers?: HeaderInput;
  }): Promise<Success<201, Ticket> | ErrorResponse<400 | 401 | 404 | 413, MuseumProblem>>;
  /**
   * Get the QR code of a ticket: `GET /tickets/{ticketId}/qr`.
   * The ticket's confirmation code as an image, for scanning at the door.
   */
  getTicketCode(request: {
    readonly params: {
      /** `ticketId` of the ticket. */
      readonly ticketId: string;
    };
    readonly headers?: HeaderInput;
  }): Promise<Success<200, Uint8Array> | ErrorResponse<400 | 401 | 404, MuseumProblem>>;
};

/** Parameters, fields, statuses and problems that rules and matchers can use, by operation. */
export type MuseumOperations = {
  "museum.createSpecialEvent": {
    params: never;
    query: never;
    body: "name" | "location" | "eventDescription" | "dates" | "price";
    status: 201 | 400 | 401 | 413 | 422;
    problem: "credentialsRequired" | "malformedBody" | "invalidInput" | "bodyTooLarge";
  };
  "museum.listSpecialEvents": {
    params: never;
    query: "startDate" | "endDate" | "page" | "limit";
    body: never;
    status: 200 | 400 | 401 | 422;
    problem: "credentialsRequired" | "invalidInput";
  };
  "museum.getSpecialEvent": {
    params: "eventId";
    query: never;
    body: never;
    status: 200 | 400 | 401 | 404 | 422;
    problem: "credentialsRequired" | "invalidInput" | "eventNotFound";
  };
  "museum.updateSpecialEvent": {
    params: "eventId";
    query: never;
    body: "name" | "location" | "eventDescription" | "dates" | "price";
    status: 200 | 400 | 401 | 404 | 413 | 422;
    problem: "credentialsRequired" | "malformedBody" | "invalidInput" | "eventNotFound" | "bodyTooLarge";
  };
  "museum.deleteSpecialEvent": {
    params: "eventId";
    query: never;
    body: never;
    status: 204 | 400 | 401 | 404 | 422;
    problem: "credentialsRequired" | "invalidInput" | "eventNotFound";
  };
  "museum.getMuseumHours": {
    params: never;
    query: "startDate" | "page" | "limit";
    body: never;
    status: 200 | 400 | 401 | 422;
    problem: "credentialsRequired" | "invalidInput";
  };
  "museum.buyMuseumTickets": {
    params: never;
    query: never;
    body: "ticketType" | "eventId" | "ticketDate" | "email" | "phone";
    status: 201 | 400 | 401 | 404 | 413 | 422;
    problem: "credentialsRequired" | "malformedBody" | "invalidInput" | "eventNotFound" | "bodyTooLarge";
  };
  "museum.getTicketCode": {
    params: "ticketId";
    query: never;
    body: never;
    status: 200 | 400 | 401 | 404 | 422;
    problem: "credentialsRequired" | "invalidInput" | "ticketNotFound";
  };
};

/** Keys of the error responses of the museum. */
export type MuseumProblemKey =
  | "malformedBody"
  | "invalidInput"
  | "credentialsRequired"
  | "eventNotFound"
  | "ticketNotFound"
  | "pathNotFound"
  | "methodNotAllowed"
  | "bodyTooLarge"
  | "serverError"
  | "notStored"
  | "storageFull";

/** Settings of the museum. */
export type MuseumSettingsInput = {
  /** Whether error bodies also have `status`, `detail` and `errors`. Default false. */
  errorDetail?: boolean | undefined;
  /** Status of a response to invalid input. Default 400. */
  validationStatus?: 400 | 422 | undefined;
  /** List of valid `{ user, password }`. Default: every pair is valid. */
  credentials?:
    | {
        user: string;
        password: string;
      }[]
    | undefined;
  /** A `limit` above 30 is an error, or becomes 30. Default "refuse". */
  limitAboveMaximum?: "refuse" | "clamp" | undefined;
  /** Unit of the parameter `limit` in the list of events. Default "events". */
  pageBy?: "events" | "days" | undefined;
  /** Whether unknown query parameters and body fields are errors. Default false. */
  strict?: boolean | undefined;
  /** Whether empty values, past dates, prices of 0 or less, and tickets for a day that their event does not list are errors. Default false. */
  strictDomain?: boolean | undefined;
  /** Whether the operations for opening hours and tickets exist. Default true. */
  preview?: boolean | undefined;
};

/** Types of the entities by collection: `input` to write them, `output` to read them. */
export type MuseumData = {
  specialEvents: { input: SpecialEvent; output: SpecialEvent };
  tickets: { input: StoredTicket; output: StoredTicket };
};
