/** What mutation tests change, by package. A package is tested by its own tests alone. */
export const ROOMS = {
  core: [
    'packages/core/src/{admission,breaker,budget,circuit,detection,disclosure,events,guard,judge,reactions,throttle}/**/*.ts',
  ],
  'adapter-kit': ['packages/adapter-kit/src/**/*.ts'],
  'adapter-agentchat': ['packages/adapter-agentchat/src/**/*.ts'],
  'adapter-groupchat': ['packages/adapter-groupchat/src/**/*.ts'],
};

/** The package that is being tested. Stryker hands the environment on to its test runners, and no argument. */
export const { MUTATED_PACKAGE: PACKAGE = 'core' } = process.env;
