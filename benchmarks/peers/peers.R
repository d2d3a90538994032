# A server on standard input: "load FOLDER", "time TOOL TASK", "value TOOL TASK FILE". One line answers each.
# Times are taken here, so neither the start of R nor the way the data came in counts.
suppressMessages({
  for (package in c("pROC", "ROCR")) suppressWarnings(require(package, character.only = TRUE, quietly = TRUE))
})
max_fpr <- 0.1
column <- function(folder, name) {
  path <- file.path(folder, name)
  readBin(path, "double", file.size(path) / 8)
}
curve <- function(d) pROC::roc(d$y, d$p, levels = c(0, 1), direction = "<", quiet = TRUE)
second <- function(d) pROC::roc(d$y, d$q, levels = c(0, 1), direction = "<", quiet = TRUE)
with_error <- function(ci) c(ci[2], (ci[3] - ci[1]) / (2 * qnorm(0.975)))

run <- list(
  pROC = list(
    roc_auc = function(d) pROC::auc(curve(d)),
    partial_auc = function(d) pROC::auc(curve(d), partial.auc = c(1, 1 - max_fpr), partial.auc.correct = TRUE),
    roc_curve = curve,
    auc_interval = function(d) pROC::ci.auc(curve(d)),
    auc_test = function(d) pROC::roc.test(curve(d), second(d), method = "delong", paired = TRUE),
    auc_bootstrap = function(d) pROC::ci.auc(curve(d), method = "bootstrap", boot.n = 1000, progress = "none"),
    class_pairs = function(d) pROC::multiclass.roc(d$y, d$p, direction = "<", quiet = TRUE)
  ),
  ROCR = list(
    roc_auc = function(d) ROCR::performance(ROCR::prediction(d$p, d$y), "auc"),
    partial_auc = function(d) ROCR::performance(ROCR::prediction(d$p, d$y), "auc", fpr.stop = max_fpr),
    roc_curve = function(d) ROCR::performance(ROCR::prediction(d$p, d$y), "tpr", "fpr")
  )
)
value <- list(
  pROC = list(
    roc_auc = as.numeric,
    partial_auc = as.numeric,
    roc_curve = function(r) c(1 - r$specificities, r$sensitivities),
    auc_interval = function(ci) with_error(as.numeric(ci)),
    auc_test = function(t) c(t$estimate[[1]] - t$estimate[[2]], t$statistic[[1]]),
    auc_bootstrap = function(ci) as.numeric(ci)[c(1, 3)],
    class_pairs = function(m) as.numeric(m$auc)
  ),
  ROCR = list(
    roc_auc = function(f) f@y.values[[1]],
    partial_auc = function(f) { # ROCR gives the plain area; the standard form is McClish's
      low <- max_fpr^2 / 2
      0.5 * (1 + (f@y.values[[1]] - low) / (max_fpr - low))
    },
    roc_curve = function(f) c(rev(f@x.values[[1]]), rev(f@y.values[[1]]))
  )
)

answer <- function(words) {
  if (words[1] == "version") return(as.character(packageVersion(words[2])))
  if (words[1] == "has") return(exists(words[3], asNamespace(words[2])))
  if (words[1] == "load") {
    names <- c("y", "p", "q")
    cases <<- setNames(lapply(names, function(name) column(words[2], name)), names)
    invisible(gc())
    return("loaded")
  }
  work <- run[[words[2]]][[words[3]]]
  start <- Sys.time()
  result <- work(cases)
  seconds <- as.numeric(difftime(Sys.time(), start, units = "secs"))
  if (words[1] == "value") writeBin(as.numeric(value[[words[2]]][[words[3]]](result)), words[4])
  format(seconds, digits = 12)
}

input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) == 1) {
  said <- tryCatch(answer(strsplit(line, " ")[[1]]), error = function(e) paste("error:", conditionMessage(e)))
  cat(gsub("\n", " ", said), "\n", sep = "")
  flush(stdout())
}
