/** Starts the panel: makes its stores, sets theme and language on the page, mounts the views. Nothing else. */
import '../shared/tokens.css';
import '../shared/base.css';
import { openBackend } from '#backend';
import { mount } from 'svelte';
import { PanelState } from './panel-state.svelte';
import Panel from './Panel.svelte';

const target = document.getElementById('panel');
if (target !== null) mount(Panel, { target, props: { state: new PanelState(openBackend()) } });
