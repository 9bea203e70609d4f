// Loaded before a program: its clock is right for a second, then an hour fast, then an hour slow, and so on.
const real = Date.now;
const RealDate = Date;
const began = performance.now();

function shift() {
  return [0, 3_600_000, -3_600_000][Math.floor((performance.now() - began) / 1_000) % 3];
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
