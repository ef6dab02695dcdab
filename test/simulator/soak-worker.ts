// One process of the long run: plays the jobs that it is sent, one after another, and tells what came of each.

import { type Job, run } from "./course.ts";

process.on("message", (job: Job) => {
  void run(job).then((told) => process.send?.(told));
});
