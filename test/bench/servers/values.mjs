// The values that the bare servers send: an event, ten of them, a page of thirty consumptions; all as large as ours.

export const EVENT = {
  eventId: "0b6d1f0e-5d0a-4c57-9a53-6a4f5a2f7c11",
  name: "Luxurious bear workshop",
  location: "Sculpture garden",
  eventDescription: "Reactive clear-thinking throughput, with Ms. Muriel Hodkiewicz.",
  dates: ["2026-03-02", "2026-03-05"],
  price: 7.5,
};
export const EVENTS = Array.from({ length: 10 }, (_, index) => ({ ...EVENT, price: index }));

const consumption = (/** @type {number} */ index) => ({
  "@id": `/account/consumptions/64b2a1f0-0000-4000-8000-0000000000${10 + index}`,
  "@type": "Consumption",
  uuid: `64b2a1f0-0000-4000-8000-0000000000${10 + index}`,
  month: 1 + (index % 12),
  year: 2025,
  total: "105.25",
  invoices_sent: 300 + index,
  invoices_received: 121,
});
export const COLLECTION = {
  "@context": "/account/contexts/Consumption",
  "@id": "/account/consumptions",
  "@type": "hydra:Collection",
  "hydra:member": Array.from({ length: 30 }, (_, index) => consumption(index)),
  "hydra:totalItems": 40,
};

/** Says where a server listens, as the command line of ours does. */
export function ready(/** @type {number} */ port) {
  console.log(JSON.stringify({ event: "ready", url: `http://localhost:${port}`, pid: process.pid }));
}
