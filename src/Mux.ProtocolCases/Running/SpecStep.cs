namespace Mux.ProtocolCases.Running;

/// <summary>One step of a case: what this side sent, and what it awaited.</summary>
/// <param name="Number">Counted from 1, which is the connection.</param>
/// <param name="Sent">What the step sent; empty for a step that only waits.</param>
/// <param name="Awaited">What the peer has to do.</param>
internal sealed record SpecStep(int Number, string Sent, string Awaited)
{
    /// <summary>Whether it is one of the calls that the peer makes in every case, before anything of the case.</summary>
    public bool IsOpening { get; init; }

    /// <summary>The step before anything is sent.</summary>
    public static SpecStep Connecting { get; } = new(1, string.Empty, "a connection");

    public override string ToString() => Sent.Length == 0 ? $"{Number}: awaited {Awaited}" : $"{Number}: sent {Sent}, awaited {Awaited}";
}
