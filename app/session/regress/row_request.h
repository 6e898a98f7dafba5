// Makes plan requests from rows of suites and sweeps.
#pragma once

#include "app/session/regress/suite.h"
#include "app/session/session.h"

#include <optional>
#include <string>

namespace stowage {

/// `path` itself if it is absolute, else `folder` + `path` (`folder`: empty, or with a slash at the end). Never "-", which would
/// be standard input; a file of that name is meant.
std::string pathFrom(const std::string& folder, const std::string& path);

/// An error if `path` is a FIFO, a socket or a terminal, because files that a suite, a baseline or a sweep names are not waited
/// for.
std::optional<Error> refuseFifo(const std::string& path);

/// Opens the row's model. Errors: those of `Session::read` and `refuseFifo`.
Expected<Model> openModel(const Session& session, const std::string& folder, const SuiteRow& row, const std::stop_token& cancel);

/// True when two rows read the same file in the same way.
bool sameInput(const SuiteRow& a, const SuiteRow& b);

/// The target in the file `name` of the folder, else the installed target of that name. Errors: those of `Session::target`.
Expected<Target> targetOf(const Session& session, const std::string& folder, const std::string& name);

/// The request of a row, without a function. Errors: no such planner, options that it does not take, no such target, a target
/// without the pools that the model names.
Expected<PlanRequest> requestOf(const Session& session, const std::string& folder, const SuiteRow& row, const Model& model);

} // namespace stowage
