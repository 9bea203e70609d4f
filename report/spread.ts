// Choosing a few of many so that each kind is seen: rare kinds whole, common ones at even distances.

/** Up to `n` of them, in their order: as many of every kind as there are, or an equal share. */
export function spread<T>(all: T[], n: number, kindOf: (one: T) => string): T[] {
  if (all.length <= n) return all;
  const kinds = [...Map.groupBy(all.entries(), ([, one]) => kindOf(one)).values()].sort((a, b) => a.length - b.length);
  let left = n;
  const chosen = kinds.flatMap((members, at) => {
    const share = Math.min(members.length, Math.floor(left / (kinds.length - at)));
    left -= share;
    return evenly(members, share);
  });
  return chosen.sort(([a], [b]) => a - b).map(([, one]) => one);
}

function evenly<T>(members: T[], n: number): T[] {
  return Array.from({ length: n }, (_, at) => members[Math.floor(((at + 0.5) * members.length) / n)]).filter(
    (one) => one !== undefined,
  );
}
