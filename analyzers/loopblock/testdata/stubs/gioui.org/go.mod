module gioui.org

go 1.26.0
