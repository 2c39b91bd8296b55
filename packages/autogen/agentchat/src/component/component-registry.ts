import { NotImplementedError, ValueError } from '../base/errors.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass, ComponentLoader, Expected } from './component-loader.ts';
import { classNameOf, componentJson } from './component-model.ts';

const TRUSTED = [
  'autogen_core',
  'autogen_agentchat',
  'autogen_ext',
  'autogen_studio',
  'autogenstudio',
];

/**
 * Loads components by provider.
 *
 * Providers are looked up and never imported, so that an untrusted dump cannot choose the code that runs.
 */
export class ComponentRegistry implements ComponentLoader {
  readonly #classes = new Map<string, ComponentClass>();

  constructor(classes: readonly ComponentClass[] = []) {
    for (const componentClass of classes) this.register(componentClass);
  }

  /**
   * Registers a class.
   *
   * @throws {@link ValueError} when its provider has no dot or is registered already.
   */
  register(componentClass: ComponentClass): void {
    const { provider, aliases = [] } = componentClass;
    if (!provider.includes('.')) {
      throw new ValueError(`Component provider must be 'module.Class', got '${provider}'.`);
    }
    for (const name of [provider, ...aliases]) {
      if (this.#classes.has(name)) {
        throw new ValueError(`Component provider '${name}' is already registered.`);
      }
      this.#classes.set(name, componentClass);
    }
  }

  load<T>(model: unknown, expected: Expected<T>): T {
    const { provider, component_version, config } = validate(
      componentJson,
      model,
      'ComponentModel',
    );
    const componentClass = this.#find(provider);
    const { version = 1 } = componentClass;
    if (component_version && component_version < version) {
      throw new NotImplementedError(
        `Tried to load component <class '${classNameOf(componentClass.provider)}'> which is on version ${version} ` +
          `with a config on version ${component_version} but _from_config_past_version is not implemented`,
      );
    }
    const component = componentClass.load(config, this);
    if (!isExpected(component, expected)) throw new TypeError('Expected type does not match');
    return component;
  }

  #find(provider: string): ComponentClass {
    const found = this.#classes.get(provider);
    if (found !== undefined) return found;
    const dot = provider.lastIndexOf('.');
    if (dot < 0) throw new ValueError('Invalid');
    const module = provider.slice(0, dot);
    if (!TRUSTED.some((trusted) => module === trusted || module.startsWith(`${trusted}.`))) {
      throw new ValueError(
        `Provider module '${module}' is not in a trusted namespace. ` +
          `Allowed namespaces by default: ${TRUSTED.join(', ')}. ` +
          'To allow additional namespaces, set the AUTOGEN_ALLOWED_PROVIDER_NAMESPACES environment variable to a ' +
          'comma-separated list (e.g. AUTOGEN_ALLOWED_PROVIDER_NAMESPACES=mycompany_agents,mypackage).',
      );
    }
    const cause = new ValueError(`Provider '${provider}' is not registered.`);
    throw new TypeError('Invalid component class', { cause });
  }
}

function isExpected<T>(component: unknown, expected: Expected<T>): component is T {
  return 'is' in expected ? expected.is(component) : component instanceof expected;
}
