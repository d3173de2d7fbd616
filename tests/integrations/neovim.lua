local id = vim.lsp.start_client({name = "fabula", cmd = vim.fn.json_decode(vim.env.COMMAND)})
vim.lsp.buf_attach_client(0, id)
vim.wait(90000, function() return #vim.diagnostic.get(0) > 0 end, 50)
local shown, at = vim.diagnostic.get(0), vim.lsp.util.make_range_params()
at.context = {diagnostics = vim.lsp.diagnostic.get_line_diagnostics(0, 0)}
local actions = vim.lsp.buf_request_sync(0, "textDocument/codeAction", at, 60000)[id].result
vim.lsp.buf.execute_command(actions[1].command)
vim.wait(90000, function() return #vim.diagnostic.get(0) == 0 end, 50)
print(vim.fn.json_encode({shown, vim.diagnostic.get(0), actions}))
