export type { KnownKey } from './caller-key.ts';
export { createGateway } from './create-gateway.ts';
export type { Gateway, GatewayOptions } from './gateway-options.ts';
