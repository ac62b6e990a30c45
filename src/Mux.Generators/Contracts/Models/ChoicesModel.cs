namespace Mux.Generators.Contracts.Models;

/// <summary>The choices of a contract for one method, resolved from method and service.</summary>
/// <param name="Assignments">What an initializer of MethodChoices holds, such as "Idempotent = true"; nothing for defaults.</param>
/// <param name="Format">The name of the format that its messages have.</param>
internal sealed record ChoicesModel(EquatableArray<string> Assignments, string Format = ChoicesModel.Protobuf)
{
    /// <summary>The name of the codec's format.</summary>
    public const string Protobuf = "protobuf";

    /// <summary>Who may call it; null where the contract does not say.</summary>
    public AuthorizationModel? Authorization { get; init; }
}
