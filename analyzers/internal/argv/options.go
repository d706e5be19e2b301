package argv

import "strings"

// options says which of a program's options take a value, in getopt's way:
// the letters of the short ones, and the names of the long ones without
// dashes, space-separated. All others are flags.
type options struct {
	short string
	long  string
}

// An option is one option on a command line. The name of a short one is its
// letter, that of a long one its name without dashes.
type option struct {
	name  string
	value Arg
}

// split parses options as getopt does and returns them and the operands that
// follow. Unknown arguments of unknown number are taken for options.
func (o options) split(args []Arg) (given []option, operands []Arg) {
	for len(args) > 0 {
		arg := args[0]
		switch {
		case arg.is("--"):
			return given, args[1:]
		case arg.Rest:
			args = args[1:]
		case !arg.isOption():
			return given, args
		case strings.HasPrefix(arg.Value, "--"):
			var opt option
			opt, args = o.takeLong(arg, args[1:])
			given = append(given, opt)
		default:
			var opts []option
			opts, args = o.takeShort(arg, args[1:])
			given = append(given, opts...)
		}
	}
	return given, nil
}

// takeLong parses --name, --name=value or --name value.
func (o options) takeLong(arg Arg, rest []Arg) (option, []Arg) {
	name, value, hasValue := strings.Cut(arg.Value[2:], "=")
	if hasValue {
		return option{name, Arg{Value: value, Known: true, Prefix: arg.Prefix}}, rest
	}
	if hasWord(o.long, name) && len(rest) > 0 {
		return option{name, rest[0]}, rest[1:]
	}
	return option{name: name}, rest
}

// takeShort parses a cluster of letters, the last of which may take a value:
// -ab, -abVALUE or -ab VALUE.
func (o options) takeShort(arg Arg, rest []Arg) (given []option, after []Arg) {
	letters := []rune(arg.Value[1:])
	for i, letter := range letters {
		if letter == Hole || !strings.ContainsRune(o.short, letter) {
			given = append(given, option{name: string(letter)})
			continue
		}
		if i+1 < len(letters) || arg.Prefix {
			value := Arg{Value: string(letters[i+1:]), Known: true, Prefix: arg.Prefix}
			return append(given, option{string(letter), value}), rest
		}
		if len(rest) > 0 {
			return append(given, option{string(letter), rest[0]}), rest[1:]
		}
		return append(given, option{name: string(letter)}), rest
	}
	return given, rest
}

// permuted parses options wherever they stand, as GNU getopt does for programs
// that run no other one, up to "--".
func (o options) permuted(args []Arg) []option {
	var all []option
	for {
		given, operands := o.split(args)
		all = append(all, given...)
		if len(operands) == 0 || len(operands) < len(args) && args[len(args)-len(operands)-1].is("--") {
			return all
		}
		args = operands[1:]
	}
}

// find returns the first option with one of the names, space-separated.
func find(given []option, names string) (option, bool) {
	for _, opt := range given {
		if hasWord(names, opt.name) {
			return opt, true
		}
	}
	return option{}, false
}
