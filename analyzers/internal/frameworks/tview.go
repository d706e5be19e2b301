package frameworks

var tviewLoop = Loop{Name: "tview's loop"}

// tview runs all callbacks on the goroutine of Application.Run. QueueUpdate
// waits until its function has run there. TextView.SetChangedFunc is no entry:
// its function runs wherever the view is written to. Suspend is there to block.
var tview = []family{
	{
		loop:  tviewLoop,
		paths: []string{"github.com/rivo/tview", "github.com/derailed/tview"},
		callbacks: `Application.{QueueUpdate,QueueUpdateDraw,SetInputCapture,SetMouseCapture}
			Application.{SetBeforeDrawFunc,SetAfterDrawFunc}
			Box.{SetDrawFunc,SetInputCapture,SetMouseCapture,SetFocusFunc,SetBlurFunc}
			Box.{WrapInputHandler,WrapMouseHandler,WrapPasteHandler}
			Button.{SetSelectedFunc,SetExitFunc}
			Checkbox.{SetChangedFunc,SetDoneFunc,SetFinishedFunc}
			DropDown.{AddOption,SetOptions,SetSelectedFunc,SetDoneFunc,SetFinishedFunc}
			Form.{AddTextArea,AddInputField,AddPasswordField,AddDropDown,AddCheckbox,AddButton,SetCancelFunc}
			Image.SetFinishedFunc
			InputField.{SetAutocompleteFunc,SetAutocompletedFunc,SetAcceptanceFunc,SetChangedFunc,SetDoneFunc,SetFinishedFunc}
			List.{SetChangedFunc,SetSelectedFunc,SetDoneFunc,AddItem,InsertItem}
			Modal.SetDoneFunc Pages.SetChangedFunc
			TableCell.SetClickedFunc
			Table.{SetSelectedFunc,SetSelectionChangedFunc,SetDoneFunc}
			TextArea.{SetClipboard,SetChangedFunc,SetMovedFunc,SetFinishedFunc}
			TextView.{SetDoneFunc,SetHighlightedFunc,SetFinishedFunc}
			TreeNode.SetSelectedFunc
			TreeView.{SetChangedFunc,SetSelectedFunc,SetDoneFunc}`,
		methods:   "Primitive.{Draw,InputHandler,MouseHandler,PasteHandler} TableContent.GetCell",
		offLoop:   "Application.Suspend TextView.SetChangedFunc",
		selfWaits: "Application.{QueueUpdate,QueueUpdateDraw,Draw}",
	},
}
