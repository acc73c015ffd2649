// A window with the page as one file. Put mo.html beside this file. It needs no server and no network; its own policy forbids connections.
// For Tauri the same file is the `frontendDist`: it has no other files.
const { app, BrowserWindow } = require('electron');
const { join } = require('node:path');

app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1280, height: 900, webPreferences: { sandbox: true, contextIsolation: true } });
  window.webContents.session.webRequest.onBeforeRequest(({ url }, decide) => decide({ cancel: !/^(?:file|blob|data):/.test(url) }));
  window.loadFile(join(__dirname, 'mo.html'));
});
app.on('window-all-closed', () => app.quit());
