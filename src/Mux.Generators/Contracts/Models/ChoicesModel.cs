namespace Mux.Generators.Contracts.Models;

/// <summary>The choices of a contract for one method, resolved from method and service.</summary>
/// <param name="Assignments">Content of a MethodChoices initializer, such as "Idempotent = true"; defaults are omitted.</param>
/// <param name="Format">Format of its messages.</param>
internal sealed record ChoicesModel(EquatableArray<string> Assignments, string Format = ChoicesModel.Protobuf)
{
    /// <summary>Name of the codec's format.</summary>
    public const string Protobuf = "protobuf";

    /// <summary>True if a choice is made whose assignment begins so.</summary>
    public bool Has(string start) => Assignments.Any(assignment => assignment.StartsWith(start, StringComparison.Ordinal));

    /// <summary>Authorization; null if the contract declares none.</summary>
    public AuthorizationModel? Authorization { get; init; }
}
