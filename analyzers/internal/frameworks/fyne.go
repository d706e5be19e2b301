package frameworks

var fyneLoop = Loop{Name: "Fyne's main goroutine"}

// fyne runs all that drivers and widgets call back on one goroutine, since
// version 2.6.
var fyne = []family{
	{
		loop:  fyneLoop,
		paths: []string{"fyne.io/fyne/v2"},
		callbacks: `Do DoAndWait NewMenuItem NewMenuItemWithIcon
			Lifecycle.{SetOnEnteredForeground,SetOnExitedForeground,SetOnStarted}
			Canvas.{SetOnTypedRune,SetOnTypedKey,AddShortcut}
			Window.{SetOnClosed,SetCloseIntercept,SetOnDropped}`,
		fields: "MenuItem.Action Animation.Tick",
		methods: `CanvasObject.{MinSize,Resize,Refresh,Show,Hide} Widget.CreateRenderer
			WidgetRenderer.{Layout,MinSize,Refresh,Objects} Layout.{Layout,MinSize}
			Tappable.Tapped SecondaryTappable.TappedSecondary DoubleTappable.DoubleTapped
			Draggable.{Dragged,DragEnd} Focusable.{FocusGained,FocusLost,TypedRune,TypedKey}
			Scrollable.Scrolled Shortcutable.TypedShortcut`,
		selfWaits: "DoAndWait",
	},
	{
		loop:    fyneLoop,
		paths:   []string{"fyne.io/fyne/v2/driver/desktop"},
		methods: "Hoverable.{MouseIn,MouseMoved,MouseOut} Mouseable.{MouseDown,MouseUp} Keyable.{KeyDown,KeyUp}",
	},
	{
		loop:    fyneLoop,
		paths:   []string{"fyne.io/fyne/v2/driver/mobile"},
		methods: "Touchable.{TouchDown,TouchUp,TouchCancel}",
	},
	{
		loop:  fyneLoop,
		paths: []string{"fyne.io/fyne/v2/dialog"},
		callbacks: `NewColorPicker ShowColorPicker NewConfirm ShowConfirm NewEntryDialog ShowEntryDialog
			NewFileOpen ShowFileOpen NewFileSave ShowFileSave NewFolderOpen ShowFolderOpen NewForm ShowForm
			EntryDialog.SetOnClosed FileDialog.SetOnClosed`,
	},
	{
		loop:  fyneLoop,
		paths: []string{"fyne.io/fyne/v2/container"},
		fields: `AppTabs.{OnChanged,OnSelected,OnUnselected}
			DocTabs.{CreateTab,CloseIntercept,OnClosed,OnSelected,OnUnselected}`,
	},
	{
		loop:  fyneLoop,
		paths: []string{"fyne.io/fyne/v2/widget"},
		callbacks: `NewButton NewButtonWithIcon NewCalendar NewCheck NewCheckGroup NewGridWrap NewGridWrapWithData
			NewList NewListWithData NewRadioGroup NewSelect NewTable NewTableWithHeaders NewToolbarAction
			NewTree NewTreeWithData Entry.SetOnValidationChanged Form.SetOnValidationChanged`,
		fields: `Button.OnTapped Calendar.OnChanged Check.OnChanged CheckGroup.OnChanged DateEntry.OnChanged
			Entry.{OnChanged,OnSubmitted,OnCursorChanged} Form.{OnSubmit,OnCancel}
			{GridWrap,List}.{Length,CreateItem,UpdateItem,OnSelected,OnUnselected} Hyperlink.OnTapped
			ProgressBar.TextFormatter RadioGroup.OnChanged Select.OnChanged Slider.{OnChanged,OnChangeEnded}
			Table.{Length,CreateCell,UpdateCell,OnSelected,OnUnselected,CreateHeader,UpdateHeader}
			ToolbarAction.OnActivated
			Tree.{ChildUIDs,CreateNode,IsBranch,OnBranchClosed,OnBranchOpened,OnSelected,OnUnselected,UpdateNode}`,
	},
}
