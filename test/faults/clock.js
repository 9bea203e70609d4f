// Loaded before a program: its clock jumps an hour on after ten seconds, and two back ten seconds later.
const real = Date.now;
const RealDate = Date;
const began = performance.now();

function shift() {
  const seconds = (performance.now() - began) / 1_000;
  if (seconds < 10) return 0;
  return seconds < 20 ? 3_600_000 : -3_600_000;
}

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(real() + shift());
    else super(...given);
  }
  static now() {
    return real() + shift();
  }
};
