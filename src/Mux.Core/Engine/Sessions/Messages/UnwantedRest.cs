using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// The rest of a request that was answered before it was whole: its fragments may still come, and are counted and dropped. Small, because a peer can have one
/// in each slot. Turn only.
/// </summary>
internal sealed class UnwantedRest
{
    private readonly int _length;
    private int _fragments;

    /// <param name="length">Length of a message of which only the first frame came, in bytes.</param>
    public UnwantedRest(int length) => (_length, Left) = (length, length);

    /// <param name="message">A message of which some fragments came.</param>
    public UnwantedRest(PartialMessage message) => (_length, Left, _fragments) = (message.Length, message.Left, message.Fragments);

    /// <summary>Bytes that are missing.</summary>
    public int Left { get; private set; }

    /// <summary>Counts a fragment.</summary>
    /// <returns>The rule that it breaks, or null.</returns>
    public ProtocolViolation? OnFragment(FrameHeader header, int bytes)
    {
        var violation = FragmentRules.Check(header, bytes, _length, Left, _fragments);
        if (violation is not null) return violation;
        Left -= bytes;
        _fragments++;
        return null;
    }
}
