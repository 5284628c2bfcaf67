/** Starts the workbench: opens the door, mounts the views. Nothing else. */
import '../shared/tokens.css';
import '../shared/base.css';
import { openDoor } from '#door';
import { mount } from 'svelte';
import { Bench } from './bench.svelte';
import Workbench from './Workbench.svelte';

const target = document.getElementById('workbench');
if (target !== null) mount(Workbench, { target, props: { bench: new Bench(openDoor()) } });
