/** Starts the workbench: opens the backend, mounts the views. Nothing else. */
import '../shared/tokens.css';
import '../shared/base.css';
import { openBackend } from '#backend';
import { mount } from 'svelte';
import { WorkbenchState } from './workbench-state.svelte';
import Workbench from './Workbench.svelte';

const target = document.getElementById('workbench');
if (target !== null) mount(Workbench, { target, props: { state: new WorkbenchState(openBackend()) } });
