/** Many different words, from the first of `from` on. */
export function words(count: number, from = 0): string {
  return Array.from({ length: count }, (_, i) => wordOf(from + i)).join(' ');
}

function wordOf(number: number): string {
  const letters = 'bdfgklmnprstvz';
  const vowels = 'aeiou';
  const syllable = (n: number): string =>
    `${letters[n % letters.length]}${vowels[Math.floor(n / letters.length) % vowels.length]}`;
  return (
    syllable(number % 70) + syllable(Math.floor(number / 70) + 3) + syllable((number * 7) % 70)
  );
}
