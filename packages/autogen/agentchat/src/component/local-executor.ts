import { LocalCommandLineCodeExecutor } from '@teamfuse/code-executors';
import { z } from 'zod';
import { NotImplementedError } from '../base/errors.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from './component-loader.ts';
import { type ComponentModel, componentModel } from './component-model.ts';

const PROVIDER = 'autogen_ext.code_executors.local.LocalCommandLineCodeExecutor';
const DEFAULT_OUTPUT_BYTES = 1_048_576;
const configSchema = z.object({
  timeout: z.number().positive().default(60),
  work_dir: z.string().nullable().optional(),
  cleanup_temp_files: z.boolean().default(true),
  // AutoGen's executor ignores this limit.
  max_output_bytes: z.int().min(1).default(DEFAULT_OUTPUT_BYTES),
});

/** Loads executors that run code on this machine. */
export const localExecutorComponent: ComponentClass<LocalCommandLineCodeExecutor> = {
  provider: PROVIDER,
  load: (config) => {
    const data = validate(configSchema, config, 'LocalCommandLineCodeExecutorConfig');
    return new LocalCommandLineCodeExecutor({
      timeoutMs: Math.max(1, Math.round(data.timeout * 1000)),
      cleanupTempFiles: data.cleanup_temp_files,
      maxOutputBytes: data.max_output_bytes,
      ...(typeof data.work_dir === 'string' && { workDir: data.work_dir }),
    });
  },
};

/**
 * The dump of an executor.
 *
 * @throws {@link NotImplementedError} for an executor with its own environment, which may contain or hide keys, and for
 * one with limits, which a config could not describe and a loaded executor would not hold.
 */
export function localExecutorModel(executor: LocalCommandLineCodeExecutor): ComponentModel {
  const what = executor.hasOwnEnv ? 'an environment' : executor.givenLimits[0];
  if (what !== undefined) {
    throw new NotImplementedError(
      `This component does not support dumping to config: it was given ${what}`,
    );
  }
  const { maxOutputBytes } = executor;
  return componentModel(
    { provider: PROVIDER, componentType: 'code_executor' },
    {
      timeout: executor.timeoutMs / 1000,
      work_dir: executor.workDir,
      // AutoGen's module for functions, which no dump contains.
      functions_module: 'functions',
      cleanup_temp_files: executor.cleanupTempFiles,
      max_output_bytes: maxOutputBytes === DEFAULT_OUTPUT_BYTES ? null : maxOutputBytes,
    },
  );
}
