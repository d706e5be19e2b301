module github.com/diamondburned/gotk4/pkg

go 1.26.0
