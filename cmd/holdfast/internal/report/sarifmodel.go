package report

// The part of the SARIF 2.1.0 object model that the report uses; names and
// meaning are those of the OASIS standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}

	sarifRun struct {
		Tool        sarifTool         `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		ColumnKind  string            `json:"columnKind"`
		Results     []sarifResult     `json:"results"`
	}

	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}

	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}

	sarifRule struct {
		ID               string     `json:"id"`
		ShortDescription *sarifText `json:"shortDescription,omitempty"`
		FullDescription  *sarifText `json:"fullDescription,omitempty"`
		Help             *sarifHelp `json:"help,omitempty"`
		HelpURI          string     `json:"helpUri,omitempty"`
	}

	sarifText struct {
		Text string `json:"text"`
	}

	sarifHelp struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}

	sarifInvocation struct {
		ExecutionSuccessful bool                `json:"executionSuccessful"`
		ExitCode            int                 `json:"exitCode"`
		Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}

	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}

	sarifResult struct {
		RuleID              string              `json:"ruleId"`
		RuleIndex           int                 `json:"ruleIndex"`
		Level               string              `json:"level"`
		Message             sarifText           `json:"message"`
		Locations           []sarifLocation     `json:"locations"`
		Related             []sarifLocation     `json:"relatedLocations,omitempty"`
		CodeFlows           []sarifCodeFlow     `json:"codeFlows,omitempty"`
		PartialFingerprints map[string]string   `json:"partialFingerprints"`
		BaselineState       string              `json:"baselineState,omitempty"`
		Suppressions        []sarifSuppression  `json:"suppressions,omitempty"`
		Fixes               []sarifFix          `json:"fixes,omitempty"`
		Properties          map[string][]string `json:"properties,omitempty"`
	}

	sarifLocation struct {
		ID       int           `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}

	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   *sarifRegion  `json:"region,omitempty"`
	}

	sarifArtifact struct {
		URI    string `json:"uri"`
		BaseID string `json:"uriBaseId,omitempty"`
	}

	// sarifRegion has 1-based lines and columns; its end column is exclusive,
	// and without an end line it ends on its first.
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
		EndLine     int `json:"endLine,omitempty"`
		EndColumn   int `json:"endColumn,omitempty"`
	}

	sarifCodeFlow struct {
		ThreadFlows []sarifThreadFlow `json:"threadFlows"`
	}

	sarifThreadFlow struct {
		Locations []sarifStep `json:"locations"`
	}

	sarifStep struct {
		Location sarifLocation `json:"location"`
	}

	sarifSuppression struct {
		Kind          string `json:"kind"`
		Status        string `json:"status"`
		Justification string `json:"justification"`
	}

	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}

	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}

	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
)
