using Mux.Identity;
using Mux.Protocol;

namespace Mux.ProtocolCases.Clients;

/// <summary>A case for a client that is not a row of bytes: a server that follows the rules in an unusual way, or falls silent.</summary>
/// <param name="Name">Name of the case.</param>
/// <param name="Sent">Action of the tool.</param>
/// <param name="Expected">Required reaction of the client.</param>
/// <param name="Play">Runs the case. Throws a SpecFailure if the client reacts in another way.</param>
internal sealed record ClientCase(string Name, string Sent, string Expected, Func<ClientScene, Task<string>> Play)
{
    /// <summary>Row of PROTOCOL.md; null if it is not in the table.</summary>
    public int? Row { get; init; }

    /// <summary>True if the client must notice that nothing arrives, which takes time.</summary>
    public bool IsSilence { get; init; }

    /// <summary>True if the silence begins after the handshake.</summary>
    public bool IsOpen { get; init; }

    /// <summary>Maximum message that the client must accept for the case.</summary>
    public int MaxMessage { get; init; } = ProtocolConstants.MinFramePayload;

    /// <summary>True if the case needs a client whose shared key the tool knows.</summary>
    public bool NeedsKey { get; init; }

    /// <summary>Returns the reason why the case cannot be played against a client, or null.</summary>
    public string? WhyNot(PeerSettings settings, SharedKey? key = null)
    {
        if (NeedsKey && key is null) return "needs a client with a shared key that the tool knows: --shared-key";
        return settings.MaxMessage < MaxMessage
            ? $"needs a client that accepts messages of {MaxMessage} bytes, and not {settings.MaxMessage}: setting 2 of its HELLO" : null;
    }

    public override string ToString() => Name;
}
