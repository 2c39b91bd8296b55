let failures = 0;

/** Prints whether a program ended well, and said what was `expected`; if not, the end of its output. */
export function report(what, { status, stdout, output }, expected = /^/) {
  const isRight = status === 0 && expected.test(stdout.trim());
  console.log(`${isRight ? 'ok    ' : 'FAILED'} ${what}`);
  if (!isRight) {
    failures++;
    console.log(output.trim().slice(-2000));
  }
  return isRight;
}

/** How many have failed. */
export function failed() {
  return failures;
}
