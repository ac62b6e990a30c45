using Mux.Identity;
using Mux.Wire;

namespace Mux.ProtocolCases.Clients;

/// <summary>What the tool does to a client that is no row of bytes: a server that keeps the rules in an unusual way, or says nothing more.</summary>
/// <param name="Name">What it is.</param>
/// <param name="Sent">What the tool does.</param>
/// <param name="Expected">What the client has to do.</param>
/// <param name="Play">Does it. Throws a SpecFailure where the client does something else.</param>
internal sealed record ClientCase(string Name, string Sent, string Expected, Func<ClientScene, Task<string>> Play)
{
    /// <summary>The row of PROTOCOL.md; null beyond the table.</summary>
    public int? Row { get; init; }

    /// <summary>Whether the client has to notice that nothing comes, which takes it its time.</summary>
    public bool IsSilence { get; init; }

    /// <summary>The largest message that the client has to accept for it.</summary>
    public int MaxMessage { get; init; } = ProtocolConstants.MinFramePayload;

    /// <summary>Whether it is for a client whose shared key the tool knows.</summary>
    public bool NeedsKey { get; init; }

    /// <summary>Why it cannot be played against a client, or null: it can.</summary>
    public string? WhyNot(PeerSettings settings, SharedKey? key = null)
    {
        if (NeedsKey && key is null) return "needs a client with a shared key that is known here: --shared-key";
        return settings.MaxMessage < MaxMessage
            ? $"needs a client that accepts messages of {MaxMessage} bytes, and not {settings.MaxMessage}: setting 2 of its HELLO" : null;
    }

    public override string ToString() => Name;
}
