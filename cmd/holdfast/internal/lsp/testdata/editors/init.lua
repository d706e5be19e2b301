vim.api.nvim_create_autocmd('FileType', { pattern = 'go', callback = function()
  vim.lsp.buf_attach_client(0, vim.lsp.start_client({ cmd = { 'holdfast', 'lsp' }, root_dir = vim.fn.getcwd() }))
end })
