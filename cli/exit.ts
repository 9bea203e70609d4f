// Exit codes, the same for every command.
export const exit = {
  ok: 0,
  /** The run ended, but something in it failed. */
  failed: 1,
  /** Bad usage, bad config, missing data, refused key: somebody has to change something. */
  problem: 2,
  /** The run is not finished: parked, pending, or left to others; or a gate that was asked for fails. */
  unfinished: 3,
  interrupted: 130,
} as const;
