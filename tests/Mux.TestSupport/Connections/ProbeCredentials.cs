using Mux.Engine;

namespace Mux.TestSupport.Connections;

/// <summary>Provides what the test says, and remembers for what.</summary>
internal sealed class ProbeCredentials : ICredentialProvider
{
    /// <summary>The payload of AUTH.</summary>
    public Func<Task<byte[]>> Provide { get; set; } = static () => Task.FromResult<byte[]>([5, .. "probe"u8, 1, 2, 3]);

    /// <summary>What the peer has to show when it takes it.</summary>
    public byte[] ExpectedProof { get; set; } = [];

    public string? WhyNotUnasked { get; set; }

    /// <summary>Asked with the address of the link and whether it is encrypted.</summary>
    public Func<string?, bool, string?> Withhold { get; set; } = static (_, _) => null;

    public List<(IReadOnlyList<string> Schemes, byte[] Nonce)> Asked { get; } = [];

    public string? WhyWithheld(string? remoteAddress, bool isEncrypted) => Withhold(remoteAddress, isEncrypted);

    public async Task<ShownCredential> ProvideAsync(IReadOnlyList<string> schemes, byte[] nonce, ReadOnlyMemory<byte> channelBinding, CancellationToken ending)
    {
        Asked.Add((schemes, nonce));
        return new ShownCredential(await Provide(), ExpectedProof);
    }
}
