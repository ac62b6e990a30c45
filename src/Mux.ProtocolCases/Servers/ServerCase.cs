using Mux.ProtocolCases.Running;

namespace Mux.ProtocolCases.Servers;

/// <summary>A case for a server that is not a row of bytes, because it depends on what the server announces and returns.</summary>
/// <param name="Name">Name of the case.</param>
/// <param name="Sent">Action of the tool.</param>
/// <param name="Expected">Required reaction of the server.</param>
/// <param name="Play">Runs the case on a connection whose calls are open. Throws a SpecFailure if the server reacts in another way.</param>
internal sealed record ServerCase(string Name, string Sent, string Expected, Func<SpecScene, Task<string>> Play)
{
    /// <summary>Row of PROTOCOL.md; null if it is not in the table.</summary>
    public int? Row { get; init; }

    /// <summary>Returns the reason why the case cannot be played against a server, or null.</summary>
    public required Func<SpecTarget, string?> WhyNot { get; init; }

    public override string ToString() => Name;
}

/// <summary>Result of a case.</summary>
/// <param name="Case">The case.</param>
/// <param name="Verdict">The verdict.</param>
/// <param name="Got">Actual reaction, or the reason why the case was not played.</param>
/// <param name="Step">Step of the failure; null if it did not fail.</param>
internal sealed record ServerResult(ServerCase Case, SpecVerdict Verdict, string Got, SpecStep? Step);
