;; Opens main.go with Eglot, edits it without saving, sees the finding, applies
;; the fix and sees it go. Run by TestEmacs with the settings that README gives.

(require 'eglot)
(require 'flymake)

(unless (fboundp 'go-mode) ; which Debian's emacs has not
  (define-derived-mode go-mode prog-mode "Go")
  (add-to-list 'auto-mode-alist '("\\.go\\'" . go-mode)))

(defun holdfast-say (format &rest args)
  (append-to-file (concat (apply #'format format args) "\n") nil (getenv "HOLDFAST_TEST_OUTPUT")))

(defun holdfast-texts () (mapcar #'flymake-diagnostic-text (flymake-diagnostics)))

(defun holdfast-finding (part)
  (seq-find (lambda (d) (string-match-p part (flymake-diagnostic-text d))) (flymake-diagnostics)))

(defun holdfast-wait (what holds)
  (let ((end (+ (float-time) 120)))
    (while (not (funcall holds))
      (when (> (float-time) end)
        (error "waited too long for %s: %S" what (holdfast-texts)))
      (sit-for 0.05)))
  (holdfast-say "saw %s" what))

(defun holdfast-replace (from to)
  (goto-char (point-min))
  (search-forward from)
  (replace-match to t t))

(defun holdfast-test ()
  (find-file "main.go")
  (setq eglot-sync-connect 60 eglot-connect-timeout 120)
  (apply #'eglot (eglot--guess-contact))
  (flymake-mode 1)
  (holdfast-wait "the finding" (lambda () (holdfast-finding "waits on disk")))
  (holdfast-replace "os.Remove(event)" "_ = \"🙂\"; os.Remove(event)")
  (holdfast-wait "it move"
                 (lambda () (let ((d (holdfast-finding "waits on disk")))
                              (and d (string= (buffer-substring (flymake-diagnostic-beg d) (+ 9 (flymake-diagnostic-beg d)))
                                              "os.Remove")))))
  (let ((action (seq-find (lambda (a) (string-prefix-p "Add loop-block marker" (plist-get a :title)))
                          (eglot-code-actions (flymake-diagnostic-beg (holdfast-finding "waits on disk")) nil nil nil))))
    (unless action (error "there is no action"))
    (eglot--apply-workspace-edit (plist-get action :edit)))
  (holdfast-wait "the question for a reason" (lambda () (holdfast-finding "words that are no reason")))
  (holdfast-replace "why?" "the file lies in memory, on a tmpfs")
  (holdfast-wait "nothing" (lambda () (null (flymake-diagnostics))))
  (unless (buffer-modified-p) (error "the text was saved"))
  (set-buffer-modified-p nil)
  (eglot-shutdown (eglot-current-server) nil 60)) ; gopls finishes what it began

(run-at-time 0.1 nil
             (lambda ()
               (condition-case err
                   (progn (holdfast-test) (kill-emacs 0))
                 (error (holdfast-say "FAILED: %S" err) (kill-emacs 1)))))
