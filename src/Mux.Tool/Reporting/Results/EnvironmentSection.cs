using Mux.Tool.Serving;

namespace Mux.Tool.Reporting.Results;

/// <param name="Client">The process that called.</param>
/// <param name="Server">The process that answered; null if it does not tell.</param>
internal sealed record EnvironmentSection(ProcessEnvironment Client, ProcessEnvironment? Server);
