using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Contracts.Models;

/// <summary>Everything read from one contract interface.</summary>
/// <param name="Service">Null if there are errors.</param>
/// <param name="Messages">Messages that the service reaches; empty if there are errors.</param>
/// <param name="Diagnostics">Errors and warnings.</param>
internal sealed record ContractModel(ServiceModel? Service, EquatableArray<MessageModel> Messages, EquatableArray<DiagnosticModel> Diagnostics)
{
    /// <summary>Full name of the interface.</summary>
    public string Name { get; init; } = string.Empty;
}
