using Mux.Tool.Serving;

namespace Mux.Tool.Reporting.Results;

/// <param name="Client">The calling process.</param>
/// <param name="Server">The answering process; null if it does not report it.</param>
internal sealed record EnvironmentSection(ProcessEnvironment Client, ProcessEnvironment? Server);
