// A rate always carries its n and interval; without cases there is no rate.
/** Shares in 0…1. All three are null where n = 0. */
export type Rate = { value: number | null; low: number | null; high: number | null; n: number };
