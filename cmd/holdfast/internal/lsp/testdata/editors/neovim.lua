-- Opens main.go, edits it without saving, sees the finding, applies the fix and
-- sees it go. Run by TestNeovim with the settings that README gives.
local function fail(what)
  print('FAILED: ' .. what)
  for _, d in ipairs(vim.diagnostic.get(0)) do print(d.lnum, d.col, d.source, d.code, d.message) end
  vim.cmd('cquit 1')
end
local function wait(what, holds)
  if not vim.wait(120000, holds, 20) then fail('no ' .. what) end
  print('saw ' .. what)
end
local function finding(code)
  for _, d in ipairs(vim.diagnostic.get(0)) do
    if d.source == 'holdfast' and d.code == code then return d end
  end
end
local function replace(line, from, to)
  local text = vim.api.nvim_buf_get_lines(0, line, line + 1, true)[1]
  local at = text:find(from, 1, true)
  if not at then fail('text ' .. from .. ' in ' .. text) end
  vim.api.nvim_buf_set_text(0, line, at - 1, line, at - 1 + #from, { to })
end

wait('the finding', function() local d = finding('loop-block'); return d and d.lnum == 9 and d.col == 28 end)

-- An emoji before it: the column is counted in UTF-16, and shown in bytes.
replace(9, 'os.Remove(event)', '_ = "🙂"; os.Remove(event)')
wait('it move', function() local d = finding('loop-block'); return d and d.col == 28 + #'_ = "🙂"; ' end)

local d = finding('loop-block')
local params = {
  textDocument = vim.lsp.util.make_text_document_params(),
  range = d.user_data.lsp and { start = { line = d.lnum, character = 0 }, ['end'] = { line = d.lnum, character = 99 } },
  context = { diagnostics = {} },
}
params.range = params.range or { start = { line = d.lnum, character = 0 }, ['end'] = { line = d.lnum, character = 99 } }
local applied = false
for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/codeAction', params, 10000)) do
  for _, action in ipairs(answer.result or {}) do
    if vim.startswith(action.title, 'Add loop-block marker') then
      vim.lsp.util.apply_workspace_edit(action.edit, 'utf-16')
      applied = true
    end
  end
end
if not applied then fail('action') end
wait('the question for a reason', function() return finding('marker') end)
replace(9, 'why?', 'the file lies in memory, on a tmpfs')
wait('nothing', function() return #vim.diagnostic.get(0) == 0 end)
if not vim.bo.modified then fail('unsaved text') end
vim.cmd('qall!')
