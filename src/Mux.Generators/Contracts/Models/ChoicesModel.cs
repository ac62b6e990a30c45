namespace Mux.Generators.Contracts.Models;

/// <summary>How a method runs and travels, resolved from method and contract.</summary>
/// <param name="Dispatch">The name of the MuxDispatchMode member.</param>
/// <param name="TimeoutMilliseconds">0 where nobody chose.</param>
/// <param name="Priority">The name of the MuxCallPriority member.</param>
/// <param name="Idempotent">Whether it may run twice without harm.</param>
/// <param name="MaxMessageBytes">0 where nobody chose.</param>
/// <param name="Format">What the bytes of its messages are called.</param>
internal sealed record ChoicesModel(
    string Dispatch, int TimeoutMilliseconds, string Priority, bool Idempotent, int MaxMessageBytes, string Format = ChoicesModel.Protobuf)
{
    /// <summary>Who may call it; null where nobody chose.</summary>
    public AuthorizationModel? Authorization { get; init; }

    /// <summary>What the bytes of the codec are called.</summary>
    public const string Protobuf = "protobuf";
}
