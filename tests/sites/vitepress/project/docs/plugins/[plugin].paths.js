export default {
  paths: [
    { params: { plugin: 'copy' }, content: 'Copies files.' },
    { params: { plugin: 'move' }, content: 'Moves files.' },
  ],
}
