// What forks, snapshots and resets cost at three sizes of state: the figures of one column should not grow.

import { bench, describe } from "vitest";
import { createSandbox } from "../../src/vitrine.ts";

const options = { time: 300, warmupTime: 50 };

for (const size of [100, 10_000, 100_000]) {
  const sandbox = await createSandbox();
  const events = sandbox.world.store.collection("museum/specialEvents");
  events.clear();
  for (let n = 0; n < size; n += 1)
    events.set(String(n), {
      eventId: String(n),
      name: "n",
      location: "l",
      eventDescription: "d",
      dates: [],
      price: n,
    });
  const { world } = sandbox;
  const base = world.snapshot();
  let turn = 0;
  const touch = (): void => {
    turn += 1;
    events.set("1", {
      eventId: "1",
      name: "n",
      location: "l",
      eventDescription: "d",
      dates: [],
      price: turn,
    });
  };

  describe(`${size} entities`, () => {
    bench(
      "snapshot after a write",
      () => {
        touch();
        world.snapshot();
      },
      options,
    );
    bench(
      "restore after a write",
      () => {
        touch();
        world.restore(base);
      },
      options,
    );
    bench("fork", () => void world.fork("w"), options);
    bench("get one", () => void events.get("1"), options);
  });
}
