// Colours by lightness, chroma and hue as eyes see them (OKLCH, B. Ottosson 2020), as the hexadecimal ones that every viewer reads.

/** `lightness` 0…1, `hue` in degrees. Chroma that a screen cannot show is reduced. */
export function oklch(lightness: number, chroma: number, hue: number): string {
  const [red, green, blue] = linear(lightness, chroma, hue);
  const inside = [red, green, blue].every((value) => value > -0.001 && value < 1.001);
  if (!inside && chroma > 0.005) return oklch(lightness, chroma - 0.005, hue);
  return `#${[red, green, blue].map((value) => byte(value).toString(16).padStart(2, '0')).join('')}`;
}

function linear(lightness: number, chroma: number, hue: number): [red: number, green: number, blue: number] {
  const [a, b] = [chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

function byte(value: number): number {
  const within = Math.min(1, Math.max(0, value));
  return Math.round(255 * (within <= 0.0031308 ? 12.92 * within : 1.055 * within ** (1 / 2.4) - 0.055));
}
