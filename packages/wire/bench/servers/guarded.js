// A gateway that watches all and stops nothing, so that every call takes the same way.
import { Breaker } from '@teamfuse/core';
import { createGateway } from '@teamfuse/wire/gateway';
import { listen } from './listen.js';

const [upstream] = process.argv.slice(2);
const breaker = new Breaker({ reaction: 'observe' });
listen(createGateway({ upstream, breaker }).fetch);
