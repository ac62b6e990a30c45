namespace Mux.ProtocolCases.Running;

/// <summary>One step of a case: the action of this side, and the awaited action of the peer.</summary>
/// <param name="Number">Number from 1, which is the connection.</param>
/// <param name="Sent">What the step sent; empty for a step that only waits.</param>
/// <param name="Awaited">Required action of the peer.</param>
internal sealed record SpecStep(int Number, string Sent, string Awaited)
{
    /// <summary>True if it is one of the calls that the peer makes in every case, before the case itself.</summary>
    public bool IsOpening { get; init; }

    /// <summary>The step before anything is sent.</summary>
    public static SpecStep Connecting { get; } = new(1, string.Empty, "a connection");

    public override string ToString() => Sent.Length == 0 ? $"{Number}: awaited {Awaited}" : $"{Number}: sent {Sent}, awaited {Awaited}";
}
