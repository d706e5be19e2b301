module charm.land/bubbletea/v2

go 1.26.0
